// The study `atomics`: what it costs that many threads add to the same few words, or to one, by a histogram
// of bytes and by a dot product. Among the ways compared are the run's own: the histogram of
// runtime/device/histogram.hpp and the reduction of runtime/device/reduction.hpp.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/study/report.hpp"
#include "runtime/device/host_device.hpp"

namespace halfstep {

struct AtomicsOptions {
  std::int64_t bytes = 100'000'000;   ///< a multiple of atomics_study::kBytesAtOnce
  std::int64_t products = 1LL << 25;  ///< a multiple of atomics_study::kRow
  int cpu_runs = 7, device_runs = 31;
};

/// Without a CUDA device only the processor is timed; the rest is named as not measured.
StudyReport measure_atomics(const AtomicsOptions& options);
/// The study.
StudyReport atomics();

namespace atomics_study {

inline constexpr int kBins = 256;
inline constexpr int kBytesAtOnce = 16;  ///< that a thread loads at once
inline constexpr int kRow = 4096;        ///< products that a warp adds up, of the reduction in two passes
using Counts = std::array<std::uint32_t, kBins>;

/// Of products, for the reduction. With fma written out, so that host and device give the same bits.
struct DotSum {
  float value = 0;
};
HALFSTEP_HD void add_product(DotSum& sum, float a, float b) { sum.value = std::fma(a, b, sum.value); }
HALFSTEP_HD void merge(DotSum& sum, const DotSum& other) { sum.value += other.value; }

/// One way to count bytes.
struct HistogramTrial {
  std::string way;
  std::vector<double> milliseconds = {};  ///< of each run
  int wrong = 0;                          ///< runs that counted other than was expected
};

/// One way to make a dot product.
struct DotTrial {
  std::string way;
  std::vector<double> milliseconds = {};  ///< of each run
  std::vector<float> results = {};        ///< of each run
};

inline constexpr std::array kDeviceHistograms = {"GPU, global atomics", "GPU, shared atomics",
                                                 "GPU, global atomics aggregated by warps"};
inline constexpr std::array kDeviceDots = {"GPU, a lock a block", "GPU, an atomicAdd a block",
                                           "GPU, two passes", "GPU, cub::DeviceReduce"};

/// Each way of kDeviceHistograms, in that order. Throws CudaError.
std::vector<HistogramTrial> device_histograms(std::span<const std::uint8_t> bytes, const Counts& expected,
                                              int runs);
/// Each way of kDeviceDots, in that order. Throws CudaError.
std::vector<DotTrial> device_dots(std::span<const float> a, std::span<const float> b, int runs);

}  // namespace atomics_study
}  // namespace halfstep
