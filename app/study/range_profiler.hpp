// A hardware counter over whatever runs between two points of this process, through CUPTI's range profiler.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace halfstep {

/// CUPTI is loaded when the first one is made, so that programs start where it is missing. Take times before:
/// with CUPTI loaded a launch may cost the host more.
class RangeProfiler {
 public:
  /// `metric`: by the name that Nsight Compute gives it, of those that need no second pass over the hardware.
  /// Throws std::runtime_error with the reason where the metric cannot be counted: no CUPTI, no device, no
  /// permission.
  explicit RangeProfiler(std::string metric);
  ~RangeProfiler();

  /// The metric over what `launch` starts on the current device, in the metric's own unit. `launch` is called
  /// as often as the hardware asks for (once, as a rule) and is waited for. Throws std::runtime_error.
  double measure(const std::function<void()>& launch);

 private:
  struct Session;
  std::unique_ptr<Session> session_;
};

/// Calls `launch`, waits for it, and marks it as a range for a profiler that watches this process from
/// outside.
void mark_range(const std::function<void()>& launch);

}  // namespace halfstep
