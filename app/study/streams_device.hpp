// The device measurements of the study `streams`.
#pragma once

#include <array>
#include <cstdint>

#include "app/base/quartiles.hpp"
#include "runtime/device/device_function.hpp"
#include "runtime/device/host_device.hpp"

namespace halfstep {

/// Orders of issue of chunks that are copied to the device, processed by a kernel and copied back.
enum Schedule { kOneStream, kDepthFirst, kBreadthFirst };
inline constexpr int kSchedules = 3;

/// Operations on the chunks, each with an engine of its own.
enum Engine { kCopyUp, kCompute, kCopyDown };
inline constexpr int kEngines = 3;

/// The lecture's kernel, which is short, and one that takes as long as the copies to the device.
enum Workload { kShortKernel, kLongKernel };
inline constexpr int kWorkloads = 2;

inline constexpr int kChunks = 20,
                     kChunkElements = 1 << 20;  ///< ints in each of the two inputs and the output

/// Seconds of wall time for all chunks.
struct WorkloadTimes {
  std::array<Quartiles, kEngines> alone;  ///< with nothing else running
  std::array<Quartiles, kSchedules> together;
  std::int64_t rounds_of_kernel;
};

struct StreamFigures {
  std::array<WorkloadTimes, kWorkloads> workload;
  int copy_engines;
  int capability;      ///< 10 times major, plus minor
  std::int64_t wrong;  ///< wrong results among the samples
};

/// Measures all workloads in so many rounds. Throws std::runtime_error without a device.
inline constinit DeviceFunction<StreamFigures(int rounds)> measure_streams;

/// Returns the kernel's result for element n of a chunk with inputs a and b: the mean over three neighbours
/// of both, then `rounds` steps of a random generator to take time.
HALFSTEP_HD unsigned blended(const unsigned* a, const unsigned* b, int n, std::int64_t rounds) {
  constexpr int group = 256;  // a ring of neighbours
  const int first = n / group * group;
  unsigned sum = 0;
  for (int k = 0; k < 3; ++k) {
    const int neighbour = first + (n + k) % group;
    sum += a[neighbour] + b[neighbour];
  }
  unsigned value = sum / 6;
  for (std::int64_t round = 0; round < rounds; ++round) value = value * 1664525u + 1013904223u;
  return value;
}

}  // namespace halfstep
