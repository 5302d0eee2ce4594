#include <cuda_occupancy.h>

#include <stdexcept>

#include "app/kernels/occupancy.hpp"

namespace halfstep {
namespace {

/// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
struct Architecture {
  const char* name;
  int major, minor;
  int threads;         // of a multiprocessor
  int shared_kib;      // of a multiprocessor
  int reserved_bytes;  // of a block's shared memory, for the system
};
constexpr Architecture kArchitectures[] = {
    {"sm_75", 7, 5, 1024, 64, 0},      {"sm_80", 8, 0, 2048, 164, 1024}, {"sm_86", 8, 6, 1536, 100, 1024},
    {"sm_89", 8, 9, 1536, 100, 1024},  {"sm_90", 9, 0, 2048, 228, 1024}, {"sm_100", 10, 0, 2048, 228, 1024},
    {"sm_120", 12, 0, 1536, 100, 1024}};

const Architecture& known(const std::string& name) {
  const int number = std::stoi(name.substr(3));  // after "sm_"
  const Architecture* newest = kArchitectures;
  for (const Architecture& a : kArchitectures)
    if (10 * a.major + a.minor <= number) newest = &a;
  return *newest;
}

}  // namespace

std::vector<std::string> known_architectures() {
  std::vector<std::string> names;
  for (const Architecture& a : kArchitectures) names.emplace_back(a.name);
  return names;
}

std::size_t most_shared_bytes(const std::string& architecture) {
  const Architecture& a = known(architecture);
  return std::size_t(a.shared_kib) * 1024 - std::size_t(a.reserved_bytes);
}

double occupancy(const std::string& architecture, int threads, int registers, std::size_t static_shared_bytes,
                 std::size_t dynamic_shared_bytes) {
  const Architecture& a = known(architecture);
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

}  // namespace halfstep
