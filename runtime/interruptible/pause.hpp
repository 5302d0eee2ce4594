// The pause word: the host sets it at any moment, and kernels leave at their next safe point. Back the other
// way comes the progress.
#pragma once

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

#include "../device/atomic.hpp"
#include "limits.hpp"

namespace halfstep::interruptible {

namespace detail {

inline constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
/// Between two looks at the pause word, which from a device go over the bus.
inline constexpr std::uint64_t kNanosecondsBetweenLooks = 20'000;

/// Beside the kernels: the state of a slice.
struct Near {
  alignas(128) std::uint32_t ends = 0;  ///< 1: somebody has found that the slice is to end
  std::uint32_t late_start = 0;         ///< 1: the one late start of a slice has been taken
  std::uint64_t deadline = kNever;      ///< by nanoseconds_now()
  std::uint64_t next_look = 0;          ///< by nanoseconds_now(); kNever while somebody looks
  std::int64_t most = 0;                ///< of the progress in this slice
  alignas(128) std::int64_t done = 0;   ///< threads finished or tiles taken, those beyond `most` too
};

/// Where the host reads and writes at any time.
struct Shared {
  alignas(64) std::uint32_t pause = 0;  ///< the host's to write
  std::int64_t launches = 0;            ///< the host's to write
  alignas(64) std::int64_t done = 0;    ///< the progress of a moment ago
  std::int32_t lost = 0;                ///< Resumable::resume_at of a record that nobody can go on from
};

/// The clock of a device, the same on all its multiprocessors; on the host the steady clock.
HALFSTEP_HD std::uint64_t nanoseconds_now() {
#if defined(__CUDA_ARCH__)
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
#else
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
#endif
}

/// Before the kernel of the slice starts. `nanoseconds`: its budget, 0 = none. The progress is `done`, and
/// `most` at most.
HALFSTEP_HD void open_slice(Near& near, std::uint64_t nanoseconds, std::int64_t done, std::int64_t most) {
  near.ends = 0;
  near.late_start = 0;
  near.deadline = nanoseconds == 0 ? kNever : nanoseconds_now() + nanoseconds;
  near.next_look = 0;
  near.done = done;
  near.most = most;
}

/// Shows the host the progress; after the kernel of the slice has ended it is exact. Whoever came for a tile
/// when none was left is counted in `done`, so it is cut off here, before the host can see it.
HALFSTEP_HD void publish_progress(Near& near, Shared& shared) {
  // Relaxed: a count orders nothing, and the host waits for the slice before it reads what that wrote.
  const std::int64_t done = NearAtomic<std::int64_t>(near.done).load(order::memory_order_relaxed);
  SharedAtomic<std::int64_t>(shared.done)
      .store(done < near.most ? done : near.most, order::memory_order_relaxed);
}

}  // namespace detail

/// A kernel's end of it: two words, passed by value.
struct PauseView {
  detail::Near* near = nullptr;
  detail::Shared* shared = nullptr;

  /// Whether this launch should end: somebody asked for a pause, or its time is used up. Ask at a safe point.
  ///
  /// Nearly always this is a look at memory of the device and at its clock. The pause word is over the bus,
  /// so one thread looks there for all, every 20 us, and takes the progress along.
  HALFSTEP_HD bool due() const {
    using namespace detail;
    NearAtomic<std::uint32_t> ends(near->ends);
    NearAtomic<std::uint64_t> next_look(near->next_look);
    // The loads come first, so that their ways to memory and back are one. Relaxed, all that concern `ends`:
    // a thread that leaves saves its own work, which is ordered by the end of the kernel.
    const bool ended = ends.load(order::memory_order_relaxed) != 0;
    std::uint64_t seen = next_look.load(order::memory_order_relaxed);
    const std::uint64_t deadline = near->deadline, now = nanoseconds_now();
    if (ended) return true;
    if (now >= deadline) {
      ends.store(1, order::memory_order_relaxed);
      return true;
    }
    if (now < seen || !leads_its_warp()) return false;
    // Acquire, with the release below: the stores of one who looks come after those of the one before, so
    // that the progress never goes back.
    if (!next_look.compare_exchange_strong(seen, kNever, order::memory_order_acquire,
                                           order::memory_order_relaxed))
      return false;
    publish_progress(*near, *shared);
    // Relaxed: the word says all there is to know.
    const bool asked = SharedAtomic<std::uint32_t>(shared->pause).load(order::memory_order_relaxed) != 0;
    if (asked) ends.store(1, order::memory_order_relaxed);
    next_look.store(now + kNanosecondsBetweenLooks, order::memory_order_release);
    return asked;
  }

  /// Whether somebody who has not begun yet should: not when the slice is to end, but for one, so that every
  /// launch gets something done however early it is told to end.
  HALFSTEP_HD bool may_start() const {
    if (!due()) return true;
    NearAtomic<std::uint32_t> taken(near->late_start);
    return taken.load(order::memory_order_relaxed) == 0 &&
           taken.exchange(1, order::memory_order_relaxed) == 0;
  }

  HALFSTEP_HD void add_done(std::int64_t count) const {
    NearAtomic<std::int64_t>(near->done).fetch_add(count, order::memory_order_relaxed);
  }

  /// Tells the host of a record that nobody can go on from. Relaxed: the host looks after the slice.
  HALFSTEP_HD void report_lost(std::int32_t resume_at) const {
    SharedAtomic<std::int32_t>(shared->lost).store(resume_at, order::memory_order_relaxed);
  }
};

/// The host's end. `Memory` owns the two blocks: of the host, or of a device. Movable, while nothing runs.
template <class Memory>
class BasicPause {
 public:
  // These may be called at any moment, by any thread, and by a signal handler: each is one load or store.

  /// Kernels end at their next safe points, until it is withdrawn.
  void request() { word().store(1, std::memory_order_relaxed); }
  void withdraw() { word().store(0, std::memory_order_relaxed); }
  bool requested() const { return word().load(std::memory_order_relaxed) != 0; }
  /// While a kernel runs: what it was a moment ago, if the kernel meets safe points.
  std::int64_t done() const { return count(memory_.host().done).load(std::memory_order_relaxed); }
  /// Slices since restart().
  std::int64_t launches() const { return count(memory_.host().launches).load(std::memory_order_relaxed); }

  // These are not for while a slice is under way.

  void set_done(std::int64_t done) { count(memory_.host().done).store(done, std::memory_order_relaxed); }
  /// From `done` on; launches are counted anew.
  void restart(std::int64_t done = 0) {
    set_done(done);
    count(memory_.host().launches).store(0, std::memory_order_relaxed);
    memory_.host().lost = 0;
  }
  /// Throws std::runtime_error if a slice since restart() has met a record that nobody can go on from.
  void require_none_lost() const {
    if (const std::int32_t lost = memory_.host().lost; lost != 0)
      throw std::runtime_error("interruptible: a record is to go on at safe point " + std::to_string(~lost) +
                               ", which its body does not have; records() has it with resume_at " +
                               std::to_string(lost));
  }

  PauseView view() const { return {memory_.near(), memory_.shared()}; }

 protected:
  void count_launch() { count(memory_.host().launches).fetch_add(1, std::memory_order_relaxed); }

  Memory memory_;

 private:
  static_assert(std::atomic_ref<std::uint32_t>::is_always_lock_free, "a signal handler sets the pause word");
  std::atomic_ref<std::uint32_t> word() const { return std::atomic_ref(memory_.host().pause); }
  static std::atomic_ref<std::int64_t> count(std::int64_t& n) { return std::atomic_ref(n); }
};

namespace detail {

/// Both blocks in ordinary memory, for kernels that run on host threads.
class HostMemory {
 public:
  Near* near() const { return &blocks_->near; }
  Shared* shared() const { return &blocks_->shared; }
  Shared& host() const { return blocks_->shared; }

 private:
  struct Blocks {
    Near near;
    Shared shared;
  };
  std::unique_ptr<Blocks> blocks_ = std::make_unique<Blocks>();
};

}  // namespace detail

/// For kernels that run on host threads.
class HostPause : public BasicPause<detail::HostMemory> {
 public:
  /// Before the threads of the slice start; 0 = no budget. done() is `most` at most.
  void begin_slice(double milliseconds, std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
    detail::open_slice(*memory_.near(), detail::nanoseconds(milliseconds), done(), most);
    count_launch();
  }
  /// After they have ended: done() is exact.
  void end_slice() { detail::publish_progress(*memory_.near(), *memory_.shared()); }
};

}  // namespace halfstep::interruptible
