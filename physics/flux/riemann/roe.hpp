// The linearised flux of Roe (1981) with the entropy fix of Harten & Hyman (1983).
#pragma once

#include "physics/base/unrolled.hpp"
#include "physics/flux/riemann/physical_flux.hpp"
#include "physics/flux/riemann/roe_averages.hpp"

namespace halfstep {

struct Roe {
  /// Returns the flux through a face between the states `l` and `r`, u normal to the face. Toro (2009),
  /// section 11.2.2.
  template <class Real>
  HALFSTEP_HD static Conserved<Real> flux(const Primitive<Real>& l, const Primitive<Real>& r,
                                          const IdealGas<Real>& gas) {
    const Conserved<Real> u_l = to_conserved(l, gas), u_r = to_conserved(r, gas);

    // Roe averages (eq. 11.60); the enthalpy's is found from the sound speed.
    const RoeWeights<Real> roe = roe_weights(l, r);
    const Real density = roe.root;
    const auto average = [&](Real sum, Real momentum_l, Real momentum_r) HALFSTEP_INLINED {
      return fma(roe.root, sum, momentum_l + momentum_r) * roe.inverse_sum2;
    };
    const Real u = average(l.u + r.u, u_l.mu, u_r.mu), v = average(l.v + r.v, u_l.mv, u_r.mv),
               w = average(l.w + r.w, u_l.mw, u_r.mw);
    const Real half_square = Real(0.5) * fma(w, w, fma(v, v, u * u));
    const Real jump_u = r.u - l.u, jump_v = r.v - l.v, jump_w = r.w - l.w, jump_p = r.pressure - l.pressure;
    const Real c2 =
        roe_sound_speed2(roe, l, r, fma(jump_w, jump_w, fma(jump_v, jump_v, jump_u * jump_u)), gas);
    const Real c = square_root(c2), enthalpy = fma(c2, gas.energy_per_pressure, half_square);

    // Wave strengths (eqs. 11.68-11.70, in primitive jumps).
    const Real inverse_c2 = reciprocal(c2);
    const Real left_wave = Real(0.5) * fma(-density * c, jump_u, jump_p) * inverse_c2;
    const Real right_wave = Real(0.5) * fma(density * c, jump_u, jump_p) * inverse_c2;
    const Real entropy_wave = fma(-jump_p, inverse_c2, r.density - l.density);
    const Real shear_v = density * jump_v, shear_w = density * jump_w;

    // Speeds; the acoustic ones are spread over their own expansion so that it cannot turn into a shock.
    const Real c_l = square_root(gas.gamma * roe.t_l), c_r = square_root(gas.gamma * roe.t_r);
    const Real speed_left = fixed_speed(u - c, l.u - c_l, r.u - c_r);
    const Real speed_right = fixed_speed(u + c, l.u + c_l, r.u + c_r);
    const Real speed_middle = magnitude(u);

    // Sum of strength * |speed| * right eigenvector (eq. 11.59).
    const Real a_l = left_wave * speed_left, a_r = right_wave * speed_right,
               a_e = entropy_wave * speed_middle;
    const Real a_v = shear_v * speed_middle, a_w = shear_w * speed_middle;
    const Real sum = a_l + a_r + a_e;
    const Conserved<Real> dissipation = {
        sum, fma(a_e, u, fma(a_l, u - c, a_r * (u + c))), fma(sum, v, a_v), fma(sum, w, a_w),
        fma(a_e, half_square, fma(a_l, fma(-u, c, enthalpy), a_r * fma(u, c, enthalpy))) +
            fma(a_v, v, a_w * w)};
    return Real(0.5) * ((physical_flux(l, u_l) + physical_flux(r, u_r)) - dissipation);
  }

 private:
  /// Returns |speed|, or in a rarefaction a parabola as wide as the spread of its speeds.
  template <class Real>
  HALFSTEP_HD static Real fixed_speed(Real speed, Real from, Real to) {
    const Real width = max(Real(0), max(speed - from, to - speed));
    const Real size = magnitude(speed);
    const bool spread = size < width;
    Real fixed = size;
    if (worth_computing(spread)) {
      const Real safe = spread ? width : Real(1),
                 parabola = Real(0.5) * (quotient(square(speed), safe) + safe);
      fixed = spread ? parabola : size;
    }
    return fixed;
  }
};

}  // namespace halfstep
