// Launches of kernels that are placed on the device while the one before them in the stream still ends, which
// CUDA calls programmatic dependent launch: the next one begins some microseconds earlier.
#pragma once

#include <cuda_runtime.h>

namespace halfstep {

/// Waits until all kernels before this one in the stream have ended and their writes can be seen. All threads
/// of a kernel that is launched early do this before anything else. Does nothing before compute capability
/// 9.0, where no kernel is launched early.
inline __device__ void wait_for_earlier_kernels() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

}  // namespace halfstep

#ifdef __CUDACC__
#include <cstddef>
#include <string>
#include <utility>

#include "runtime/device/cuda_check.hpp"

namespace halfstep {

/// Whether the code of a kernel that calls wait_for_earlier_kernels() does wait. The code counts, not the
/// device: one of capability 9.0 also runs code that was compiled for 8.0.
inline bool waits_for_earlier_kernels(const void* kernel) {
  cudaFuncAttributes attributes{};
  HALFSTEP_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  return attributes.ptxVersion >= 90;
}

/// Makes a launch early, if the kernel waits.
class EarlyLaunch {
 public:
  EarlyLaunch(bool waits, dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream)
      : configuration_{grid, block, shared_bytes, stream, &attribute_, waits ? 1u : 0u} {
    attribute_.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute_.val.programmaticStreamSerializationAllowed = 1;
  }
  EarlyLaunch(const EarlyLaunch&) = delete;
  EarlyLaunch& operator=(const EarlyLaunch&) = delete;

  const cudaLaunchConfig_t* configuration() const { return &configuration_; }

 private:
  cudaLaunchAttribute attribute_{};
  cudaLaunchConfig_t configuration_;
};

/// Launches a kernel that calls wait_for_earlier_kernels(), early if its code waits, as that of all kernels
/// of a program does or does not. `name`: of the kernel, for errors.
template <class... Parameters, class... Arguments>
void launch_early(const char* name, void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
                  std::size_t shared_bytes, cudaStream_t stream, Arguments&&... arguments) {
  static const bool waits = waits_for_earlier_kernels(reinterpret_cast<const void*>(kernel));
  const EarlyLaunch launch(waits, blocks, threads, shared_bytes, stream);
  const cudaError_t code =
      cudaLaunchKernelEx(launch.configuration(), kernel, std::forward<Arguments>(arguments)...);
  if (code != cudaSuccess)
    throw CudaError(code, ("launch of " + std::string(name)).c_str(), __FILE__, __LINE__);
}

}  // namespace halfstep
#endif
