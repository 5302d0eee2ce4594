// Mailboxes of ranks in each other's device memory, by which kernels of different devices tell each other a
// few words. A word travels as two halves, each stored together with the number of its round, so that no
// fence is needed: what NCCL calls its low-latency protocol. Include it only in files compiled by nvcc.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/device/atomic.hpp"
#include "runtime/exchange/notes.hpp"

namespace halfstep::exchange {

/// The mailboxes of all ranks of a machine, as one of its devices sees them.
struct Mailboxes {
  static constexpr int kMostRanks = 16;
  static constexpr int kWords = 256;  // that a rank sends in a round

  struct Word {
    std::uint64_t halves[2];
  };

  Word* of_rank[kMostRanks];
  std::uint64_t* waited;  ///< nanoseconds that this rank's kernels have waited for others
  int rank, ranks;

  /// Returns how many Words a rank has in its device's memory, for all senders. Rounds alternate between two
  /// sets: a rank that begins a round knows that all others have ended the one before the last.
  static std::size_t words(int ranks) { return std::size_t{2} * ranks * kWords; }

  /// Sends word n of this rank to all others.
  __device__ void send(std::uint32_t round, int n, std::uint64_t word) const {
    for (int to = 0; to < ranks; ++to) {
      if (to == rank) continue;
      Word& box = at(to, rank, round, n);
      store(box.halves[0], round, static_cast<std::uint32_t>(word));
      store(box.halves[1], round, static_cast<std::uint32_t>(word >> 32));
    }
  }

  /// Waits for word n of another rank.
  __device__ std::uint64_t receive(std::uint32_t round, int n, int from) const {
    Word& box = at(rank, from, round, n);
    const std::uint64_t low = wait(box.halves[0], round), high = wait(box.halves[1], round);
    return high << 32 | low;
  }

  /// Sends word n, and returns it reduced with those of all other ranks.
  template <class Reduce>
  __device__ std::uint64_t reduce(std::uint32_t round, int n, std::uint64_t word, Reduce reduce) const {
    send(round, n, word);
    for (int from = 0; from < ranks; ++from)
      if (from != rank) word = reduce(word, receive(round, n, from));
    return word;
  }

 private:
  using Half = cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>;

  __device__ Word& at(int owner, int sender, std::uint32_t round, int n) const {
    return of_rank[owner][((round % 2) * ranks + sender) * kWords + n];
  }
  static __device__ void store(std::uint64_t& half, std::uint32_t round, std::uint32_t bits) {
    Half(half).store(std::uint64_t{round} << 32 | bits, cuda::memory_order_relaxed);
  }
  static __device__ std::uint32_t wait(std::uint64_t& half, std::uint32_t round) {
    std::uint64_t found = 0;
    do found = Half(half).load(cuda::memory_order_relaxed);
    while (found >> 32 != round);
    return static_cast<std::uint32_t>(found);
  }
};

/// A round of mail. All ranks open their rounds in the same order, and each round is used by one kernel.
struct MailRound {
  Mailboxes boxes;
  std::uint32_t number;
};

}  // namespace halfstep::exchange
