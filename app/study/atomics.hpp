// The study `atomics`: the cost of many threads adding to a few words or to one, in a histogram of bytes and
// a dot product. Compares, among others, the program's own histogram (runtime/device/histogram.hpp) and
// reduction (runtime/device/reduction.hpp).
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/base/report.hpp"
#include "app/base/studies.hpp"
#include "runtime/device/device_function.hpp"
#include "runtime/device/host_device.hpp"

namespace halfstep {

struct AtomicsOptions {
  std::int64_t bytes = 100'000'000;   ///< a multiple of atomics_study::kBytesAtOnce
  std::int64_t products = 1LL << 25;  ///< a multiple of atomics_study::kRow
  int cpu_runs = 7, device_runs = 31;
};

/// Measures the study's figures. Without a CUDA device only the host is timed; the rest is marked as not
/// measured.
StudyReport measure_atomics(const AtomicsOptions& options);
/// Runs the study.
StudyReport atomics(const StudyRequest& request);

namespace atomics_study {

inline constexpr int kBins = 256;
inline constexpr int kBytesAtOnce = 16;  ///< bytes that a thread loads at once
inline constexpr int kRow = 4096;        ///< products that a warp sums in the two-pass reduction
using Counts = std::array<std::uint32_t, kBins>;

/// Sum of products for the reduction, with explicit fma so that host and device give the same bits.
struct DotSum {
  float value = 0;
};
HALFSTEP_HD void add_product(DotSum& sum, float a, float b) { sum.value = std::fma(a, b, sum.value); }
HALFSTEP_HD void merge(DotSum& sum, const DotSum& other) { sum.value += other.value; }

/// A method of counting bytes.
struct HistogramTrial {
  std::string way;
  std::vector<double> milliseconds = {};  ///< by run
  int wrong = 0;                          ///< runs with wrong counts
};

/// A method of computing a dot product.
struct DotTrial {
  std::string way;
  std::vector<double> milliseconds = {};  ///< by run
  std::vector<float> results = {};        ///< by run
};

inline constexpr std::array kDeviceHistograms = {"GPU, global atomics", "GPU, shared atomics",
                                                 "GPU, global atomics aggregated by warps"};
inline constexpr std::array kDeviceDots = {"GPU, a lock a block", "GPU, an atomicAdd a block",
                                           "GPU, two passes", "GPU, cub::DeviceReduce"};

/// Times each method of kDeviceHistograms, in that order. Throws CudaError.
inline constinit DeviceFunction<std::vector<HistogramTrial>(std::span<const std::uint8_t> bytes,
                                                            const Counts& expected, int runs)>
    device_histograms;
/// Times each method of kDeviceDots, in that order. Throws CudaError.
inline constinit DeviceFunction<std::vector<DotTrial>(std::span<const float> a, std::span<const float> b,
                                                      int runs)>
    device_dots;

}  // namespace atomics_study
}  // namespace halfstep
