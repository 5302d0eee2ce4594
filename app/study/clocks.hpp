// The clocks a program on the host can read, and how finely.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace halfstep {

struct Clock {
  std::string name;
  std::string counts;             ///< which time
  std::int64_t (*nanoseconds)();  ///< since some moment
};

/// gettimeofday, clock, chrono (its steady clock).
const std::array<Clock, 3>& clocks();

/// Seconds between two readings of the same clock.
inline double seconds_between(std::int64_t began, std::int64_t ended) {
  return 1e-9 * static_cast<double>(ended - began);
}

/// Seconds a reading takes.
double cost_of(const Clock& clock);
/// The smallest step in seconds between two readings that differ.
double step_of(const Clock& clock);

}  // namespace halfstep
