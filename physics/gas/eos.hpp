// The ideal gas, p = (gamma - 1) rho e: conversions between the two forms of a state, and the sound speed.
#pragma once

#include "physics/base/arithmetic.hpp"
#include "physics/gas/state.hpp"

namespace halfstep {

template <class Real>
struct IdealGas {
  Real gamma = Real(1.4);
  Real energy_per_pressure = Real(1) / (gamma - Real(1));  ///< 1 / (gamma - 1), so that faces need not divide
};

template <class Real>
HALFSTEP_HD Real kinetic_energy(const Primitive<Real>& q) {
  return Real(0.5) * q.density * multiply_add(q.w, q.w, multiply_add(q.v, q.v, q.u * q.u));
}

template <class Real>
HALFSTEP_HD Conserved<Real> to_conserved(const Primitive<Real>& q, const IdealGas<Real>& gas) {
  return {q.density, q.density * q.u, q.density * q.v, q.density * q.w,
          multiply_add(q.pressure, gas.energy_per_pressure, kinetic_energy(q))};
}

/// Converts to primitive variables with one division. A density of zero gives values that are not finite,
/// which the caller's checks find.
template <class Real>
HALFSTEP_HD Primitive<Real> to_primitive(const Conserved<Real>& c, const IdealGas<Real>& gas) {
  const Real volume = reciprocal(c.density);
  const Real u = c.mu * volume, v = c.mv * volume, w = c.mw * volume;
  const Real twice_kinetic = multiply_add(c.mw, w, multiply_add(c.mv, v, c.mu * u));
  return {c.density, u, v, w, (gas.gamma - Real(1)) * multiply_add(Real(-0.5), twice_kinetic, c.energy)};
}

template <class Real>
HALFSTEP_HD Real sound_speed(Real density, Real pressure, const IdealGas<Real>& gas) {
  return square_root(quotient(gas.gamma * pressure, density));
}

}  // namespace halfstep
