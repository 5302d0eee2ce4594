// Achieved occupancy of kernels, measured by hardware counters.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/study/range_profiler.hpp"

namespace halfstep {

/// Active warps in percent of the warp slots, averaged over multiprocessors and the cycles in which they are
/// active.
inline constexpr const char* kAchievedOccupancy = "sm__warps_active.avg.pct_of_peak_sustained_active";

/// Meter of the achieved occupancy. Uses CUPTI in this process if permitted; otherwise runs the program again
/// under ncu if ncu is on the PATH. If that fails too, measures nothing, and how() gives the reason.
class OccupancyMeter {
 public:
  /// `again`: the command, program first, of a run that makes the same calls of measure() in the same order,
  /// for ncu; its output is discarded. Empty: ncu is not used.
  explicit OccupancyMeter(std::vector<std::string> again = {});
  ~OccupancyMeter();

  /// Returns the achieved occupancy in percent of the kernels that `launch` starts on the current device;
  /// nothing if not measured. Waits for `launch`, and may call it more than once. Rethrows errors of `launch`
  /// only.
  std::optional<double> measure(const std::function<void()>& launch);

  /// Returns how the last measure() measured: "CUPTI range profiling", "ncu", or "not measured: <reason>".
  const std::string& how() const { return how_; }

  /// Whether this process is the second run, under ncu: then measure() returns nothing, and only its calls
  /// are needed.
  static bool under_ncu();

 private:
  std::optional<double> by_cupti(const std::function<void()>& launch);
  std::optional<double> by_ncu();

  std::vector<std::string> again_;
  std::unique_ptr<RangeProfiler> profiler_;
  bool cupti_fails_ = false, asked_ncu_ = false;
  std::vector<double> of_ncu_;  ///< by number of the call
  std::size_t calls_ = 0;
  std::string how_ = "not measured: no kernel was", cupti_reason_, ncu_reason_;
};

/// Runs `command`, program first, under ncu, where under_ncu() is true. Returns the achieved occupancy in
/// percent of each of its calls of measure(). Throws std::runtime_error if ncu is not on the PATH or gives no
/// value.
std::vector<double> occupancies_by_ncu(const std::vector<std::string>& command);

/// Returns the values of `metric` in ncu's log (--csv), one per range, in order. Throws std::runtime_error
/// with ncu's own message if there are none.
std::vector<double> values_of_ncu(const std::string& log, const std::string& metric);

}  // namespace halfstep
