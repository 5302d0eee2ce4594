// The device measurements of the study `transfers`.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/device/device_function.hpp"
#include "runtime/device/host_device.hpp"

namespace halfstep {

/// Kind of host memory and access: copied, or, if mapped, read and written in place by a kernel.
enum HostMemory { kPageable, kPinned, kWriteCombined, kMapped, kMappedWriteCombined };
inline constexpr int kHostMemories = 5;
std::string name_of(HostMemory memory);

enum Way { kToDevice, kToHost };
inline constexpr int kWays = 2;

/// Seconds from the call until the bytes have arrived.
using Samples = std::vector<double>;
using WaySamples = std::array<Samples, kWays>;

struct TransferSize {
  std::int64_t bytes;
  std::array<WaySamples, kHostMemories> seconds;
};

/// Methods for the dot product of two vectors in host memory.
enum Dot { kCopyPageable, kCopyPinned, kReadMapped, kReadMappedWriteCombined, kOnDevice };
inline constexpr int kDots = 5;
inline constexpr std::int64_t kDotElements = 32 << 20;  ///< floats of each vector

/// The lecture's loop.
inline constexpr std::int64_t kLoopBytes = 256 << 20;
inline constexpr int kLoopCopies = 10;

struct TransferFigures {
  std::vector<TransferSize> sizes;        ///< sizes that fit into both memories
  std::array<WaySamples, 2> loop;         ///< all its copies, from pageable and from pinned memory
  std::array<Samples, kDots> dot;         ///< from the vectors to the result on the host
  std::array<double, kDots> dot_results;  ///< all for the same vectors
  bool pageable_is_direct;                ///< the device reads pageable memory through the host's page tables
};

/// The vectors of the dot product: small integers, so that the result is exact in any order.
HALFSTEP_HD float element_of_a(std::int64_t n) { return static_cast<float>(n % 8); }
HALFSTEP_HD float element_of_b(std::int64_t n) { return static_cast<float>(n % 4); }
inline double exact_dot() {
  double of_eight = 0;
  for (int n = 0; n < 8; ++n) of_eight += element_of_a(n) * element_of_b(n);
  return of_eight * (kDotElements / 8);
}

/// Measures all transfers. `sizes`: bytes, ascending, multiples of 16. Leaves out the loop and the dot
/// products if they need more than the largest size that fits. Throws std::runtime_error without a device.
inline constinit DeviceFunction<TransferFigures(std::vector<std::int64_t> sizes)> measure_transfers;

}  // namespace halfstep
