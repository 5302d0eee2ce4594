// Values in device memory that a stream writes or waits for without a kernel: CUDA's stream memory
// operations, which need no room on a multiprocessor. Their functions are the driver's; they are looked up at
// run time, so that the program starts where no driver is.
#pragma once

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "runtime/device/cuda_check.hpp"

namespace halfstep::exchange {

/// Returns a function of the driver. Throws std::runtime_error if this driver has it not.
template <class Function>
Function driver_function(const char* name, unsigned version) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  HALFSTEP_CUDA(cudaGetDriverEntryPointByVersion(name, &function, version, cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess)
    throw std::runtime_error("the CUDA driver has no " + std::string(name) + ": install a newer one");
  return reinterpret_cast<Function>(function);
}

/// Throws std::runtime_error for what the driver reports.
inline void check_driver(CUresult result, const char* doing) {
  if (result == CUDA_SUCCESS) return;
  throw std::runtime_error(std::string("CUDA cannot ") + doing + ": error " + std::to_string(result));
}

class StreamValues {
 public:
  /// Whether the current device has these operations.
  static bool are_there() {
    int device = 0, has_them = 0;
    HALFSTEP_CUDA(cudaGetDevice(&device));
    const auto attribute = driver_function<PFN_cuDeviceGetAttribute_v2000>("cuDeviceGetAttribute", 2000);
    check_driver(attribute(&has_them, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, device),
                 "tell what a device can do");
    return has_them != 0;
  }

  /// Queues a write that comes after everything that the stream has done, also to other devices' memory.
  void write(cudaStream_t stream, std::uint64_t* at, std::uint64_t value) const {
    check_driver(write_(stream, address(at), value, CU_STREAM_WRITE_VALUE_DEFAULT), "write from a stream");
  }
  /// Makes the stream wait until the value is at least `least`.
  void wait(cudaStream_t stream, const std::uint64_t* at, std::uint64_t least) const {
    check_driver(wait_(stream, address(at), least, CU_STREAM_WAIT_VALUE_GEQ), "make a stream wait");
  }

 private:
  static CUdeviceptr address(const std::uint64_t* at) { return reinterpret_cast<CUdeviceptr>(at); }

  PFN_cuStreamWriteValue64_v11070 write_ =
      driver_function<PFN_cuStreamWriteValue64_v11070>("cuStreamWriteValue64", 11070);
  PFN_cuStreamWaitValue64_v11070 wait_ =
      driver_function<PFN_cuStreamWaitValue64_v11070>("cuStreamWaitValue64", 11070);
};

}  // namespace halfstep::exchange
