// Checks CUDA calls: an error becomes an exception that names the call and its location.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace halfstep {

struct CudaError : std::runtime_error {
  CudaError(cudaError_t code, const char* call, const char* file, int line)
      : std::runtime_error(std::string(call) + " failed: " + cudaGetErrorString(code) + " (" +
                           cudaGetErrorName(code) + ") at " + file + ":" + std::to_string(line)),
        code(code) {}
  cudaError_t code;
};

inline void cuda_check(cudaError_t code, const char* call, const char* file, int line) {
  if (code != cudaSuccess) throw CudaError(code, call, file, line);
}

}  // namespace halfstep

#define HALFSTEP_CUDA(call) ::halfstep::cuda_check((call), #call, __FILE__, __LINE__)
/// Checks a launch just made: finds an invalid configuration without waiting for the kernel.
#define HALFSTEP_CUDA_LAUNCHED(name) \
  ::halfstep::cuda_check(cudaGetLastError(), "launch of " name, __FILE__, __LINE__)
