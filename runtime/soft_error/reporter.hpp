// The kernel's end of a channel: a handle of four words, passed by value.
#pragma once

#include <thread>

#include "blocks.hpp"

namespace halfstep::soft_error {

template <class Payload = void>
struct Reporter;

namespace detail {

template <class Payload>
HALFSTEP_HD void cancel_later(const Reporter<Payload>& reporter);

/// Lets the thread that is waited for run.
HALFSTEP_HD void step_aside() {
#if !defined(__CUDA_ARCH__)
  std::this_thread::yield();
#endif
}

}  // namespace detail

/// Raises soft errors and warns in the name of one stage of one epoch.
///
/// A word beside the kernels takes the first raise by compare-and-swap; the winner writes the payload and
/// shows the raise to the host. A raise older than `since` has been dealt with and counts as none, so nothing
/// ever has to be cleared. Payload: trivially copyable, or void.
template <class Payload>
struct Reporter {
  static_assert(std::is_void_v<Payload> || std::is_trivially_copyable_v<Payload>,
                "a payload is written on one processor and read on another");

  detail::Near* near = nullptr;
  detail::Shared<Payload>* shared = nullptr;
  Tag since = 0;
  Tag tag = 0;

  /// Whether an earlier stage or another epoch has raised: the caller's results are not wanted, so the kernel
  /// may return at once. One look at the start of a kernel. (An epoch that is not over yet has raised only if
  /// this one is.)
  HALFSTEP_HD bool cancelled() const {
    const Tag seen = newest();
    return seen >= since && (seen < tag || epoch_of(seen) != epoch_of(tag));
  }

  /// Whether this stage of this epoch has raised, or a later one.
  HALFSTEP_HD bool raised() const {
    const Tag seen = newest();
    return seen >= since && seen >= tag;
  }

  /// Raises a soft error of `kind`, 0 to 255; a payload is the default one. The host sees the first.
  HALFSTEP_HD void raise(int kind = 0) const {
    if (!begin_raise(kind)) return;
    if constexpr (!std::is_void_v<Payload>) shared->payload = Payload{};
    end_raise(kind);
  }

 private:
  template <class P, class Fill>
  friend HALFSTEP_HD void report_first_error(const Reporter<P>& reporter, int kind, Fill&& fill);
  template <class P>
  friend HALFSTEP_HD void detail::cancel_later(const Reporter<P>& reporter);

  /// True for the first arrival, unless its epoch is over by now: it writes the payload and calls
  /// end_raise().
  ///
  /// Winners of different epochs may be here at once: the host moves on when it likes, and an old winner can
  /// be held up anywhere. So they go one at a time, and one that finds a newer tag in the word leaves: its
  /// epoch has been dealt with, or the newer reporter would not exist. Hence what the host sees never goes
  /// back, a payload is only overwritten by a winner whose reporter was made after the host was done with it,
  /// and a raise is visible when its kernel has ended, even to a host that looks but once. Whoever waits here
  /// waits for a thread that runs already, and no longer than it takes to write a payload.
  HALFSTEP_HD bool begin_raise(int kind) const {
    const Tag mine = tag_of(kind);
    if (!claim(mine)) return false;
    // Acquire, with the release below: this winner sees the word as the one before it left it, and its stores
    // come after that one's.
    while (NearAtomic<unsigned>(near->publishing).exchange(1, order::memory_order_acquire))
      detail::step_aside();
    if (newest() == mine) return true;
    leave();
    return false;
  }

  HALFSTEP_HD void end_raise(int kind) const {
    // Release at system scope: a host that acquires the tag reads the whole payload, and whatever else the
    // thread wrote before.
    SharedAtomic<Tag>(shared->published).store(tag_of(kind), order::memory_order_release);
    leave();
  }

  HALFSTEP_HD Tag tag_of(int kind) const { return tag | static_cast<Tag>(kind & kLastKind); }

  /// Relaxed: whoever asks only saves work by the answer; what a failed stage wrote is ordered by the stream.
  HALFSTEP_HD Tag newest() const { return NearAtomic<Tag>(near->word).load(order::memory_order_relaxed); }

  /// Whether the caller is the first to raise since `since`. It looks before it swaps, so that a thousand
  /// failing threads cost a thousand loads and not a thousand atomics, and one lane of a warp swaps for those
  /// beside it: they look again and find its raise. (Should they hold another channel's reporter, they do
  /// not, and choose another lane.)
  HALFSTEP_HD bool claim(Tag mine) const {
    NearAtomic<Tag> word(near->word);
    Tag seen = word.load(order::memory_order_relaxed);
    while (seen < since) {
      if (!leads_its_warp()) seen = word.load(order::memory_order_relaxed);
      // Relaxed: the swap only decides who wins; begin_raise() orders what winners write.
      else if (word.compare_exchange_weak(seen, mine, order::memory_order_relaxed,
                                          order::memory_order_relaxed))
        return true;
    }
    return false;
  }

  HALFSTEP_HD void leave() const {
    NearAtomic<unsigned>(near->publishing).store(0, order::memory_order_release);
  }
};

static_assert(sizeof(Reporter<>) == 32 && sizeof(Reporter<int>) == 32, "passed to kernels by value");
static_assert(std::is_trivially_copyable_v<Reporter<>> && std::is_trivially_copyable_v<Reporter<int>>);

/// Raises a soft error of `kind`, 0 to 255, without more words.
template <class Payload>
HALFSTEP_HD void raise(const Reporter<Payload>& reporter, int kind = 0) {
  reporter.raise(kind);
}

// `fill` may be a function of the device alone; then so is what calls it.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
/// Raises a soft error of `kind`, 0 to 255; `fill(Payload&)` writes the payload where the host will read it,
/// starting from Payload{}. It is called by the first arrival alone, and must not throw.
template <class Payload, class Fill>
HALFSTEP_HD void report_first_error(const Reporter<Payload>& reporter, int kind, Fill&& fill) {
  static_assert(!std::is_void_v<Payload>, "a channel without payload has raise()");
  if (!reporter.begin_raise(kind)) return;
  reporter.shared->payload = Payload{};
  fill(reporter.shared->payload);
  reporter.end_raise(kind);
}

#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
/// The same with the kind last, 0 where it does not matter.
template <class Payload, class Fill>
HALFSTEP_HD void report_first_error(const Reporter<Payload>& reporter, Fill&& fill, int kind = 0) {
  report_first_error(reporter, kind, static_cast<Fill&&>(fill));
}

namespace detail {

/// Cancels later epochs without a raise for the host to see. For the last kernel of an epoch: raises that
/// come after it in its own epoch are not seen.
template <class Payload>
HALFSTEP_HD void cancel_later(const Reporter<Payload>& reporter) {
  reporter.claim(make_tag(epoch_of(reporter.tag), kLastStage));
}

}  // namespace detail

}  // namespace halfstep::soft_error
