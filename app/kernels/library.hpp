// Compiled kernels, loaded onto the current device.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace halfstep {

/// Everything throws CudaError, or std::runtime_error in a build without CUDA.
class KernelLibrary {
 public:
  explicit KernelLibrary(const std::filesystem::path& cubin);
  KernelLibrary(KernelLibrary&& other) noexcept;
  KernelLibrary& operator=(KernelLibrary&& other) noexcept;
  ~KernelLibrary();

  /// As cudaLaunchKernel takes it; lives as long as the library.
  const void* kernel(const std::string& name) const;

 private:
  void* library_ = nullptr;
};

/// Of the current device, such as "sm_90"; nothing where there is none.
std::optional<std::string> device_architecture();

}  // namespace halfstep
