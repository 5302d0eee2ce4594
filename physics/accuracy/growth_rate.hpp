// The growth rate of a quantity over time.
#pragma once

#include <cmath>
#include <stdexcept>
#include <vector>

namespace halfstep {

struct Sample {
  double time, value;
};

/// Returns the least-squares slope of the samples with first <= time <= last. Throws std::invalid_argument
/// with fewer than two of them.
inline double slope(const std::vector<Sample>& samples, double first, double last) {
  double n = 0, t = 0, y = 0, tt = 0, ty = 0;
  for (const Sample& sample : samples) {
    if (sample.time < first || sample.time > last) continue;
    const double from_first = sample.time - first;
    n += 1;
    t += from_first;
    y += sample.value;
    tt += from_first * from_first;
    ty += from_first * sample.value;
  }
  if (n < 2) throw std::invalid_argument("a rate of growth takes two samples");
  return (n * ty - t * y) / (n * tt - t * t);
}

/// Returns the rate s of value ~ exp(s time): the slope of the logarithms of the samples. Throws
/// std::invalid_argument as slope() does, and where a sample is not positive.
inline double growth_rate(std::vector<Sample> samples, double first, double last) {
  for (Sample& sample : samples) {
    const bool counts = sample.time >= first && sample.time <= last;
    if (counts && !(sample.value > 0)) throw std::invalid_argument("what grows by a rate is positive");
    sample.value = std::log(sample.value);
  }
  return slope(samples, first, last);
}

}  // namespace halfstep
