// The admissibility of a gas's states.
#pragma once

#include <limits>

#include "physics/base/classify.hpp"
#include "physics/gas/eos.hpp"

namespace halfstep {

/// The least internal energy of a state relative to its total energy: 16 unit roundoffs. In E - m u / 2, m u
/// is too large by 6 at most, 2 of a fast reciprocal and 4 of products and sums; in the check m^2 < (1 -
/// margin) 2 rho E, m^2 is too small by 3 and 2 rho E too large by 2. A state that passes therefore has a
/// positive pressure however it is computed: by either backend, and in double precision as well.
template <class Real>
inline constexpr auto kEnergyMargin = 8 * std::numeric_limits<Real>::epsilon();

/// Whether density and internal energy are positive, in spite of round-off. NaN and infinity fail in any
/// field: the energy's is not finite then. Without a division: p > 0 is 2 rho E > m^2.
template <class Real>
HALFSTEP_HD bool is_admissible(const Conserved<Real>& c) {
  constexpr auto two = 2 - 2 * kEnergyMargin<Real>;
  const Real momentum2 = fma(c.mw, c.mw, fma(c.mv, c.mv, c.mu * c.mu));
  const Real internal = fma(Real(two) * c.density, c.energy, -momentum2);
  return positive_if_finite(c.density) & positive_and_finite(internal);
}

/// Whether a state is admissible and its pressure is a normal number, which the product of density and energy
/// does not imply.
template <class Real>
HALFSTEP_HD bool is_admissible(const Conserved<Real>& c, const IdealGas<Real>& gas) {
  return is_admissible(c) & positive_and_finite(to_primitive(c, gas).pressure);
}

/// Whether a Riemann solver can use the state: positive density and pressure, everything finite.
template <class Real>
HALFSTEP_HD bool is_admissible(const Primitive<Real>& q) {
  return positive_and_finite(q.density) & positive_and_finite(q.pressure) &
         finite(magnitude(q.u) + (magnitude(q.v) + magnitude(q.w)));
}

}  // namespace halfstep
