#include <cuda_occupancy.h>

#include <stdexcept>

#include "app/study/architecture.hpp"
#include "app/study/occupancy.hpp"

namespace halfstep {
namespace {

std::optional<double> occupancy_by_cuda(const std::string& architecture, int threads, int registers,
                                        std::size_t static_shared_bytes, std::size_t dynamic_shared_bytes) {
  const Architecture& a = architecture_of(architecture);
  cudaOccDeviceProp device;
  device.computeMajor = a.major;
  device.computeMinor = a.minor;
  device.maxThreadsPerBlock = 1024;
  device.maxThreadsPerMultiprocessor = a.threads;
  device.regsPerBlock = device.regsPerMultiprocessor = 65536;
  device.warpSize = 32;
  device.sharedMemPerBlock = 49152;
  device.sharedMemPerMultiprocessor = std::size_t(a.shared_kib) * 1024;
  device.sharedMemPerBlockOptin = most_shared_bytes(architecture);
  device.reservedSharedMemPerBlock = a.reserved_bytes;
  device.numSms = 1;
  cudaOccFuncAttributes kernel;
  kernel.maxThreadsPerBlock = 1024;
  kernel.numRegs = registers;
  kernel.sharedSizeBytes = static_shared_bytes;
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  kernel.maxDynamicSharedSizeBytes = dynamic_shared_bytes;
  const cudaOccDeviceState state;
  cudaOccResult result;
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, threads,
                                              dynamic_shared_bytes) != CUDA_OCC_SUCCESS)
    throw std::runtime_error("the occupancy on " + architecture + " cannot be computed");
  return double(result.activeBlocksPerMultiprocessor * threads) / a.threads;
}

const RegisterDeviceFunction registered(occupancy, occupancy_by_cuda);

}  // namespace
}  // namespace halfstep
