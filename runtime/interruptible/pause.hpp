// The pause word: the host sets it at any time, and kernels leave at their next safe point. The progress is
// reported back in the other direction.
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
/// Time between two reads of the pause word, which from a device go over the bus.
inline constexpr std::uint64_t kNanosecondsBetweenLooks = 20'000;

/// The state of a slice, in the memory of the processor that runs the kernels.
struct Near {
  alignas(128) std::uint32_t ends = 0;  ///< 1: a thread has found that the slice should end
  std::uint32_t late_start = 0;         ///< 1: the slice's one late start is taken
  std::uint64_t deadline = kNever;      ///< by nanoseconds_now()
  std::uint64_t next_look = 0;          ///< by nanoseconds_now(); kNever while a thread reads the word
  std::int64_t most = 0;                ///< upper bound of the progress in this slice
  alignas(128) std::int64_t done = 0;   ///< threads finished or tiles taken; may exceed `most`
};

/// The state that the host reads and writes at any time.
struct Shared {
  alignas(64) std::uint32_t pause = 0;  ///< written by the host
  std::int64_t launches = 0;            ///< written by the host
  alignas(64) std::int64_t done = 0;    ///< the progress, published at intervals
  std::int32_t lost = 0;                ///< Resumable::resume_at of a record that cannot be resumed; 0 = none
};

/// Returns the time by the device's clock, the same on all multiprocessors, or by the host's steady clock.
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

/// Opens a slice, before its kernel starts. `nanoseconds` is its time budget, 0 = none. The progress starts
/// at `done` and will not exceed `most`.
HALFSTEP_HD void open_slice(Near& near, std::uint64_t nanoseconds, std::int64_t done, std::int64_t most) {
  near.ends = 0;
  near.late_start = 0;
  near.deadline = nanoseconds == 0 ? kNever : nanoseconds_now() + nanoseconds;
  near.next_look = 0;
  near.done = done;
  near.most = most;
}

/// Publishes the progress to the host; it is exact after the kernel of the slice has ended. Threads that
/// asked for a tile when none was left are counted in near.done, so the value is capped before the host can
/// see it.
HALFSTEP_HD void publish_progress(Near& near, Shared& shared) {
  // Relaxed: a count orders nothing, and the host waits for the slice before it reads its results.
  const std::int64_t done = NearAtomic<std::int64_t>(near.done).load(order::memory_order_relaxed);
  SharedAtomic<std::int64_t>(shared.done)
      .store(done < near.most ? done : near.most, order::memory_order_relaxed);
}

}  // namespace detail

/// The kernel's end of the pause word: two words, passed by value.
struct PauseView {
  detail::Near* near = nullptr;
  detail::Shared* shared = nullptr;

  /// Whether this launch should end, because a pause was requested or its time is used up. Call it at a safe
  /// point.
  ///
  /// Nearly every call only reads device memory and the device's clock. The pause word is across the bus, so
  /// one thread reads it for all every 20 us, and publishes the progress with it.
  HALFSTEP_HD bool due() const {
    using namespace detail;
    NearAtomic<std::uint32_t> ends(near->ends);
    NearAtomic<std::uint64_t> next_look(near->next_look);
    // The loads come first, so that their latencies overlap. All accesses to `ends` are relaxed: a thread
    // that leaves saves its own work, which is ordered by the end of the kernel.
    const bool ended = ends.load(order::memory_order_relaxed) != 0;
    std::uint64_t seen = next_look.load(order::memory_order_relaxed);
    const std::uint64_t deadline = near->deadline, now = nanoseconds_now();
    if (ended) return true;
    if (now >= deadline) {
      ends.store(1, order::memory_order_relaxed);
      return true;
    }
    if (now < seen || !leads_its_warp()) return false;
    // Acquire, pairs with the release below: the stores of one reader of the pause word come after those of
    // the reader before, so the progress never goes back.
    if (!next_look.compare_exchange_strong(seen, kNever, order::memory_order_acquire,
                                           order::memory_order_relaxed))
      return false;
    publish_progress(*near, *shared);
    // Relaxed: the word carries all the information.
    const bool asked = SharedAtomic<std::uint32_t>(shared->pause).load(order::memory_order_relaxed) != 0;
    if (asked) ends.store(1, order::memory_order_relaxed);
    next_look.store(now + kNanosecondsBetweenLooks, order::memory_order_release);
    return asked;
  }

  /// Whether a thread that has not begun yet should start: not when the slice should end, except for one
  /// thread, so that every launch makes progress however early it is told to end.
  HALFSTEP_HD bool may_start() const {
    if (!due()) return true;
    NearAtomic<std::uint32_t> taken(near->late_start);
    return taken.load(order::memory_order_relaxed) == 0 &&
           taken.exchange(1, order::memory_order_relaxed) == 0;
  }

  HALFSTEP_HD void add_done(std::int64_t count) const {
    NearAtomic<std::int64_t>(near->done).fetch_add(count, order::memory_order_relaxed);
  }

  /// Reports a record that cannot be resumed. Relaxed: the host reads it after the slice.
  HALFSTEP_HD void report_lost(std::int32_t resume_at) const {
    SharedAtomic<std::int32_t>(shared->lost).store(resume_at, order::memory_order_relaxed);
  }
};

/// The host's end of the pause word. `Memory` owns both blocks, on host or device. Movable when idle.
template <class Memory>
class BasicPause {
 public:
  // These may be called at any time, by any thread and by a signal handler: each is one load or store.

  /// Requests a pause: kernels end at their next safe points until it is withdrawn.
  void request() { word().store(1, std::memory_order_relaxed); }
  void withdraw() { word().store(0, std::memory_order_relaxed); }
  bool requested() const { return word().load(std::memory_order_relaxed) != 0; }
  /// Returns the progress. While a kernel runs it is a recent value, if the kernel meets safe points.
  std::int64_t done() const { return count(memory_.host().done).load(std::memory_order_relaxed); }
  /// Returns the number of slices since restart().
  std::int64_t launches() const { return count(memory_.host().launches).load(std::memory_order_relaxed); }

  // These must not be called while a slice is under way.

  void set_done(std::int64_t done) { count(memory_.host().done).store(done, std::memory_order_relaxed); }
  /// Restarts with the progress `done` and no launches.
  void restart(std::int64_t done = 0) {
    set_done(done);
    count(memory_.host().launches).store(0, std::memory_order_relaxed);
    memory_.host().lost = 0;
  }
  /// Throws std::runtime_error if a slice since restart() has met a record that cannot be resumed.
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

/// A pause word for kernels that run on host threads.
class HostPause : public BasicPause<detail::HostMemory> {
 public:
  /// Begins a slice, before its threads start; 0 means no time budget. done() will not exceed `most`.
  void begin_slice(double milliseconds, std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
    detail::open_slice(*memory_.near(), detail::nanoseconds(milliseconds), done(), most);
    count_launch();
  }
  /// Ends the slice, after its threads have ended: done() is then exact.
  void end_slice() { detail::publish_progress(*memory_.near(), *memory_.shared()); }
};

}  // namespace halfstep::interruptible
