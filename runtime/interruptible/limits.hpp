// Limits of one launch, and the progress of a series of launches.
#pragma once

#if __cplusplus < 202002L
#error "halfstep::interruptible needs C++20, also in CUDA files: -std=c++20"
#endif

#include <algorithm>
#include <cstdint>
#include <limits>

namespace halfstep::interruptible {

/// Limits of one launch and of the number of launches; 0 = no limit.
struct Limits {
  std::int64_t interrupts_per_launch = 0;  ///< safe points that a thread meets (at most 2^32 - 1), or tiles
  std::int64_t launches = 0;               ///< in one call of run()
  double milliseconds_per_launch = 0;      ///< by the clock of the host or device that runs the kernel
};

/// Progress: `done` of `total` threads or tiles are finished after `launches` launches.
struct Progress {
  std::int64_t done = 0, total = 0, launches = 0;
};

enum class Outcome { finished, paused, out_of_launches };

namespace detail {

/// Returns the safe point at which a thread is interrupted, counted from one.
inline std::uint32_t last_safe_point(const Limits& limits) {
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(
      limits.interrupts_per_launch > 0 ? std::min(limits.interrupts_per_launch, most) : most);
}

/// Converts a time budget from milliseconds; 0 = none.
inline std::uint64_t nanoseconds(double milliseconds) {
  constexpr double most = 1e18;  // thirty years
  return milliseconds > 0
             ? std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::min(1e6 * milliseconds, most)))
             : 0;
}

}  // namespace detail

}  // namespace halfstep::interruptible
