// What a cell of Fields is a mixture of: its gas, and the fractions of what the flow carries.
#pragma once

#include <cstddef>

#include "physics/gas/gases.hpp"
#include "physics/mesh/fields.hpp"

namespace halfstep {

/// Returns the gas in cell n.
inline IdealGas<double> gas_in(const Gases<double>& gases, const Fields& fields, std::size_t n) {
  return gases.are_two() ? gases.mixed(fields.scalars.back()[n]) : gases.first;
}

/// Returns the mass fraction of scalar s in cell n, or the volume fraction of the second gas, which is the
/// last.
inline double fraction_in(const Gases<double>& gases, const Fields& fields, std::size_t s, std::size_t n) {
  const bool is_of_volume = gases.are_two() && s + 1 == fields.scalars.size();
  return fields.scalars[s][n] / (is_of_volume ? 1 : fields.conserved[0][n]);
}

}  // namespace halfstep
