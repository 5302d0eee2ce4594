// Words that several threads use at once, one spelling for the host and for a device.
#pragma once

#include <atomic>

#include "host_device.hpp"

#if defined(__CUDACC__)
#include <cuda/atomic>
#endif

// Before sm_70 the threads of a warp run in step: one that waits for another of its warp waits for ever.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "halfstep needs sm_70 or newer"
#endif

namespace halfstep {

// Memory beside the kernels is shared by the threads of one device, so its atomics have device scope; memory
// that the host reads or writes meanwhile needs system scope. On the host there is one scope.
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

/// One lane of those that run together. Which ones do is the hardware's choice: callers may only save work by
/// it, never rely on who the others are.
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
