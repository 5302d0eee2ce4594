// Why what a stage leaves in bodies sets no time step. A stage takes the largest CFL rate of all cells,
// because it knows no bodies. From the second one on it keeps a part of U^n, and only a cell itself
// reads its U^n. So a cell in a body gets ballast there: a density and an energy so large that what a stage
// makes of it hardly moves and hardly sounds. Where that does not hold, the cells in the gas are looked at
// again.
#pragma once

#include <cmath>

#include "physics/base/arithmetic.hpp"
#include "physics/gas/eos.hpp"
#include "physics/gas/gases.hpp"
#include "physics/gas/state.hpp"

namespace halfstep {

/// The factors by which ballast is heavier than gas, and has more energy. Their product, and those that
/// stages form of density and energy, do not overflow.
template <class Real>
struct Ballast {
  static constexpr Real density = wide<Real> ? Real(0x1p400) : Real(0x1p48);
  static constexpr Real energy = wide<Real> ? Real(0x1p300) : Real(0x1p32);
};

/// Gives a cell of U^n ballast, of gas in the state `c`. `u`: at the cell's density. Momenta and mass
/// fractions may stay.
template <class Real>
HALFSTEP_HD void put_ballast(Real* u, std::int64_t field_stride, const Conserved<Real>& c) {
  u[0] = Ballast<Real>::density * c.density;
  u[4 * field_stride] = Ballast<Real>::energy * c.energy;
}

/// Returns the gas, of two the one with the larger gamma: no mixture of them has a larger one.
template <class Real>
HALFSTEP_HD IdealGas<Real> stiffest(const Gases<Real>& gases) {
  const bool is_second = gases.are_two() && gases.second < gases.first.energy_per_pressure;
  return is_second ? gases.mixed(Real(1)) : gases.first;
}

/// Whether that mixture, whatever fraction a stage has left, is hardly stiffer than both gases.
template <class Real>
HALFSTEP_HD bool is_mixture(const Gases<Real>& gases, Real fraction) {
  return gases.mixed(fraction).energy_per_pressure >= Real(0.999) * stiffest(gases).energy_per_pressure;
}

/// Returns a factor: no admissible state has a CFL rate beyond the root of it times energy / density, since
/// |u|^2 <= 2 E / rho and c^2 <= gamma (gamma - 1) E / rho. `inverse_widths`: the sum of 1 / the least width
/// over the active axes.
inline double largest_rate2(const IdealGas<double>& gas, double inverse_widths) {
  const double speed = std::sqrt(2.0) + std::sqrt(gas.gamma * (gas.gamma - 1));
  return 1.01 * square(inverse_widths * speed);  // a little more, because a stage rounds
}

/// Whether a state may have that CFL rate, by largest_rate2(), if it is admissible.
HALFSTEP_HD bool may_reach(double rate, double largest_rate2, double density, double energy) {
  return !(largest_rate2 * energy < rate * rate * density);
}

/// What a stage may have found in bodies, and what looking at the gas alone has found.
struct SolidDoubt {
  int counts = 0;  ///< a cell in a body may have set the stage's CFL rate
  int gas_is_bad = 0;
  unsigned blocks_done = 0;  ///< of those that look at the gas
  unsigned long long gas_rate_bits = 0;
};

}  // namespace halfstep
