// Hardware counters over a range of this process' work, through CUPTI's range profiler.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace halfstep {

/// Loads CUPTI with the first object, so that programs start where it is missing. Times should be taken
/// before: with CUPTI loaded, launches may cost the host more.
class RangeProfiler {
 public:
  /// `metric`: Nsight Compute's name, of metrics that need a single pass of the hardware. Throws
  /// std::runtime_error with the reason if the metric cannot be counted: no CUPTI, no device, no permission.
  explicit RangeProfiler(std::string metric);
  ~RangeProfiler();

  /// Returns the metric, in its own unit, over the work that `launch` starts on the current device. Calls
  /// `launch` once per hardware pass (usually one) and waits for it. Throws std::runtime_error.
  double measure(const std::function<void()>& launch);

 private:
  struct Session;
  std::unique_ptr<Session> session_;
};

/// Calls `launch`, waits for it, and marks it as a range for an external profiler.
void mark_range(const std::function<void()>& launch);

}  // namespace halfstep
