// The memory of a channel: one block near the kernels, and one that the host reads without a CUDA call.
#pragma once

#include <cstdint>
#include <type_traits>

#include "../device/atomic.hpp"
#include "tag.hpp"

namespace halfstep::soft_error {

inline constexpr int kWarningKinds = 16;
/// Capacity of the ring of samples: warnings can leave this many before the host drains them.
inline constexpr std::uint64_t kSampleSlots = 256;

/// Tag type that makes a channel keep samples: `DeviceChannel<Payload> channel(keep_samples);`
struct KeepSamples {};
inline constexpr KeepSamples keep_samples;

/// Warning counts since the channel was made; they are never reset.
struct Counts {
  std::uint64_t warnings[kWarningKinds] = {};  ///< by kind
  std::uint64_t dropped_samples = 0;           ///< found the ring full, or no ring

  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (std::uint64_t warnings_of_kind : warnings) sum += warnings_of_kind;
    return sum;
  }
};

namespace detail {

/// The block in the memory of the processor that runs the kernels; all read-modify-writes happen here.
struct Near {
  /// The newest raise. Every kernel reads it, so it shares its cache line with nothing.
  alignas(128) Tag word = 0;
  alignas(128) unsigned publishing = 0;  ///< 1 while a winner publishes its raise
  Tag overwritten = 0;                   ///< what the newest published raise has overwritten in the word
  std::uint64_t live_epoch = 1;          ///< epoch of live reporters
  std::uint64_t head = 0;                ///< samples begun so far
  std::uint64_t taken = 0;               ///< samples known to be drained
  void* ring = nullptr;  ///< SampleSlot<Payload>[kSampleSlots] in host-readable memory, or null
  Counts counts;
};

template <class Payload>
struct SampleSlot {
  std::uint64_t sequence = 0;  ///< n + 1 once the n-th sample is complete
  Tag tag = 0;
  Payload payload{};
};

/// The block in memory that the host can read. Devices only store and load here and do their
/// read-modify-writes in near memory: across the bus those are slow, if they are atomic at all.
template <class Payload>
struct Shared {
  alignas(128) Tag published = 0;  ///< the newest raise whose payload is complete
  Payload payload{};
  alignas(128) std::uint64_t taken = 0;  ///< samples drained; written by the host
};
template <>
struct Shared<void> {
  alignas(128) Tag published = 0;
};

template <class Payload>
struct Ring {
  SampleSlot<Payload> slots[kSampleSlots];
};
template <>
struct Ring<void> {};

}  // namespace detail

}  // namespace halfstep::soft_error
