// What the study `transfers` measures with a device.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/device/host_device.hpp"

namespace halfstep {

/// Host memory, and how its bytes get to the device and back: copied, or, where it is mapped, read and
/// written by a kernel in place.
enum HostMemory { kPageable, kPinned, kWriteCombined, kMapped, kMappedWriteCombined };
inline constexpr int kHostMemories = 5;
std::string name_of(HostMemory memory);

enum Way { kToDevice, kToHost };
inline constexpr int kWays = 2;

/// Seconds from the call until the bytes are there.
using Samples = std::vector<double>;
using WaySamples = std::array<Samples, kWays>;

struct TransferSize {
  std::int64_t bytes;
  std::array<WaySamples, kHostMemories> seconds;
};

/// Ways to the dot product of two vectors in host memory.
enum Dot { kCopyPageable, kCopyPinned, kReadMapped, kReadMappedWriteCombined, kOnDevice };
inline constexpr int kDots = 5;
inline constexpr std::int64_t kDotElements = 32 << 20;  ///< floats of each vector

/// The loop of the lecture.
inline constexpr std::int64_t kLoopBytes = 256 << 20;
inline constexpr int kLoopCopies = 10;

struct TransferFigures {
  std::vector<TransferSize> sizes;        ///< those that fit into both memories
  std::array<WaySamples, 2> loop;         ///< of all its copies, from pageable and from pinned memory
  std::array<Samples, kDots> dot;         ///< from the vectors to the number on the host
  std::array<double, kDots> dot_results;  ///< all of the same vectors
  bool pageable_is_direct;                ///< the device reads pageable memory by the host's page tables
};

/// The vectors of the dot product: small whole numbers, so that the result is exact in any order.
HALFSTEP_HD float element_of_a(std::int64_t n) { return static_cast<float>(n % 8); }
HALFSTEP_HD float element_of_b(std::int64_t n) { return static_cast<float>(n % 4); }
inline double exact_dot() {
  double of_eight = 0;
  for (int n = 0; n < 8; ++n) of_eight += element_of_a(n) * element_of_b(n);
  return of_eight * (kDotElements / 8);
}

/// `sizes`: bytes, ascending, multiples of 16. The loop and the dot products are left out if their memory is
/// more than the largest size that fits. Throws std::runtime_error without a device.
TransferFigures measure_transfers(std::vector<std::int64_t> sizes);

}  // namespace halfstep
