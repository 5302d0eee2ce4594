// A pause word for kernels that run on a CUDA device. Include it only in files compiled by nvcc.
#pragma once

#include "../device/memory.hpp"
#include "pause.hpp"

namespace halfstep::interruptible {

namespace detail {

/// The near block on the device that was current at construction, the shared block in pinned host memory.
class DeviceMemory {
 public:
  Near* near() const { return near_.get(); }
  Shared* shared() const { return shared_.device(); }
  Shared& host() const { return *shared_.host(); }

 private:
  DeviceBuffer<Near> near_{1};
  PinnedValue<Shared> shared_;
};

// Templates, so that several translation units of a program may include them.

template <class Near>
__global__ void open_slice_kernel(Near* near, std::uint64_t nanoseconds, std::int64_t done,
                                  std::int64_t most) {
  open_slice(*near, nanoseconds, done, most);
}

template <class Near, class Shared>
__global__ void close_slice_kernel(Near* near, Shared* shared) {
  publish_progress(*near, *shared);
}

}  // namespace detail

/// A pause word for kernels of the device that is current at construction. One slice at a time.
class DevicePause : public BasicPause<detail::DeviceMemory> {
 public:
  /// Queues the start of a slice. Its time budget runs from there on the device's own clock; 0 means no
  /// budget. done() will not exceed `most`.
  void begin_slice(cudaStream_t stream, double milliseconds,
                   std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
    detail::open_slice_kernel<<<1, 1, 0, stream>>>(memory_.near(), detail::nanoseconds(milliseconds), done(),
                                                   most);
    HALFSTEP_CUDA_LAUNCHED("open_slice_kernel");
    count_launch();
  }
  /// Queues the end of the slice. Once the stream has reached it, done() is exact.
  void end_slice(cudaStream_t stream) {
    detail::close_slice_kernel<<<1, 1, 0, stream>>>(memory_.near(), memory_.shared());
    HALFSTEP_CUDA_LAUNCHED("close_slice_kernel");
  }
};

}  // namespace halfstep::interruptible
