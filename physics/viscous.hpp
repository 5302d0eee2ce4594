// The viscous terms of the Navier-Stokes equations: Newtonian stress with Stokes' hypothesis and Fourier's
// heat flux. Temperature is p / rho: the gas constant is one.
#pragma once

#include "physics/eos.hpp"
#include "physics/scheme.hpp"

namespace halfstep {

/// Coefficients of a gas at one temperature.
template <class Real>
struct Transport {
  Real viscosity = 0;     ///< dynamic, mu
  Real conductivity = 0;  ///< of heat, kappa
};

/// With kappa = mu c_p / Pr, c_p = gamma / (gamma - 1).
template <class Real>
HALFSTEP_HD Transport<Real> transport(Real viscosity, Real prandtl, const IdealGas<Real>& gas) {
  return {viscosity, viscosity * gas.gamma / ((gas.gamma - Real(1)) * prandtl)};
}

template <class Real>
HALFSTEP_HD Real temperature(const Primitive<Real>& q) {
  return q.pressure / q.density;
}

enum class ViscosityLaw { constant, sutherland };

inline constexpr Choice<ViscosityLaw> kViscosityLaws[] = {
    {ViscosityLaw::constant, "constant", "the same at every temperature"},
    {ViscosityLaw::sutherland, "sutherland", "mu ~ T^1.5 / (T + S) (Sutherland 1893)"},
};

/// How the coefficients depend on temperature; their ratio, and so the Prandtl number, does not.
template <class Real>
struct TransportLaw {
  Transport<Real> reference;  ///< at reference_temperature; zeros: an inviscid gas
  ViscosityLaw law = ViscosityLaw::constant;
  Real reference_temperature = 1;   ///< of sutherland
  Real sutherland_temperature = 1;  ///< S of sutherland

  /// White (2006), Viscous Fluid Flow, eq. 1-36: mu / mu_ref = (T / T_ref)^1.5 (T_ref + S) / (T + S).
  HALFSTEP_HD Transport<Real> at(Real temperature) const {
    if (law == ViscosityLaw::constant) return reference;
    const Real ratio = quotient(temperature, reference_temperature);
    const Real scale = quotient(ratio * square_root(ratio) * (reference_temperature + sutherland_temperature),
                                temperature + sutherland_temperature);
    return {scale * reference.viscosity, scale * reference.conductivity};
  }

  template <class Other>
  HALFSTEP_HD TransportLaw<Other> as() const {
    return {{Other(reference.viscosity), Other(reference.conductivity)},
            law,
            Other(reference_temperature),
            Other(sutherland_temperature)};
  }
};

/// Derivatives at a face whose normal u points along: by the normal, and by the first and second tangential
/// axis, those of v and w.
template <class Real>
struct FaceGradient {
  Real u_normal = 0, v_normal = 0, w_normal = 0, temperature_normal = 0;
  Real u_first = 0, v_first = 0;
  Real u_second = 0, w_second = 0;
};

/// Of the gas at a face whose normal u points along.
template <class Real>
struct FaceVelocity {
  Real u, v, w;
};

/// What stress and heat carry through a face, to be added to the flux of the inviscid equations: momentum
/// -tau n, energy -(tau n) . velocity - kappa dT/dn.
template <class Real>
HALFSTEP_HD Conserved<Real> viscous_flux(const FaceGradient<Real>& d, const FaceVelocity<Real>& velocity,
                                         const Transport<Real>& t) {
  // 2 mu (du/dn - div / 3): without trace.
  const Real tau_normal =
      t.viscosity * (Real(2) / Real(3)) * (Real(2) * d.u_normal - (d.v_first + d.w_second));
  const Real tau_first = t.viscosity * (d.u_first + d.v_normal);
  const Real tau_second = t.viscosity * (d.u_second + d.w_normal);
  const Real work = velocity.u * tau_normal + velocity.v * tau_first + velocity.w * tau_second;
  return {Real(0), -tau_normal, -tau_first, -tau_second, -(work + t.conductivity * d.temperature_normal)};
}

}  // namespace halfstep
