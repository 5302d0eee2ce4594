// Two ideal gases that share a cell at one pressure and velocity, each with a part of the volume.
#pragma once

#include "physics/gas/eos.hpp"

namespace halfstep {

/// The name that the second gas's volume fraction has among the scalars.
inline constexpr const char* kSecondGas = "second_gas";

/// The gas of a flow, or its two gases.
///
/// The internal energy of a cell is the sum of those of its gases, so that 1 / (gamma - 1), the energy per
/// pressure, is linear in the volume fraction (R. Abgrall & S. Karni 2001, J. Comput. Phys. 169, 594, section
/// 4.1). What carries one carries the other, and the pressure across a moving contact stays constant.
template <class Real>
struct Gases {
  IdealGas<Real> first;
  Real second = 0;  ///< energy per pressure of the second gas; 0: there is none

  HALFSTEP_HD bool are_two() const { return second != Real(0); }

  /// Returns the mixture with this volume fraction of the second gas, which behaves as an ideal gas.
  HALFSTEP_HD IdealGas<Real> mixed(Real fraction) const {
    const Real energy = fma(fraction, second - first.energy_per_pressure, first.energy_per_pressure);
    return {Real(1) + reciprocal(energy), energy};
  }
};

/// Returns the gases in another precision.
template <class Real>
HALFSTEP_HD Gases<Real> in_precision(const Gases<double>& gases) {
  return {{Real(gases.first.gamma)}, Real(gases.second)};
}

/// The gases on the two sides of a face.
template <class Real>
struct GasPair {
  IdealGas<Real> left, right;
};

// A Riemann solver takes one gas or a pair; these give it the gas of a side.
template <class Real>
HALFSTEP_HD const IdealGas<Real>& side_of(const IdealGas<Real>& gas, bool /*left*/) {
  return gas;
}
template <class Real>
HALFSTEP_HD IdealGas<Real> side_of(const GasPair<Real>& gases, bool left) {
  return {left ? gases.left.gamma : gases.right.gamma,
          left ? gases.left.energy_per_pressure : gases.right.energy_per_pressure};
}

}  // namespace halfstep
