// Bounds on the fastest left- and right-going waves of a Riemann problem.
#pragma once

#include "physics/base/select.hpp"
#include "physics/flux/riemann/roe_averages.hpp"
#include "physics/gas/gases.hpp"

namespace halfstep {

template <class Real>
struct WaveSpeeds {
  Real left, right;
};

/// Returns Einfeldt's (1988) wave speeds, eqs. 4.5 and 5.1-5.3: the outermost of each side's own
/// characteristic and that of the Roe average. With these HLL (Einfeldt, Munz, Roe & Sjogreen 1991) and HLLC
/// (Batten, Clarke, Lambert & Causon 1997) keep density and pressure positive.
template <class Real>
HALFSTEP_HD WaveSpeeds<Real> einfeldt_speeds(const Primitive<Real>& l, const Primitive<Real>& r,
                                             const IdealGas<Real>& gas) {
  const RoeWeights<Real> roe = roe_weights(l, r);
  const Real momentum = fma(r.density, r.u, l.density * l.u);
  const Real u = fma(roe.root, l.u + r.u, momentum) * roe.inverse_sum2;
  const Real c = square_root(roe_sound_speed2(roe, l, r, square(r.u - l.u), gas));
  return {min(l.u - square_root(gas.gamma * roe.t_l), u - c),
          max(r.u + square_root(gas.gamma * roe.t_r), u + c)};
}

/// Returns the same of two gases: Roe's average of the squares of their sound speeds, and of the gammas the
/// larger one for what the jump in velocity adds.
template <class Real>
HALFSTEP_HD WaveSpeeds<Real> einfeldt_speeds(const Primitive<Real>& l, const Primitive<Real>& r,
                                             const GasPair<Real>& gases) {
  const RoeWeights<Real> roe = roe_weights(l, r);
  const Real momentum = fma(r.density, r.u, l.density * l.u);
  const Real u = fma(roe.root, l.u + r.u, momentum) * roe.inverse_sum2;
  const Real of_l = gases.left.gamma * roe.t_l, of_r = gases.right.gamma * roe.t_r;
  const Real mean = fma(roe.root, of_l + of_r, fma(r.density, of_r, l.density * of_l));
  const Real most = max(gases.left.gamma, gases.right.gamma) - Real(1);
  const Real c = square_root(fma(Real(0.5) * most * roe.root, square(r.u - l.u), mean) * roe.inverse_sum2);
  return {min(l.u - square_root(of_l), u - c), max(r.u + square_root(of_r), u + c)};
}

}  // namespace halfstep
