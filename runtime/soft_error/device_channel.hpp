// A channel whose kernels run on a CUDA device.
#pragma once

#include <optional>
#include <stdexcept>

#include "../device/memory.hpp"
#include "channel.hpp"
#include "live_reporter.hpp"

namespace halfstep::soft_error {

/// The near block in the memory of the device that was current at construction, the shared block and the ring
/// in pinned host memory. No call depends on which device is current later.
template <class Payload>
class DeviceMemory {
 public:
  DeviceMemory() : near_(1) { set_near({}); }
  explicit DeviceMemory(KeepSamples) : near_(1), ring_(std::in_place) {
    detail::Near fresh;
    fresh.ring = ring_->device()->slots;
    set_near(fresh);
  }

  detail::Near* near() const { return near_.get(); }
  detail::Shared<Payload>* shared() const { return shared_.device(); }
  detail::Shared<Payload>& host() const { return *shared_.host(); }
  detail::Ring<Payload>* ring() const { return ring_ ? ring_->host() : nullptr; }

  /// Copies the counts on a separate stream, so it waits for no kernel. Each count is one aligned word, so it
  /// has the value of some moment during the copy.
  Counts counts() const {
    Counts counts;
    HALFSTEP_CUDA(
        cudaMemcpyAsync(&counts, &near_.get()->counts, sizeof counts, cudaMemcpyDeviceToHost, stream_));
    stream_.synchronize();
    return counts;
  }

  void set_live_epoch(std::uint64_t epoch, cudaStream_t stream) const {
    // The source is pageable memory: the runtime has copied the value when the call returns.
    HALFSTEP_CUDA(
        cudaMemcpyAsync(&near_.get()->live_epoch, &epoch, sizeof epoch, cudaMemcpyHostToDevice, stream));
  }

 private:
  void set_near(const detail::Near& near) {
    HALFSTEP_CUDA(cudaMemcpyAsync(near_.get(), &near, sizeof near, cudaMemcpyHostToDevice, stream_));
    stream_.synchronize();  // kernels on other streams must find the block initialised
  }

  DeviceBuffer<detail::Near> near_;
  PinnedValue<detail::Shared<Payload>> shared_;
  std::optional<PinnedValue<detail::Ring<Payload>>> ring_;
  Stream stream_;
};

/// A channel for kernels of the device that is current at construction.
template <class Payload = void>
class DeviceChannel : public BasicChannel<Payload, DeviceMemory<Payload>> {
  using Base = BasicChannel<Payload, DeviceMemory<Payload>>;

 public:
  using Base::Base;

  /// Returns a handle of a stage, 0 to 255, for kernels with frozen parameters. Throws std::invalid_argument.
  LiveReporter<Payload> live_reporter(int stage = 1) const {
    return {this->memory_.near(), this->memory_.shared(), stage};
  }

  // Live reporters follow only these two calls: kernels queued later on `stream` carry the new epoch. Until
  // then they carry an epoch that is over, so their raises are not seen. All kernels with live reporters of a
  // channel must use one stream: on another, blocks of a kernel that is running may take the new epoch.

  using Base::next_epoch;
  void next_epoch(cudaStream_t stream) {
    require_not_captured(stream);
    next_epoch();
    this->memory_.set_live_epoch(this->epoch(), stream);
  }

  using Base::take;
  std::optional<Record<Payload>> take(cudaStream_t stream) {
    require_not_captured(stream);
    auto record = take();
    if (record) this->memory_.set_live_epoch(this->epoch(), stream);
    return record;
  }

 private:
  static void require_not_captured(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    HALFSTEP_CUDA(cudaStreamIsCapturing(stream, &status));
    if (status != cudaStreamCaptureStatusNone)
      throw std::logic_error(
          "soft error: a graph would set the epoch of its capture in every replay: begin epochs between its "
          "launches, on a stream that captures nothing");
  }
};

}  // namespace halfstep::soft_error
