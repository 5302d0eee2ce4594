// The memory of a channel: a block beside the kernels, and one that the host reads without asking anybody.
#pragma once

#include <cstdint>
#include <type_traits>

#include "../device/atomic.hpp"
#include "tag.hpp"

namespace halfstep::soft_error {

inline constexpr int kWarningKinds = 16;
/// Samples that warnings can leave before the host drains them, in a channel that keeps any.
inline constexpr std::uint64_t kSampleSlots = 256;

/// Makes a channel keep samples: `DeviceChannel<Payload> channel(keep_samples);`
struct KeepSamples {};
inline constexpr KeepSamples keep_samples;

/// What warnings add up to; nothing ever sets it back.
struct Counts {
  std::uint64_t warnings[kWarningKinds] = {};  ///< by kind
  std::uint64_t dropped_samples = 0;           ///< those that found the ring full, or none

  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (std::uint64_t warnings_of_kind : warnings) sum += warnings_of_kind;
    return sum;
  }
};

namespace detail {

/// Beside the kernels: everything that takes a read-modify-write.
struct Near {
  /// The newest raise. Every kernel looks at it, so it shares its line with nothing.
  alignas(128) Tag word = 0;
  alignas(128) unsigned publishing = 0;  ///< 1 while a winner shows its raise to the host
  std::uint64_t live_epoch = 1;          ///< for live reporters
  std::uint64_t head = 0;                ///< samples ever begun
  std::uint64_t taken = 0;               ///< samples known to have been drained
  void* ring = nullptr;                  ///< SampleSlot<Payload>[kSampleSlots] that the host reads, or none
  Counts counts;
};

template <class Payload>
struct SampleSlot {
  std::uint64_t sequence = 0;  ///< n + 1 once the n-th sample is whole
  Tag tag = 0;
  Payload payload{};
};

/// Where the host can read: devices store and load here, and leave read-modify-writes to near memory, because
/// across the bus they are slow where they are atomic at all.
template <class Payload>
struct Shared {
  alignas(128) Tag published = 0;  ///< the newest raise whose payload is whole
  Payload payload{};
  alignas(128) std::uint64_t taken = 0;  ///< samples drained; the host's to write
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
