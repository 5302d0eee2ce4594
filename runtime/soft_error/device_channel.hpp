// A channel whose kernels run on the current CUDA device.
#pragma once

#include "runtime/device/memory.hpp"
#include "runtime/soft_error/channel.hpp"

namespace halfstep::soft_error {

/// The word that takes the raise in device memory, its copy for the host in pinned memory.
class DeviceWords {
 public:
  DeviceWords() : near_(1) {
    HALFSTEP_CUDA(cudaMemset(near_.get(), 0, sizeof(Tag)));
    HALFSTEP_CUDA(cudaDeviceSynchronize());  // kernels of other streams must not find the word unset
  }
  Tag* near() const { return near_.get(); }
  /// The host's address; the device's is the same (unified addressing).
  Tag* published() const { return published_.host(); }

 private:
  DeviceBuffer<Tag> near_;
  PinnedValue<Tag> published_;
};

using DeviceChannel = Channel<DeviceWords>;

}  // namespace halfstep::soft_error
