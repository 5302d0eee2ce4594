// The part of CUDA that CASerror.h uses, on the CPU: host threads stand in for those of a kernel, and a
// stream is a list of launches that a test runs when it chooses.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#define __CUDACC__
#define __host__
#define __device__
#define __global__

enum cudaError_t { cudaSuccess, cudaErrorMemoryAllocation, cudaErrorInvalidDevicePointer };
inline const char* cudaGetErrorName(cudaError_t) { return "error"; }
inline const char* cudaGetErrorString(cudaError_t) { return "of the emulation"; }

namespace emulation {

class Stream {
 public:
  void queue(std::function<void()> launch) { queued_.push_back(std::move(launch)); }
  void run() {
    for (const auto& launch : queued_) launch();
    queued_.clear();
  }

 private:
  std::vector<std::function<void()>> queued_;
};

}  // namespace emulation

/// A null stream runs at once what is queued to it.
using cudaStream_t = emulation::Stream*;

enum { cudaHostAllocMapped = 1, cudaHostAllocPortable = 2, cudaEnableDefault = 0 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDefault };
struct cudaFuncAttributes {};

inline cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  *memory = std::malloc(bytes);
  return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}
inline cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return cudaMalloc(memory, bytes);
}
inline void cudaFree(void* memory) { std::free(memory); }
inline void cudaFreeHost(void* memory) { std::free(memory); }
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                                   cudaStream_t) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
inline cudaError_t cudaSetDevice(int) { return cudaSuccess; }
inline cudaError_t cudaGetDriverEntryPoint(const char*, void**, int) { return cudaErrorInvalidDevicePointer; }
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, Kernel*) {
  return cudaSuccess;
}
template <class... Values>
cudaError_t cudaLaunchKernel(void (*kernel)(Values...), int, int, void** arguments, int,
                             cudaStream_t stream) {
  const auto launch = [&]<std::size_t... n>(std::index_sequence<n...>) {
    return [kernel, values = std::tuple<Values...>(*static_cast<Values*>(arguments[n])...)] {
      std::apply(kernel, values);
    };
  }
  (std::index_sequence_for<Values...>());
  stream ? stream->queue(launch) : launch();
  return cudaSuccess;
}

inline void __threadfence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
inline void __threadfence_system() { std::atomic_thread_fence(std::memory_order_seq_cst); }
template <class T>
T atomicCAS(T* word, T expected, T desired) {
  std::atomic_ref(*word).compare_exchange_strong(expected, desired);
  return expected;
}
template <class T>
T atomicMax(T* word, T value) {
  T seen = *word;
  while (seen < value && !std::atomic_ref(*word).compare_exchange_weak(seen, value)) {
  }
  return seen;
}
