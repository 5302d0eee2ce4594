// The study `kernel`: registers, occupancy and time that a user's kernel takes with every way of reporting an
// error. docs/measure_your_kernel.md has the form of the user's file.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/base/report.hpp"
#include "app/base/studies.hpp"
#include "app/study/achieved_occupancy.hpp"
#include "app/study/kernel_timing.hpp"

namespace halfstep {

/// Runs the study. Without a GPU: what the compiler tells. Throws UsageError if the request cannot be met, or
/// without nvcc; std::runtime_error for an error of the device.
StudyReport user_kernel_study(const StudyRequest& request);

/// The GPU that kernels are timed on.
struct TimingDevice {
  std::optional<std::string> architecture;  ///< nothing: there is no GPU
  std::function<std::unique_ptr<study::Runner>(const std::filesystem::path& library, int threads,
                                               study::SharedArrays& arrays)>
      load;
  OccupancyMeter* meter = nullptr;  ///< null: achieved occupancy is not measured
};

/// The same on another device.
StudyReport user_kernel_study(const StudyRequest& request, const TimingDevice& device);

}  // namespace halfstep
