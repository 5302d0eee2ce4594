#include <stdexcept>

#include "app/study/library.hpp"
#include "physics/solver/solver.hpp"
#include "runtime/device/cuda_check.hpp"

namespace halfstep {
namespace {

#if CUDART_VERSION >= 12080

class CudaLibrary final : public LoadedKernels {
 public:
  explicit CudaLibrary(const std::filesystem::path& cubin) {
    HALFSTEP_CUDA(
        cudaLibraryLoadFromFile(&library_, cubin.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  }
  CudaLibrary(const CudaLibrary&) = delete;
  CudaLibrary& operator=(const CudaLibrary&) = delete;
  ~CudaLibrary() override { cudaLibraryUnload(library_); }

  const void* kernel(const std::string& name) const override {
    cudaKernel_t kernel = nullptr;
    HALFSTEP_CUDA(cudaLibraryGetKernel(&kernel, library_, name.c_str()));
    return kernel;
  }

 private:
  cudaLibrary_t library_ = nullptr;
};

std::unique_ptr<LoadedKernels> load(const std::filesystem::path& cubin) {
  return std::make_unique<CudaLibrary>(cubin);
}

#else

std::unique_ptr<LoadedKernels> load(const std::filesystem::path&) {
  throw std::runtime_error("kernels that are compiled at run time need CUDA 12.8 or newer");
}

#endif

std::optional<std::string> architecture_of_device() {
  if (!cuda_available()) return std::nullopt;
  int device = 0, major = 0, minor = 0;
  HALFSTEP_CUDA(cudaGetDevice(&device));
  HALFSTEP_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  HALFSTEP_CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  return "sm_" + std::to_string(10 * major + minor);
}

const RegisterDeviceFunction loader(load_kernels, load);
const RegisterDeviceFunction architecture(device_architecture, architecture_of_device);

}  // namespace
}  // namespace halfstep
