// Messages between the devices of ranks, in the order of a stream. Where all ranks are on one machine and
// their devices reach each other's memory, they are written there; else NCCL carries them, if each rank has a
// device of its own; else MPI, through pinned memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/exchange/mailboxes.hpp"
#include "runtime/exchange/ranks.hpp"

namespace halfstep::exchange {

/// Words in device memory that are reduced over the ranks, element by element and in place.
struct ReducedWords {
  std::uint64_t* words;
  std::size_t count;
  Reduction reduction;
};

/// Device memory that a rank sends and receives at once: rows of `bytes`, `out_pitch` and `in_pitch` bytes
/// apart. `to` or `from` < 0: nothing is sent or received.
struct DeviceParcel {
  int to = -1, from = -1;
  const void* out = nullptr;
  void* in = nullptr;
  std::size_t bytes = 0;
  std::size_t rows = 1, out_pitch = 0, in_pitch = 0;
};

/// Parcels that are sent again and again.
class Route {
 public:
  virtual ~Route() = default;
  /// Queues the exchange of all parcels to `stream`. What came with the last exchange, of whatever route,
  /// must have been read in the order of streams.
  virtual void swap(cudaStream_t stream) = 0;
  /// Does the same beside kernels of other streams, if it can without their multiprocessors.
  virtual void swap_beside(cudaStream_t stream) { swap(stream); }
};

/// All ranks make the same calls in the same order.
class DeviceExchange {
 public:
  virtual ~DeviceExchange() = default;
  /// Whether parcels may have several rows.
  virtual bool takes_rows() const { return false; }
  /// Prepares a route. The n-th parcel that a rank has for another is the n-th that the other has from it.
  virtual std::unique_ptr<Route> route(std::vector<DeviceParcel> parcels) = 0;
  /// Queues reductions to `stream`, always the same one.
  virtual void reduce(std::span<const ReducedWords> all, cudaStream_t stream) = 0;
  /// Opens a round of mail, for a kernel in the stream of the reductions; none without mailboxes.
  virtual std::optional<MailRound> open_round() { return std::nullopt; }
  /// Throws std::runtime_error if messages have failed. Called while the host waits.
  virtual void check() {}
  virtual std::string name() const = 0;  ///< e.g. "NCCL 2.28.3"
};

/// Returns the fastest that serves these ranks. HALFSTEP_MESSAGES=nccl or mpi in the environment asks for a
/// slower one. Throws std::runtime_error for one that is not there.
std::unique_ptr<DeviceExchange> make_device_exchange(const Ranks& ranks);

/// Returns that of devices which reach each other; nullptr where they do not, or where ranks share one.
std::unique_ptr<DeviceExchange> make_peer_exchange(const Ranks& ranks);
/// Returns NCCL's, for ranks with a device each; nullptr in a build without NCCL. Throws std::runtime_error.
std::unique_ptr<DeviceExchange> make_nccl_exchange(const Ranks& ranks);
/// Returns MPI's.
std::unique_ptr<DeviceExchange> make_staged_exchange(const Ranks& ranks);

}  // namespace halfstep::exchange
