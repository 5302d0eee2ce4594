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

/// Yields on the host, so that the thread that is being waited for can run.
HALFSTEP_HD void step_aside() {
#if !defined(__CUDA_ARCH__)
  std::this_thread::yield();
#endif
}

}  // namespace detail

/// Raises soft errors and counts warnings on behalf of one stage of one epoch.
///
/// A word in near memory takes the first raise by compare-and-swap; the winner writes the payload and
/// publishes the raise to the host. A raise older than `since` has been dealt with and is ignored, so nothing
/// ever has to be cleared. Payload: trivially copyable, or void.
template <class Payload>
struct Reporter {
  static_assert(std::is_void_v<Payload> || std::is_trivially_copyable_v<Payload>,
                "a payload is written on one processor and read on another");

  detail::Near* near = nullptr;
  detail::Shared<Payload>* shared = nullptr;
  Tag since = 0;
  Tag tag = 0;

  /// Whether an earlier stage or another epoch has raised. The caller's results are then not wanted and the
  /// kernel may return at once. Call it once, at the start of a kernel. (A later epoch can have raised only
  /// if this one is over.)
  HALFSTEP_HD bool cancelled() const { return is_cancelled_by(newest()); }

  /// As cancelled(), for a kernel in which every warp asks: it sees what was raised before the kernel began,
  /// but perhaps not what is raised meanwhile. The answer comes from the cache of a multiprocessor; that of
  /// cancelled() comes from the one place of the second cache that has the word, where thousands would queue.
  HALFSTEP_HD bool was_cancelled() const {
#if defined(__CUDA_ARCH__)
    return is_cancelled_by(near->word);  // a benign race: an older tag or a newer one
#else
    return cancelled();
#endif
  }

  /// Whether this stage of this epoch, or a later one, has raised.
  HALFSTEP_HD bool raised() const {
    const Tag seen = newest();
    return seen >= since && seen >= tag;
  }

  /// Returns the stage of this epoch that has raised; 0 if none has.
  HALFSTEP_HD int raised_stage() const {
    const Tag seen = newest();
    return seen >= since && epoch_of(seen) == epoch_of(tag) ? stage_of(seen) : 0;
  }

  /// Takes back what this stage of this epoch has raised, because it was found to be no error. What an
  /// earlier raise has cancelled stays cancelled, since it may still be queued on another stream. No other
  /// kernel that can raise may run meanwhile, and the host must not have been told to look yet.
  HALFSTEP_HD void withdraw() const {
    const Tag seen = newest();
    if (seen < since || epoch_of(seen) != epoch_of(tag) || stage_of(seen) != stage_of(tag)) return;
    SharedAtomic<Tag>(shared->published).store(0, order::memory_order_release);
    NearAtomic<Tag>(near->word).store(near->overwritten, order::memory_order_relaxed);
  }

  /// Raises a soft error of `kind`, 0 to 255, with a default payload. The host sees only the first raise.
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

  /// Whether the caller is the first to raise and its epoch is not over; it must then write the payload and
  /// call end_raise().
  ///
  /// Winners of different epochs may be here at once, because the host may move on at any time and an old
  /// winner can be delayed anywhere. They therefore take turns, and a winner that finds a newer tag in the
  /// word leaves: its epoch has been dealt with, or the newer reporter would not exist. Hence what the host
  /// sees never goes back, a payload is overwritten only by a winner whose reporter was made after the host
  /// had taken it, and a raise is visible when its kernel has ended, even to a host that polls only once. A
  /// waiting winner waits for a thread that is already running, for no longer than it takes to write a
  /// payload.
  HALFSTEP_HD bool begin_raise(int kind) const {
    const Tag mine = tag_of(kind);
    Tag overwritten = 0;
    if (!claim(mine, overwritten)) return false;
    // Acquire, pairs with the release below: this winner sees the word as the previous one left it, and its
    // stores come after those of the previous one.
    while (NearAtomic<unsigned>(near->publishing).exchange(1, order::memory_order_acquire))
      detail::step_aside();
    if (newest() == mine) {
      near->overwritten = overwritten;
      return true;
    }
    leave();
    return false;
  }

  HALFSTEP_HD void end_raise(int kind) const {
    // Release at system scope: a host that acquires the tag reads the complete payload, and everything else
    // that the thread wrote before.
    SharedAtomic<Tag>(shared->published).store(tag_of(kind), order::memory_order_release);
    leave();
  }

  HALFSTEP_HD bool is_cancelled_by(Tag seen) const {
    return seen >= since && (seen < tag || epoch_of(seen) != epoch_of(tag));
  }

  HALFSTEP_HD Tag tag_of(int kind) const { return tag | static_cast<Tag>(kind & kLastKind); }

  /// Returns the newest tag. Relaxed: it only saves work; the stream orders what a failed stage wrote.
  HALFSTEP_HD Tag newest() const { return NearAtomic<Tag>(near->word).load(order::memory_order_relaxed); }

  /// Whether the caller is the first to raise since `since`; `overwritten` is then the tag before its own. It
  /// loads before it swaps, so a thousand failing threads cost a thousand loads rather than a thousand
  /// atomics. One lane of a warp swaps for the others, which load again and find its raise. (Lanes with
  /// another channel's reporter do not, and elect another lane.)
  HALFSTEP_HD bool claim(Tag mine, Tag& overwritten) const {
    NearAtomic<Tag> word(near->word);
    overwritten = word.load(order::memory_order_relaxed);
    while (overwritten < since) {
      if (!leads_its_warp()) overwritten = word.load(order::memory_order_relaxed);
      // Relaxed: the swap only decides the winner; begin_raise() orders what winners write.
      else if (word.compare_exchange_weak(overwritten, mine, order::memory_order_relaxed,
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

/// Raises a soft error of `kind`, 0 to 255, with a default payload.
template <class Payload>
HALFSTEP_HD void raise(const Reporter<Payload>& reporter, int kind = 0) {
  reporter.raise(kind);
}

// `fill` may be a device-only function; then so must be the caller.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
/// Raises a soft error of `kind`, 0 to 255. `fill(Payload&)` writes the payload in place where the host reads
/// it, starting from Payload{}. Only the first arrival calls it; it must not throw.
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
/// The same with the kind last, for callers that need none.
template <class Payload, class Fill>
HALFSTEP_HD void report_first_error(const Reporter<Payload>& reporter, Fill&& fill, int kind = 0) {
  report_first_error(reporter, kind, static_cast<Fill&&>(fill));
}

namespace detail {

/// Cancels later epochs without a raise that the host sees. For the last kernel of an epoch: later raises of
/// the same epoch are not seen.
template <class Payload>
HALFSTEP_HD void cancel_later(const Reporter<Payload>& reporter) {
  Tag overwritten = 0;
  reporter.claim(make_tag(epoch_of(reporter.tag), kLastStage), overwritten);
}

}  // namespace detail

}  // namespace halfstep::soft_error
