// A queue of tiles for kernels that run on a CUDA device. Include it only in files compiled by nvcc.
#pragma once

#include "device_pause.hpp"
#include "tile_queue.hpp"

namespace halfstep::interruptible {

/// A tile queue for kernels of the device that is current at construction. One slice at a time.
class DeviceTileQueue : public BasicTileQueue<DevicePause> {
 public:
  /// Queues one launch of at most `limits.interrupts_per_launch` tiles. `launch(TileQueueView, std::int64_t
  /// blocks)` must start a kernel on `stream` in which one thread of each block takes a tile. Does nothing if
  /// no tile is left.
  template <class Launch>
  void launch_slice(const Limits& limits, cudaStream_t stream, Launch launch) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();  // blocks of a launch
    const std::int64_t blocks = plan(limits, most);
    if (blocks == 0) return;
    pause_.begin_slice(stream, limits.milliseconds_per_launch, end_);
    launch(view(), blocks);
    HALFSTEP_CUDA_LAUNCHED("a slice of a tile queue");
    pause_.end_slice(stream);
  }

  /// Waits for the slice and returns done(), the number of finished tiles.
  std::int64_t wait(cudaStream_t stream) const {
    HALFSTEP_CUDA(cudaStreamSynchronize(stream));
    return done();
  }
};

}  // namespace halfstep::interruptible
