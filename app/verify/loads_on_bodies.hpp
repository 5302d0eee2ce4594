// Forces on the first body of a flow, or the first wall of curved elements, and what samples of them say.
#pragma once

#include <cstdint>
#include <vector>

#include "app/verify/deck_run.hpp"

namespace halfstep {

/// Returns the force along x.
inline double drag(const Totals& totals) {
  const BodyLoads& load = totals.loads.front();
  return load.pressure_force[0] + load.friction_force[0];
}

/// Returns the force across the stream, as it is at the moment.
inline double lift_now(const RunConfig&, Solver& solver) {
  const BodyLoads load = solver.totals().loads.front();
  return load.pressure_force[1] + load.friction_force[1];
}

inline double drag_now(const RunConfig&, Solver& solver) { return drag(solver.totals()); }

/// Returns the mean of the samples after `from`.
inline double mean(const std::vector<Sample>& samples, double from) {
  double sum = 0;
  std::int64_t count = 0;
  for (const Sample& sample : samples)
    if (sample.time >= from) sum += sample.value, ++count;
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

/// Returns the frequency of the samples' changes of sign upwards after `from`.
inline double frequency(const std::vector<Sample>& samples, double from) {
  std::vector<double> times;
  for (std::size_t n = 1; n < samples.size(); ++n) {
    const Sample &a = samples[n - 1], &b = samples[n];
    if (a.time >= from && a.value < 0 && b.value >= 0)
      times.push_back(a.time - a.value / (b.value - a.value) * (b.time - a.time));
  }
  return times.size() < 2 ? 0 : static_cast<double>(times.size() - 1) / (times.back() - times.front());
}

}  // namespace halfstep
