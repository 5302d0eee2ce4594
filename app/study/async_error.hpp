// The study `async-error`: asynchronous error reporting seen from the host. The scenario is that of NVIDIA's
// blog "Asynchronous Error Reporting: When printf Just Won't Do" (2023), with our channel. Kernel A evaluates
// f(x) = 1 / (x - 100 + 1e-6) at pseudo-random x and reports values of 10000 and more; kernel B takes square
// roots of A's results and reports negative inputs. The host checks the channel six times.
#pragma once

#include <stdexcept>
#include <string>

#include "app/base/report.hpp"
#include "runtime/device/device_function.hpp"
#include "runtime/device/host_device.hpp"

namespace halfstep {

/// Runs the study. Throws std::runtime_error without a CUDA device.
inline constinit DeviceFunction<StudyReport()> async_error([]() -> StudyReport {
  throw std::runtime_error("the study async-error polls running kernels, which needs a CUDA device, and " +
                           std::string(kBuiltWithoutCuda) + ": install nvcc 12.4 or newer, then build again");
});

/// The kernels' arithmetic, shared with the host, which checks it.
namespace async_error_problem {

inline constexpr int kElements = 7000, kBlocks = 100, kThreads = 32;
/// Stride of a thread's elements.
inline constexpr int kStride = kBlocks * kThreads;
inline constexpr float kLargest = 10000;
/// Block of B whose first negative input is in thread 8, as printed in the blog.
inline constexpr int kFirstBlockOfB = 25;

HALFSTEP_HD int element_of(int block, int thread) { return block * kThreads + thread; }

/// Returns the result of three steps of the multiplicative generator x -> 187 x mod 7211 from element + 187.
HALFSTEP_HD int pseudo_random(int element) {
  int x = element + 187;
  for (int step = 0; step < 3; ++step) x = x * 187 % 7211;
  return x;
}

HALFSTEP_HD float spike(int x) { return static_cast<float>(1 / (x - 100 + 1e-6)); }

}  // namespace async_error_problem
}  // namespace halfstep
