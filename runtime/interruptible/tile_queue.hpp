// A queue of tiles: work whose pieces are idempotent and short. A tile that has been taken is finished within
// its launch, so the progress of the whole is one number: when a launch has ended, tiles [0, done) are
// finished.
#pragma once

#include "pause.hpp"

namespace halfstep::interruptible {

/// A kernel's end of it, passed by value. The default one is no queue: a kernel may take its tile by its
/// block number.
struct TileQueueView {
  PauseView pause;
  std::int64_t end = 0;  ///< of the launch

  HALFSTEP_HD bool active() const { return pause.near != nullptr; }

  /// The next tile, or -1 if none is left for this launch or it should end. For one thread of a block, or of
  /// the host.
  HALFSTEP_HD std::int64_t take() const {
    // Relaxed: the counter deals tiles out, what they write is ordered by the end of the kernel. A look comes
    // first, so that it stops near its end; and before other looks, so that their ways to memory and back are
    // one.
    NearAtomic<std::int64_t> next(pause.near->done);
    const std::int64_t seen = next.load(order::memory_order_relaxed);
    if (!pause.may_start() || seen >= end) return -1;
    const std::int64_t tile = next.fetch_add(1, order::memory_order_relaxed);
    return tile < end ? tile : -1;
  }
};

/// The host's end, over the pause word of where the kernels run.
template <class Pause>
class BasicTileQueue {
 public:
  /// `tiles` tiles, of which the first `done` are finished. Not while a slice is under way.
  void start(std::int64_t tiles, std::int64_t done = 0) {
    tiles_ = tiles;
    end_ = done;
    pause_.restart(done);
  }

  std::int64_t tiles() const { return tiles_; }
  /// Between launches: how many tiles are finished. While one runs: how many had been taken a moment ago. It
  /// never goes back.
  std::int64_t done() const { return std::min(pause_.done(), tiles_); }
  Progress progress() const { return {done(), tiles_, pause_.launches()}; }

  Pause& pause() { return pause_; }
  const Pause& pause() const { return pause_; }
  TileQueueView view() const { return {pause_.view(), end_}; }

 protected:
  /// How many tiles the next launch may take.
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

/// For host threads: between begin_slice() and end_slice() any of them take tiles until there is none.
class HostTileQueue : public BasicTileQueue<HostPause> {
 public:
  /// Of `limits`, those of one launch.
  void begin_slice(const Limits& limits) {
    plan(limits, tiles());
    pause_.begin_slice(limits.milliseconds_per_launch, end_);
  }
  /// The next tile, or -1 if none is left for this slice or it should end.
  std::int64_t take() const { return view().take(); }
  /// After all threads have got -1. Returns done().
  std::int64_t end_slice() {
    pause_.end_slice();
    return done();
  }
};

}  // namespace halfstep::interruptible
