// Median and quartiles of repeated measurements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace halfstep {

struct Quartiles {
  double low, median, high;
};

/// Returns the quartiles of at least one value.
inline Quartiles quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t last = values.size() - 1;
  return {values[last / 4], values[last / 2], values[last - last / 4]};
}

/// Returns the quartiles of values[n] / base[n], for measurements that alternated in the same rounds.
inline Quartiles ratio_quartiles(const std::vector<double>& values, const std::vector<double>& base) {
  std::vector<double> ratios;
  for (std::size_t n = 0; n < values.size(); ++n) ratios.push_back(values[n] / base[n]);
  return quartiles(ratios);
}

}  // namespace halfstep
