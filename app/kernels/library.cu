#include <stdexcept>
#include <utility>

#include "app/kernels/library.hpp"
#include "physics/solver/solver.hpp"
#include "runtime/device/cuda_check.hpp"

namespace halfstep {

#if CUDART_VERSION >= 12080

namespace {
cudaLibrary_t handle(void* library) { return static_cast<cudaLibrary_t>(library); }
}  // namespace

KernelLibrary::KernelLibrary(const std::filesystem::path& cubin) {
  cudaLibrary_t library = nullptr;
  HALFSTEP_CUDA(cudaLibraryLoadFromFile(&library, cubin.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  library_ = library;
}

KernelLibrary::~KernelLibrary() {
  if (library_ != nullptr) cudaLibraryUnload(handle(library_));
}

const void* KernelLibrary::kernel(const std::string& name) const {
  cudaKernel_t kernel = nullptr;
  HALFSTEP_CUDA(cudaLibraryGetKernel(&kernel, handle(library_), name.c_str()));
  return kernel;
}

#else

KernelLibrary::KernelLibrary(const std::filesystem::path&) {
  throw std::runtime_error("kernels that are compiled at run time need CUDA 12.8 or newer");
}
KernelLibrary::~KernelLibrary() = default;
const void* KernelLibrary::kernel(const std::string&) const { return nullptr; }

#endif

KernelLibrary::KernelLibrary(KernelLibrary&& other) noexcept
    : library_(std::exchange(other.library_, nullptr)) {}
KernelLibrary& KernelLibrary::operator=(KernelLibrary&& other) noexcept {
  std::swap(library_, other.library_);
  return *this;
}

std::optional<std::string> device_architecture() {
  if (!cuda_available()) return std::nullopt;
  int device = 0, major = 0, minor = 0;
  HALFSTEP_CUDA(cudaGetDevice(&device));
  HALFSTEP_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  HALFSTEP_CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  return "sm_" + std::to_string(10 * major + minor);
}

}  // namespace halfstep
