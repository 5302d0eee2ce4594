// A norm of the difference of two runs.
#pragma once

#include <algorithm>
#include <cmath>

#include "tests/support/run_case.hpp"

namespace halfstep {

/// Returns the largest difference of a field relative to its largest value. Momenta, which may vanish, are
/// relative to the square root of largest density times largest energy.
inline double difference(const CaseRun& a, const CaseRun& b) {
  const Fields x = a.fields(), y = b.fields();
  const auto largest = [&](int f) {
    double m = 0;
    for (const double value : x.conserved[f]) m = std::max(m, std::abs(value));
    return m;
  };
  const double density = largest(0), energy = largest(4), momentum = std::sqrt(density * energy);
  const double scale[kFields] = {density, momentum, momentum, momentum, energy};
  double worst = 0;
  for (int f = 0; f < kFields; ++f)
    for (std::size_t n = 0; n < x.conserved[f].size(); ++n)
      worst = std::max(worst, std::abs(x.conserved[f][n] - y.conserved[f][n]) / scale[f]);
  return worst;
}

}  // namespace halfstep
