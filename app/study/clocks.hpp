// The host's clocks and their resolution.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace halfstep {

struct Clock {
  std::string name;
  std::string counts;             ///< which time it counts
  std::int64_t (*nanoseconds)();  ///< from an arbitrary origin
};

/// Returns gettimeofday, clock and chrono's steady clock.
const std::array<Clock, 3>& clocks();

/// Returns the seconds between two readings of the same clock.
inline double seconds_between(std::int64_t began, std::int64_t ended) {
  return 1e-9 * static_cast<double>(ended - began);
}

/// Returns the seconds that a reading takes.
double cost_of(const Clock& clock);
/// Returns the smallest step in seconds between two different readings.
double step_of(const Clock& clock);

}  // namespace halfstep
