// A queue of tiles for kernels that run on a CUDA device. For files compiled by nvcc.
#pragma once

#include "device_pause.hpp"
#include "tile_queue.hpp"

namespace halfstep::interruptible {

/// For kernels of the device that is current at construction. One slice at a time.
class DeviceTileQueue : public BasicTileQueue<DevicePause> {
 public:
  /// Queues one launch of at most `limits.interrupts_per_launch` tiles: `launch(TileQueueView, std::int64_t
  /// blocks)` starts a kernel on `stream`, of which one thread a block takes a tile. Does nothing if no tile
  /// is left.
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

  /// Waits for the slice. Returns done(): that many tiles are finished.
  std::int64_t wait(cudaStream_t stream) const {
    HALFSTEP_CUDA(cudaStreamSynchronize(stream));
    return done();
  }
};

}  // namespace halfstep::interruptible
