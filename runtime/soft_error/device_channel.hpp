// A channel whose kernels run on a CUDA device.
#pragma once

#include "../device/memory.hpp"
#include "channel.hpp"
#include "live_reporter.hpp"

namespace halfstep::soft_error {

/// One block in the memory of the device that was current at construction, the other in pinned host memory.
/// No call depends on which device is current later.
template <class Payload>
class DeviceMemory {
 public:
  DeviceMemory() : near_(1) {
    const detail::Near fresh;
    HALFSTEP_CUDA(cudaMemcpyAsync(near_.get(), &fresh, sizeof fresh, cudaMemcpyHostToDevice, stream_));
    stream_.synchronize();  // kernels of other streams must not find the block unset
  }

  detail::Near* near() const { return near_.get(); }
  detail::Shared<Payload>* shared() const { return shared_.device(); }
  detail::Shared<Payload>& host() const { return *shared_.host(); }

  /// By a stream of its own, so that it waits for no kernel. Each count is one aligned word: it is what it
  /// was at some moment of the copy.
  Counts counts() const {
    Counts counts;
    HALFSTEP_CUDA(
        cudaMemcpyAsync(&counts, &near_.get()->counts, sizeof counts, cudaMemcpyDeviceToHost, stream_));
    stream_.synchronize();
    return counts;
  }

  void set_live_epoch(std::uint64_t epoch, cudaStream_t stream) const {
    // From pageable memory: the runtime has copied the value when the call returns.
    HALFSTEP_CUDA(
        cudaMemcpyAsync(&near_.get()->live_epoch, &epoch, sizeof epoch, cudaMemcpyHostToDevice, stream));
  }

 private:
  DeviceBuffer<detail::Near> near_;
  PinnedValue<detail::Shared<Payload>> shared_;
  Stream stream_;
};

/// For kernels of the device that is current at construction.
template <class Payload = void>
class DeviceChannel : public BasicChannel<Payload, DeviceMemory<Payload>> {
 public:
  /// A handle for kernels whose parameters are frozen.
  LiveReporter<Payload> live_reporter(int stage = 1) const {
    return {this->memory_.near(), this->memory_.shared(), stage};
  }

  using BasicChannel<Payload, DeviceMemory<Payload>>::next_epoch;
  /// next_epoch(), and live reporters follow: kernels that come later on `stream` carry the new epoch.
  void next_epoch(cudaStream_t stream) {
    next_epoch();
    this->memory_.set_live_epoch(this->epoch(), stream);
  }
};

}  // namespace halfstep::soft_error
