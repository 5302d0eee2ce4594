// The viscous terms of the Navier-Stokes equations: Newtonian stress with Stokes' hypothesis and Fourier's
// heat flux, with constant coefficients. Temperature is p / rho: the gas constant is one.
#pragma once

#include "physics/eos.hpp"

namespace halfstep {

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

/// Derivatives at a face whose normal u points along: by the normal, and by the first and second tangential
/// axis, those of v and w.
template <class Real>
struct FaceGradient {
  Real u_normal = 0, v_normal = 0, w_normal = 0, temperature_normal = 0;
  Real u_first = 0, v_first = 0;
  Real u_second = 0, w_second = 0;
};

/// What stress and heat carry through a face between the cells `l` and `r`, to be added to the flux of the
/// inviscid equations: momentum -tau n, energy -(tau n) . velocity - kappa dT/dn, with the mean velocity of
/// the two.
template <class Real>
HALFSTEP_HD Conserved<Real> viscous_flux(const FaceGradient<Real>& d, const Primitive<Real>& l,
                                         const Primitive<Real>& r, const Transport<Real>& t) {
  // 2 mu (du/dn - div / 3): without trace.
  const Real tau_normal =
      t.viscosity * (Real(2) / Real(3)) * (Real(2) * d.u_normal - (d.v_first + d.w_second));
  const Real tau_first = t.viscosity * (d.u_first + d.v_normal);
  const Real tau_second = t.viscosity * (d.u_second + d.w_normal);
  const Real twice_work = (l.u + r.u) * tau_normal + (l.v + r.v) * tau_first + (l.w + r.w) * tau_second;
  return {Real(0), -tau_normal, -tau_first, -tau_second,
          -(Real(0.5) * twice_work + t.conductivity * d.temperature_normal)};
}

}  // namespace halfstep
