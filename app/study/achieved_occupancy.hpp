// Achieved occupancy: how full of warps the multiprocessors were while kernels ran.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/study/range_profiler.hpp"

namespace halfstep {

/// Warps that were active, in percent of the warp slots, over the multiprocessors and the cycles in which
/// they had any.
inline constexpr const char* kAchievedOccupancy = "sm__warps_active.avg.pct_of_peak_sustained_active";

/// Counts in this process where CUPTI may. Where it may not, a second run of the program under ncu is
/// counted, if ncu is on the path; and where that fails too, nothing is, and how() says why.
class OccupancyMeter {
 public:
  /// `again`: the command, its program first, of a run that comes by the same calls of measure() in the same
  /// order as this one, for ncu; its output is thrown away. Empty: ncu is not asked.
  explicit OccupancyMeter(std::vector<std::string> again = {});
  ~OccupancyMeter();

  /// In percent, over the kernels that `launch` starts on the current device; `launch` is waited for, and may
  /// be called more than once. Nothing where it was not measured. Errors of `launch` itself are thrown.
  std::optional<double> measure(const std::function<void()>& launch);

  /// "CUPTI range profiling", "ncu", or "not measured: <reason>": of the last measure().
  const std::string& how() const { return how_; }

  /// Whether this process is the second run: then measure() gives nothing and all else but its calls can be
  /// left out.
  static bool under_ncu();

 private:
  std::optional<double> by_cupti(const std::function<void()>& launch);
  std::optional<double> by_ncu();

  std::vector<std::string> again_;
  std::unique_ptr<RangeProfiler> profiler_;
  bool cupti_fails_ = false, asked_ncu_ = false;
  std::vector<double> of_ncu_;  ///< by the number of the call
  std::size_t calls_ = 0;
  std::string how_ = "not measured: no kernel was", cupti_reason_, ncu_reason_;
};

/// Runs `command`, the program first, under ncu, with under_ncu() true in it: the achieved occupancy, in
/// percent, of each of its calls of measure(). Throws std::runtime_error where ncu is not on the path or
/// gives no value.
std::vector<double> occupancies_by_ncu(const std::vector<std::string>& command);

/// What ncu's log (--csv) gives for `metric`, in its order: one value a range. Throws std::runtime_error with
/// ncu's own message where it has none.
std::vector<double> values_of_ncu(const std::string& log, const std::string& metric);

}  // namespace halfstep
