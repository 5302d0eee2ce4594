// A queue of tiles, for work that consists of short idempotent pieces. A tile that has been taken is finished
// within its launch, so one number is the progress: when a launch has ended, tiles [0, done) are finished.
#pragma once

#include "pause.hpp"

namespace halfstep::interruptible {

/// The kernel's end of the queue, passed by value. A default-constructed one is no queue: a kernel may then
/// take its tile by its block number.
struct TileQueueView {
  PauseView pause;
  std::int64_t end = 0;  ///< end of the tiles of this launch

  HALFSTEP_HD bool active() const { return pause.near != nullptr; }

  /// Returns the next tile, or -1 if none is left for this launch or the launch should end. Called by one
  /// thread of a block, or by a host thread.
  HALFSTEP_HD std::int64_t take() const {
    // Relaxed: the counter only deals out tiles, and the end of the kernel orders what they write. The
    // counter is loaded before it is incremented, so that it stops near its end, and before the other loads,
    // so that their latencies overlap.
    NearAtomic<std::int64_t> next(pause.near->done);
    const std::int64_t seen = next.load(order::memory_order_relaxed);
    if (!pause.may_start() || seen >= end) return -1;
    const std::int64_t tile = next.fetch_add(1, order::memory_order_relaxed);
    return tile < end ? tile : -1;
  }
};

/// The host's end of the queue, over a pause word for the host or for a device.
template <class Pause>
class BasicTileQueue {
 public:
  /// Starts a queue of `tiles` tiles, the first `done` of them finished. Must not be called during a slice.
  void start(std::int64_t tiles, std::int64_t done = 0) {
    tiles_ = tiles;
    end_ = done;
    pause_.restart(done);
  }

  std::int64_t tiles() const { return tiles_; }
  /// Returns the number of finished tiles, or during a launch a recent number of taken ones. Never decreases.
  std::int64_t done() const { return std::min(pause_.done(), tiles_); }
  Progress progress() const { return {done(), tiles_, pause_.launches()}; }

  Pause& pause() { return pause_; }
  const Pause& pause() const { return pause_; }
  TileQueueView view() const { return {pause_.view(), end_}; }

 protected:
  /// Returns the number of tiles that the next launch may take.
  std::int64_t plan(const Limits& limits, std::int64_t most) {
    const std::int64_t wanted = limits.interrupts_per_launch > 0 ? limits.interrupts_per_launch : most;
    const std::int64_t tiles = std::min({tiles_ - done(), wanted, most});
    end_ = done() + tiles;
    return tiles;
  }

  Pause pause_;
  std::int64_t end_ = 0;

 private:
  std::int64_t tiles_ = 0;
};

/// A tile queue for host threads: between begin_slice() and end_slice() any of them take tiles.
class HostTileQueue : public BasicTileQueue<HostPause> {
 public:
  /// Begins a slice; of `limits` only those of one launch count.
  void begin_slice(const Limits& limits) {
    plan(limits, tiles());
    pause_.begin_slice(limits.milliseconds_per_launch, end_);
  }
  /// Returns the next tile, or -1 if none is left for this slice or the slice should end.
  std::int64_t take() const { return view().take(); }
  /// Ends the slice, after all threads have received -1. Returns done().
  std::int64_t end_slice() {
    pause_.end_slice();
    return done();
  }
};

}  // namespace halfstep::interruptible
