// Ideal gas: p = (gamma - 1) rho e. Conversions between the two forms of a state, and wave speeds.
#pragma once

#include <limits>

#include "physics/arithmetic.hpp"
#include "physics/classify.hpp"
#include "physics/state.hpp"

namespace halfstep {

template <class Real>
struct IdealGas {
  Real gamma = Real(1.4);
  Real energy_per_pressure = Real(1) / (gamma - Real(1));  ///< so that faces need not divide
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

/// How much of its energy a state has to have beyond its kinetic energy: 16 unit roundoffs. Whoever computes
/// E - m u / 2 finds m u too large by 6 at most, 2 of a quick reciprocal and 4 of products and sums; the
/// check m^2 < (1 - margin) 2 rho E finds m^2 too small by 3 and 2 rho E too large by 2. So a state that
/// passes has a positive pressure for every reader: either backend, in double precision as well.
template <class Real>
inline constexpr auto kEnergyMargin = 8 * std::numeric_limits<Real>::epsilon();

/// Whether a state is one to go on with: density and internal energy positive, in spite of round-off. NaN and
/// infinity fail as well, in any field. No division: p > 0 is 2 rho E > m^2.
template <class Real>
HALFSTEP_HD bool is_admissible(const Conserved<Real>& c) {
  constexpr auto two = 2 - 2 * kEnergyMargin<Real>;
  const Real momentum2 = multiply_add(c.mw, c.mw, multiply_add(c.mv, c.mv, c.mu * c.mu));
  const Real internal = multiply_add(Real(two) * c.density, c.energy, -momentum2);
  return positive_and_finite(c.density) & positive_and_finite(internal);
}

/// One division. A density of zero gives what is not finite, which the caller's checks find.
template <class Real>
HALFSTEP_HD Primitive<Real> to_primitive(const Conserved<Real>& c, const IdealGas<Real>& gas) {
  const Real volume = reciprocal(c.density);
  const Real u = c.mu * volume, v = c.mv * volume, w = c.mw * volume;
  const Real twice_kinetic = multiply_add(c.mw, w, multiply_add(c.mv, v, c.mu * u));
  return {c.density, u, v, w, (gas.gamma - Real(1)) * multiply_add(Real(-0.5), twice_kinetic, c.energy)};
}

/// Whether a state may be accepted: it is admissible, and its pressure is a normal number, which the product
/// of density and energy does not say.
template <class Real>
HALFSTEP_HD bool is_admissible(const Conserved<Real>& c, const IdealGas<Real>& gas) {
  return is_admissible(c) & positive_and_finite(to_primitive(c, gas).pressure);
}

template <class Real>
HALFSTEP_HD Real sound_speed(Real density, Real pressure, const IdealGas<Real>& gas) {
  return square_root(quotient(gas.gamma * pressure, density));
}

}  // namespace halfstep
