// Hardware counters over a range of this process' work, through CUPTI's range profiler.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "runtime/device/device_function.hpp"

namespace halfstep {

class RangeProfiler {
 public:
  virtual ~RangeProfiler() = default;

  /// Returns the metric, in its own unit, over the work that `launch` starts on the current device. Calls
  /// `launch` once per hardware pass (usually one) and waits for it. Throws std::runtime_error.
  virtual double measure(const std::function<void()>& launch) = 0;
};

/// Returns a profiler of `metric`: Nsight Compute's name, of metrics that need a single pass of the hardware.
/// Throws std::runtime_error with the reason if the metric cannot be counted: no CUPTI, no device, no
/// permission. Loads CUPTI with the first call, so that programs start where it is missing. Times should be
/// taken before: with CUPTI loaded, launches may cost the host more.
inline constinit DeviceFunction<std::unique_ptr<RangeProfiler>(std::string metric)> make_range_profiler;

/// Calls `launch`, waits for it, and marks it as a range for an external profiler.
inline constinit DeviceFunction<void(const std::function<void()>& launch)> mark_range;

}  // namespace halfstep
