// Warnings: events that should be known but need no redo. All are counted; some leave a sample.
#pragma once

#include "reporter.hpp"

namespace halfstep::soft_error {

namespace detail {

/// Adds one. Relaxed: a count orders nothing.
HALFSTEP_HD void add_one(std::uint64_t& count) {
  NearAtomic<std::uint64_t>(count).fetch_add(1, order::memory_order_relaxed);
}

/// Whether the ring has room for another sample when `head` samples have been begun. The difference is signed
/// because `head` may be older than `taken`.
HALFSTEP_HD bool has_room(std::uint64_t head, std::uint64_t taken) {
  return static_cast<std::int64_t>(head - taken) < static_cast<std::int64_t>(kSampleSlots);
}

/// Reserves a slot for the caller to write and sets `number` to its number. Returns false if none is free.
template <class Payload>
HALFSTEP_HD bool begin_sample(Near& near, Shared<Payload>& shared, std::uint64_t& number) {
  NearAtomic<std::uint64_t> head(near.head), known(near.taken);
  number = head.load(order::memory_order_relaxed);
  for (;;) {
    // Acquire, here and below, pairs with the release by which the host hands slots back after reading them.
    // The copy in near memory passes that on and avoids the bus until the ring looks full.
    if (!has_room(number, known.load(order::memory_order_acquire))) {
      const std::uint64_t taken = SharedAtomic<std::uint64_t>(shared.taken).load(order::memory_order_acquire);
      if (!has_room(number, taken)) return false;
      known.store(taken, order::memory_order_release);
    }
    // Relaxed: the swap gives the slot to one writer, whose stores are released with the slot's sequence.
    if (head.compare_exchange_weak(number, number + 1, order::memory_order_relaxed,
                                   order::memory_order_relaxed))
      return true;
  }
}

}  // namespace detail

/// Counts a warning of `kind`, 0 to 15; any other kind counts as 15.
template <class Payload>
HALFSTEP_HD void warn(const Reporter<Payload>& reporter, int kind) {
  const unsigned last = kWarningKinds - 1, wanted = static_cast<unsigned>(kind);
  detail::add_one(reporter.near->counts.warnings[wanted < last ? wanted : last]);
}

#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
/// Counts a warning of `kind` and leaves a sample of it, or counts the sample as dropped if the ring is full
/// or the channel keeps no samples. `fill(Payload&)` writes the sample in place where the host reads it,
/// starting from Payload{}; it must not throw.
template <class Payload, class Fill>
HALFSTEP_HD void warn(const Reporter<Payload>& reporter, int kind, Fill&& fill) {
  static_assert(!std::is_void_v<Payload>, "a channel without payload counts warnings and keeps no samples");
  warn(reporter, kind);
  const auto ring = static_cast<detail::SampleSlot<Payload>*>(reporter.near->ring);
  std::uint64_t number;
  if (ring == nullptr || !detail::begin_sample(*reporter.near, *reporter.shared, number))
    return detail::add_one(reporter.near->counts.dropped_samples);
  auto& slot = ring[number % kSampleSlots];
  slot.tag = reporter.tag | static_cast<Tag>(kind & kLastKind);
  slot.payload = Payload{};
  fill(slot.payload);
  // Release at system scope: a host that acquires the number reads the complete sample.
  SharedAtomic<std::uint64_t>(slot.sequence).store(number + 1, order::memory_order_release);
}

}  // namespace halfstep::soft_error
