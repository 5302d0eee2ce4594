// The host's end of a channel: owns the memory, hands out reporters, polls and takes soft errors.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "warn.hpp"

namespace halfstep::soft_error {

/// A soft error as the host sees it; converts to false if there is none.
struct Raise {
  std::uint64_t epoch = 0;
  int stage = 0;
  int kind = 0;
  explicit operator bool() const { return epoch != 0; }
};

inline Raise raise_of(Tag tag) { return {epoch_of(tag), stage_of(tag), kind_of(tag)}; }

/// A soft error or a sample of a warning, with the payload that its lambda wrote.
template <class Payload>
struct Record : Raise {
  Payload payload;
};
template <>
struct Record<void> : Raise {};

/// A channel over `Memory`, which owns the two blocks (on the host or on a device) and the ring if samples
/// are kept. Movable.
///
/// poll() and counts() may be called by any thread at any time, the other calls by one thread at a time.
/// Reporters may be in use by any number of threads, kernels and streams meanwhile. A channel must outlive
/// the kernels that hold its reporters.
template <class Payload, class Memory>
class BasicChannel {
 public:
  BasicChannel() = default;
  /// Keeps samples of warnings for samples(), in a ring of kSampleSlots payloads.
  explicit BasicChannel(KeepSamples) requires(!std::is_void_v<Payload>) : memory_(keep_samples) {}

  /// Returns a handle for stage 1 of the current epoch.
  Reporter<Payload> reporter() const { return reporter(epoch(), 1); }

  /// Returns a handle for a stage, 0 to 255, of an epoch that the caller counts, not before the current one.
  /// The epoch may lie ahead of the channel if its kernels run after those of all earlier epochs, as on one
  /// stream; the host then sees only the first raise. Throws std::invalid_argument.
  Reporter<Payload> reporter(std::uint64_t epoch, int stage) const {
    check(epoch);
    if (stage < 0 || stage > kLastStage) throw std::invalid_argument("soft error: a stage is 0 to 255");
    return {memory_.near(), memory_.shared(), since(), make_tag(epoch, stage)};
  }

  std::uint64_t epoch() const { return epoch_of(since()); }

  /// Returns the soft error that has not been taken yet, with two plain loads. It is certain to be visible
  /// once the kernels of its epoch have been waited for, and may be visible long before.
  Raise poll() const {
    const Tag seen = published();
    return seen >= since() ? raise_of(seen) : Raise{};
  }

  /// Returns the soft error that poll() sees, with its payload, and moves the channel on to the next epoch.
  /// From then on the error counts as dealt with.
  ///
  /// Reporters handed out earlier, including those of later epochs, do not notice: for them the error still
  /// stands, and their raises are not seen. Whatever was launched with them must be launched again with
  /// reporters handed out after this call, before an empty poll() means success.
  std::optional<Record<Payload>> take() {
    const Tag seen = published();
    if (seen < since()) return {};
    Record<Payload> record;
    static_cast<Raise&>(record) = raise_of(seen);
    // No winner writes the payload now. A winner of this epoch has finished, and one of a later epoch needs a
    // reporter that knows this epoch to be over, which exists only after this call.
    if constexpr (!std::is_void_v<Payload>) record.payload = memory_.host().payload;
    next_epoch(record.epoch + 1);
    return record;
  }

  /// Begins the next epoch: raises of earlier epochs count as dealt with, however late they arrive. Nothing
  /// is written where kernels read; reporters handed out from now on carry the new epoch.
  void next_epoch() { next_epoch(epoch() + 1); }
  /// Begins `epoch`, for a caller that counts epochs; they never decrease. Throws std::invalid_argument.
  void next_epoch(std::uint64_t epoch) {
    check(epoch);
    // Relaxed: only this thread depends on it, others just poll.
    std::atomic_ref(since_).store(make_tag(epoch, 0), std::memory_order_relaxed);
  }

  /// Returns the warnings so far; may be called while kernels run.
  Counts counts() const { return memory_.counts(); }

  /// Returns the samples that warnings have left since the last call, oldest first; empty if none are kept.
  std::vector<Record<Payload>> samples() requires(!std::is_void_v<Payload>) {
    std::vector<Record<Payload>> drained;
    detail::Ring<Payload>* ring = memory_.ring();
    if (ring == nullptr) return drained;
    for (;; ++taken_) {
      auto& slot = ring->slots[taken_ % kSampleSlots];
      // Acquire: the sample is complete.
      if (std::atomic_ref(slot.sequence).load(std::memory_order_acquire) != taken_ + 1) break;
      drained.emplace_back();
      static_cast<Raise&>(drained.back()) = raise_of(slot.tag);
      drained.back().payload = slot.payload;
    }
    // Release: the slots have been read before a kernel learns that they are free.
    std::atomic_ref(memory_.host().taken).store(taken_, std::memory_order_release);
    return drained;
  }

 protected:
  Memory memory_;

 private:
  Tag published() const {
    // Acquire: the payload can be read.
    return std::atomic_ref(memory_.host().published).load(std::memory_order_acquire);
  }
  Tag since() const { return std::atomic_ref(since_).load(std::memory_order_relaxed); }
  void check(std::uint64_t epoch) const {
    if (epoch < this->epoch() || epoch > kLastEpoch)
      throw std::invalid_argument("soft error: epochs only grow, up to 2^48");
  }

  mutable Tag since_ = make_tag(1, 0);  // mutable only for atomic_ref
  std::uint64_t taken_ = 0;
};

/// Both blocks in ordinary memory, for kernels that run on host threads.
template <class Payload>
class HostMemory {
 public:
  HostMemory() = default;
  explicit HostMemory(KeepSamples) : ring_(std::make_unique<detail::Ring<Payload>>()) {
    near()->ring = ring_->slots;
  }

  detail::Near* near() const { return &blocks_->near; }
  detail::Shared<Payload>* shared() const { return &blocks_->shared; }
  detail::Shared<Payload>& host() const { return blocks_->shared; }
  detail::Ring<Payload>* ring() const { return ring_.get(); }

  Counts counts() const {
    const auto read = [](std::uint64_t& n) { return std::atomic_ref(n).load(std::memory_order_relaxed); };
    Counts& from = near()->counts;
    Counts counts;
    for (int kind = 0; kind < kWarningKinds; ++kind) counts.warnings[kind] = read(from.warnings[kind]);
    counts.dropped_samples = read(from.dropped_samples);
    return counts;
  }

 private:
  struct Blocks {
    detail::Near near;
    detail::Shared<Payload> shared;
  };
  std::unique_ptr<Blocks> blocks_ = std::make_unique<Blocks>();
  std::unique_ptr<detail::Ring<Payload>> ring_;
};

/// A channel for kernels that run on host threads.
template <class Payload = void>
using HostChannel = BasicChannel<Payload, HostMemory<Payload>>;

}  // namespace halfstep::soft_error
