// Atomic access to words that several threads share, with one spelling for the host and for a device.
#pragma once

#include <atomic>

#include "host_device.hpp"

#if defined(__CUDACC__)
#include <cuda/atomic>
#endif

// Before sm_70 a thread that waits for another of its warp waits forever, since they run in lockstep.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "halfstep needs sm_70 or newer"
#endif

namespace halfstep {

// Near memory is shared by the threads of one device, so its atomics have device scope. Memory that the host
// reads or writes at the same time needs system scope. On the host there is only one scope.
#if defined(__CUDA_ARCH__)
template <class T>
using NearAtomic = cuda::atomic_ref<T, cuda::thread_scope_device>;
template <class T>
using SharedAtomic = cuda::atomic_ref<T, cuda::thread_scope_system>;
namespace order = cuda::std;
#else
template <class T>
using NearAtomic = std::atomic_ref<T>;
template <class T>
using SharedAtomic = std::atomic_ref<T>;
namespace order = std;
#endif

/// Whether the caller is the lowest of the lanes that are active together. The hardware decides which lanes
/// those are: callers may use it only to save work, and must not rely on who the others are.
HALFSTEP_HD bool leads_its_warp() {
#if defined(__CUDA_ARCH__)
  unsigned lanes_below;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes_below));
  return (__activemask() & lanes_below) == 0;
#else
  return true;
#endif
}

}  // namespace halfstep
