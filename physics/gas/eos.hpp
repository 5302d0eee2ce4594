// The ideal gas, p = (gamma - 1) rho e: conversions between the two forms of a state, and the sound speed.
#pragma once

#include "physics/base/arithmetic.hpp"
#include "physics/base/select.hpp"
#include "physics/gas/state.hpp"

namespace halfstep {

template <class Real>
struct IdealGas {
  Real gamma = Real(1.4);
  Real energy_per_pressure = Real(1) / (gamma - Real(1));  ///< 1 / (gamma - 1), so that faces need not divide
};

template <class Real>
HALFSTEP_HD Real kinetic_energy(const Primitive<Real>& q) {
  return Real(0.5) * q.density * fma(q.w, q.w, fma(q.v, q.v, q.u * q.u));
}

template <class Real>
HALFSTEP_HD Conserved<Real> to_conserved(const Primitive<Real>& q, const IdealGas<Real>& gas) {
  return {q.density, q.density * q.u, q.density * q.v, q.density * q.w,
          fma(q.pressure, gas.energy_per_pressure, kinetic_energy(q))};
}

/// Converts to primitive variables with one division. A density of zero gives values that are not finite,
/// which the caller's checks find.
template <class Real>
HALFSTEP_HD Primitive<Real> to_primitive(const Conserved<Real>& c, const IdealGas<Real>& gas) {
  const Real volume = reciprocal(c.density);
  const Real u = c.mu * volume, v = c.mv * volume, w = c.mw * volume;
  const Real twice_kinetic = fma(c.mw, w, fma(c.mv, v, c.mu * u));
  return {c.density, u, v, w, (gas.gamma - Real(1)) * fma(Real(-0.5), twice_kinetic, c.energy)};
}

/// Returns dp / d(rho e) at constant density (Grueneisen's coefficient).
template <class Real>
HALFSTEP_HD Real pressure_per_energy(const IdealGas<Real>& gas) {
  return gas.gamma - Real(1);
}
/// Returns rho e, the internal energy per volume.
template <class Real>
HALFSTEP_HD Real internal_energy(Real pressure, const IdealGas<Real>& gas) {
  return pressure / (gas.gamma - Real(1));
}
/// Returns the specific enthalpy of the temperature p / rho = 1.
template <class Real>
HALFSTEP_HD Real enthalpy_per_temperature(const IdealGas<Real>& gas) {
  return gas.gamma * gas.energy_per_pressure;
}
/// Returns the enthalpy of a gas of unit internal energy, per volume or mass.
template <class Real>
HALFSTEP_HD Real enthalpy_per_energy(const IdealGas<Real>& gas) {
  return gas.gamma;
}

/// The scales of small changes about a state: Z = rho c is the acoustic impedance.
template <class Real>
struct AcousticScales {
  Real modulus /* rho c^2 */, gamma_density;
  Real impedance2, inverse_impedance2, inverse_c2;

  HALFSTEP_HD Real inverse_density2() const { return square(modulus * inverse_impedance2); }
  HALFSTEP_HD Real inverse_pressure2() const { return square(gamma_density * inverse_impedance2); }
};

/// Finds the scales with one division.
template <class Real>
HALFSTEP_HD AcousticScales<Real> acoustic_scales(const Primitive<Real>& q, const IdealGas<Real>& gas) {
  const Real modulus = gas.gamma * q.pressure;
  const Real impedance2 = modulus * q.density, inverse = reciprocal(impedance2);
  return {modulus, gas.gamma * q.density, impedance2, inverse, square(q.density) * inverse};
}

/// Returns the square of the Mach number, in plain arithmetic.
HALFSTEP_HD double mach_squared(const Primitive<double>& q, const IdealGas<double>& gas) {
  return (q.u * q.u + q.v * q.v + q.w * q.w) * q.density / (gas.gamma * q.pressure);
}

template <class Real>
HALFSTEP_HD Real sound_speed(Real density, Real pressure, const IdealGas<Real>& gas) {
  return square_root(quotient(gas.gamma * pressure, density));
}

}  // namespace halfstep
