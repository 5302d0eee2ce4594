// Messages between the devices of ranks, in the order of a stream. NCCL carries them where it is there and
// each rank has a device of its own, else MPI does, through pinned memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "runtime/exchange/ranks.hpp"

namespace halfstep::exchange {

/// Words in device memory that are reduced over the ranks, element by element and in place.
struct ReducedWords {
  std::uint64_t* words;
  std::size_t count;
  Reduction reduction;
};

/// Every call queues its work to `stream` and returns. All ranks make the same calls in the same order.
class DeviceExchange {
 public:
  virtual ~DeviceExchange() = default;
  /// Sends and receives all parcels; their memory is the device's.
  virtual void swap(std::span<const Parcel> parcels, cudaStream_t stream) = 0;
  virtual void reduce(std::span<const ReducedWords> all, cudaStream_t stream) = 0;
  /// Throws std::runtime_error if messages have failed. Called while the host waits.
  virtual void check() = 0;
  virtual std::string name() const = 0;  ///< "NCCL 2.28.3", "MPI through pinned memory"
  /// Returns what this rank has queued to be sent in swaps. The waiting is the device's, so that no host
  /// knows of it.
  Traffic traffic() const { return traffic_; }

 protected:
  Traffic traffic_;
};

/// Returns NCCL's, or MPI's if there is no NCCL or ranks share a device.
std::unique_ptr<DeviceExchange> make_device_exchange(const Ranks& ranks);

/// Returns NCCL's, for ranks with a device each; nullptr in a build without NCCL. Throws std::runtime_error.
std::unique_ptr<DeviceExchange> make_nccl_exchange(const Ranks& ranks);
/// Returns MPI's.
std::unique_ptr<DeviceExchange> make_staged_exchange(const Ranks& ranks);

}  // namespace halfstep::exchange
