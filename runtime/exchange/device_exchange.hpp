// Messages between the devices of ranks, in the order of a stream. Where all ranks are on one machine and
// their devices reach each other's memory, kernels write them there; else NCCL carries them, if each rank has
// a device of its own; else MPI, through pinned memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/exchange/mailboxes.hpp"
#include "runtime/exchange/notes.hpp"
#include "runtime/exchange/ranks.hpp"

namespace halfstep::exchange {

/// Words in device memory that are reduced over the ranks, element by element and in place: a sum, a maximum
/// or a minimum.
struct ReducedWords {
  std::uint64_t* words;
  std::size_t count;
  Reduction reduction;
};

/// Parcels in device memory that are sent again and again.
class Route {
 public:
  virtual ~Route() = default;
  /// Queues the exchange of all parcels to `stream`.
  virtual void swap(cudaStream_t stream) = 0;
};

/// A box of values in an array: where its first one is, and how many values lie between neighbours along y
/// and z and between fields.
struct ArrayBox {
  void* first = nullptr;
  std::int64_t stride[2] = {}, field_stride = 0;
};

/// A box of this rank's that rank `from` writes, and by the same message this rank one of `to`'s. < 0: none.
struct WindowMessage {
  int to = -1, from = -1;
  ArrayBox own = {};
};

/// Memory that kernels of other ranks write. Between begin() and end() a rank's kernels write what the others
/// read after theirs. What has been written by one window must have been read, in the order of streams,
/// before the next end() of another window or the next round of mail.
class Window {
 public:
  virtual ~Window() = default;
  /// Returns the boxes of the ranks `to`, in the order of the messages that have one.
  virtual const std::vector<ArrayBox>& theirs() const = 0;
  virtual void begin(cudaStream_t stream) = 0;
  /// Tells the others that this rank has written, and makes the stream wait until they have. A round of mail
  /// does the same.
  virtual void end(cudaStream_t stream) = 0;
  /// Returns what the next kernel of the stream has to tell and to await in place of end(), with two
  /// neighbours at most.
  virtual NotesAlongAxis notes_of_end() = 0;
};

/// All ranks make the same calls in the same order.
class DeviceExchange {
 public:
  virtual ~DeviceExchange() = default;
  /// Prepares a route. The n-th parcel that a rank has for another is the n-th that the other has from it.
  virtual std::unique_ptr<Route> route(std::vector<Parcel> parcels) = 0;
  /// Prepares a window, with messages in such an order; nullptr where kernels do not reach other ranks.
  virtual std::unique_ptr<Window> window(const std::vector<WindowMessage>&) { return nullptr; }
  /// Queues reductions to `stream`, always the same one.
  virtual void reduce(std::span<const ReducedWords> all, cudaStream_t stream) = 0;
  /// Opens a round of mail, for a kernel in the stream of the reductions; none without mailboxes.
  virtual std::optional<MailRound> open_round() { return std::nullopt; }
  /// Throws std::runtime_error if messages have failed. Called while the host waits.
  virtual void check() {}
  virtual std::string name() const = 0;  ///< e.g. "NCCL 2.28.3"
};

/// Returns the fastest that serves these ranks. HALFSTEP_MESSAGES=nccl or mpi in the first rank's environment
/// asks for a slower one. Throws std::runtime_error for one that is not there.
std::unique_ptr<DeviceExchange> make_device_exchange(const Ranks& ranks);

/// Returns that of devices which reach each other; nullptr where they do not.
std::unique_ptr<DeviceExchange> make_peer_exchange(const Ranks& ranks);
/// Returns NCCL's, for ranks with a device each; nullptr in a build without NCCL. Throws std::runtime_error.
std::unique_ptr<DeviceExchange> make_nccl_exchange(const Ranks& ranks);
/// Returns MPI's.
std::unique_ptr<DeviceExchange> make_staged_exchange(const Ranks& ranks);

}  // namespace halfstep::exchange
