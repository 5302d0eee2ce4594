// Device memory, pinned host memory, streams and events that free themselves. Failures throw CudaError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "cuda_check.hpp"

namespace halfstep {

/// `count` values of T on the current device, uninitialised.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t count) : count_(count) {
    HALFSTEP_CUDA(cudaMalloc(&data_, count * sizeof(T)));
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(other.count_) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~DeviceBuffer() { cudaFree(data_); }

  T* get() const { return data_; }
  std::size_t count() const { return count_; }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// Returns a copy of `values` on the current device, null of none. Waits for it.
template <class Values>
DeviceBuffer<typename Values::value_type> copied_to_device(const Values& values) {
  using T = typename Values::value_type;
  if (values.empty()) return {};
  DeviceBuffer<T> copy(values.size());
  HALFSTEP_CUDA(cudaMemcpy(copy.get(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  HALFSTEP_CUDA(cudaStreamSynchronize(cudaStreamLegacy));  // the copy itself may return before its end
  return copy;
}

/// `count` values of T in pinned host memory, uninitialised; for copies that overlap other work.
template <class T>
class PinnedBuffer {
 public:
  /// `kind`: flags of cudaHostAlloc.
  explicit PinnedBuffer(std::size_t count, unsigned kind = cudaHostAllocPortable) {
    HALFSTEP_CUDA(cudaHostAlloc(&data_, count * sizeof(T), kind));
  }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  ~PinnedBuffer() { cudaFreeHost(data_); }

  T* get() const { return data_; }
  /// Returns the address for kernels, if the memory was allocated with cudaHostAllocMapped.
  T* device() const {
    T* address = nullptr;
    HALFSTEP_CUDA(cudaHostGetDevicePointer(reinterpret_cast<void**>(&address), data_, 0));
    return address;
  }

 private:
  T* data_ = nullptr;
};

/// A value of T in pinned host memory that kernels may write and the host may read at any time.
template <class T>
class PinnedValue {
 public:
  PinnedValue() {
    void* memory = nullptr;
    HALFSTEP_CUDA(cudaHostAlloc(&memory, sizeof(T), cudaHostAllocMapped | cudaHostAllocPortable));
    host_ = new (memory) T{};
    HALFSTEP_CUDA(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_), memory, 0));
  }
  PinnedValue(PinnedValue&& other) noexcept
      : host_(std::exchange(other.host_, nullptr)), device_(std::exchange(other.device_, nullptr)) {}
  PinnedValue& operator=(PinnedValue&& other) noexcept {
    std::swap(host_, other.host_);
    std::swap(device_, other.device_);
    return *this;
  }
  ~PinnedValue() { cudaFreeHost(host_); }

  T* host() const { return host_; }
  T* device() const { return device_; }

 private:
  T* host_ = nullptr;
  T* device_ = nullptr;
};

class Stream {
 public:
  /// Blocks of a stream of high priority take what is free on the device before those of others.
  enum class Priority { normal, high };

  explicit Stream(Priority priority = Priority::normal) {
    int least = 0, greatest = 0;
    HALFSTEP_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    HALFSTEP_CUDA(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking,
                                               priority == Priority::high ? greatest : least));
  }
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }
  ~Stream() {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }

  operator cudaStream_t() const { return stream_; }
  void synchronize() const { HALFSTEP_CUDA(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  /// `kind`: flags of cudaEventCreateWithFlags.
  explicit Event(unsigned kind = cudaEventDefault) { HALFSTEP_CUDA(cudaEventCreateWithFlags(&event_, kind)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }

  void record(cudaStream_t stream) { HALFSTEP_CUDA(cudaEventRecord(event_, stream)); }
  /// Makes everything queued to `stream` from here on wait for this event.
  void hold_back(cudaStream_t stream) const { HALFSTEP_CUDA(cudaStreamWaitEvent(stream, event_)); }
  void synchronize() const { HALFSTEP_CUDA(cudaEventSynchronize(event_)); }
  /// Whether the device has reached the event.
  bool done() const {
    const cudaError_t state = cudaEventQuery(event_);
    if (state == cudaErrorNotReady) {
      cudaGetLastError();  // not an error, so the next check must not find it
      return false;
    }
    HALFSTEP_CUDA(state);
    return true;
  }
  /// Waits for this event and returns the seconds from `earlier` to it.
  double seconds_since(const Event& earlier) const {
    synchronize();
    float milliseconds = 0;
    HALFSTEP_CUDA(cudaEventElapsedTime(&milliseconds, earlier.event_, event_));
    return 1e-3 * milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace halfstep
