// What the study `streams` measures with a device.
#pragma once

#include <array>
#include <cstdint>

#include "app/study/quartiles.hpp"
#include "runtime/device/host_device.hpp"

namespace halfstep {

/// Orders of issue of chunks that are copied up, worked on by a kernel and copied down.
enum Schedule { kOneStream, kDepthFirst, kBreadthFirst };
inline constexpr int kSchedules = 3;

/// What is done to all chunks, each on an engine of its own.
enum Engine { kCopyUp, kCompute, kCopyDown };
inline constexpr int kEngines = 3;

/// The lecture's kernel, which is short, and one that takes as long as the copies up.
enum Workload { kShortKernel, kLongKernel };
inline constexpr int kWorkloads = 2;

inline constexpr int kChunks = 20, kChunkElements = 1 << 20;  ///< ints of each of two inputs and the output

/// Seconds of wall time of all chunks.
struct WorkloadTimes {
  std::array<Quartiles, kEngines> alone;  ///< nothing else going on
  std::array<Quartiles, kSchedules> together;
  std::int64_t rounds_of_kernel;
};

struct StreamFigures {
  std::array<WorkloadTimes, kWorkloads> workload;
  int copy_engines;
  int capability;      ///< 10 times major, plus minor
  std::int64_t wrong;  ///< results, of those that were looked at
};

/// Throws std::runtime_error without a device.
StreamFigures measure_streams();

/// What the kernel makes of element n of a chunk whose inputs are a and b: the mean over three neighbours of
/// both, then `rounds` steps of a random generator, to take time.
HALFSTEP_HD unsigned blended(const unsigned* a, const unsigned* b, int n, std::int64_t rounds) {
  constexpr int group = 256;  // whose elements are neighbours in a ring
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
