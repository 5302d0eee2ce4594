// The processes that run a deck together ("ranks"), by MPI. A build without MPI, or a program that no MPI
// launcher started, has one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "runtime/exchange/traffic.hpp"

namespace halfstep::exchange {

/// How words of all ranks are reduced, element by element.
enum class Reduction { sum, max, min, exclusive_or };

/// Bytes that a rank sends and receives at once. `to` or `from` < 0: nothing is sent or received.
struct Parcel {
  int to = -1, from = -1;
  const void* out = nullptr;
  void* in = nullptr;
  std::size_t bytes = 0;
};

/// Parcels under way. What comes is there, and what goes may be written anew, after wait().
class Swap {
 public:
  /// Returns at once where nothing is under way.
  void wait();

 private:
  friend class Ranks;
  struct Requests;
  std::shared_ptr<Requests> requests_;
};

/// A group of ranks with messages of its own: no message of another group is taken for one of this. Calls are
/// collective but where a single peer is named. Throws std::runtime_error where MPI fails.
class Ranks {
 public:
  /// Returns all ranks of the run. The first call initialises MPI, if a launcher started this process; it is
  /// ended when the program exits.
  static const Ranks& all();

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_first() const { return rank_ == 0; }
  /// Returns this rank's number among those of its machine, and how many those are.
  int rank_on_machine() const { return rank_on_machine_; }
  int size_on_machine() const { return size_on_machine_; }
  /// Returns the name of this rank's machine.
  static std::string machine();

  /// Returns a group of the same ranks.
  Ranks duplicate() const;
  /// Returns the group of those on this rank's machine.
  Ranks on_machine() const;

  void broadcast(void* bytes, std::size_t count, int from = 0) const;
  /// `tag`: a number below 32768 that both ends name.
  void send(const void* bytes, std::size_t count, int to, int tag = 0) const;
  void receive(void* bytes, std::size_t count, int from, int tag = 0) const;
  /// Sends and receives all parcels; those between two ranks arrive in their order.
  void swap(std::span<const Parcel> parcels) const { begin_swap(parcels).wait(); }
  /// Begins to.
  Swap begin_swap(std::span<const Parcel> parcels) const;
  void reduce(std::span<std::uint64_t> words, Reduction reduction) const;
  double max(double value) const;
  /// Waits until all ranks have called it. Returns whether they have within `seconds`.
  bool meet(double seconds) const;
  /// Returns what this rank has sent in swaps of the group, and waited in its swaps and reductions.
  Traffic traffic() const;

  /// Sends the first rank a word that it does not wait for.
  void tell_first(std::int64_t word) const;
  /// Returns such a word, on the first rank, if one has come.
  std::optional<std::int64_t> told() const;

  /// Ends all ranks at once, with this exit code. Ends this one after some seconds even if the launcher does
  /// not answer.
  [[noreturn]] void abort(int code) const;

 private:
  friend class Ring;
  friend class Swap;
  struct Communicator;
  Ranks() = default;
  std::shared_ptr<Communicator> communicator_;  // nullptr: one rank
  int rank_ = 0, size_ = 1, rank_on_machine_ = 0, size_on_machine_ = 1;
};

/// Ends MPI at the end of main(), if it was initialised. Ranks that end by an exception call abort() instead.
class RanksAtEnd {
 public:
  ~RanksAtEnd();
};

}  // namespace halfstep::exchange
