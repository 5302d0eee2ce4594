// Compiled kernels loaded onto the current device.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace halfstep {

/// Every member throws CudaError, or std::runtime_error in a build without CUDA.
class KernelLibrary {
 public:
  explicit KernelLibrary(const std::filesystem::path& cubin);
  KernelLibrary(KernelLibrary&& other) noexcept;
  KernelLibrary& operator=(KernelLibrary&& other) noexcept;
  ~KernelLibrary();

  /// Returns the kernel for cudaLaunchKernel; valid as long as the library.
  const void* kernel(const std::string& name) const;

 private:
  void* library_ = nullptr;
};

/// Returns the current device's architecture, e.g. "sm_90"; nothing without a device.
std::optional<std::string> device_architecture();

}  // namespace halfstep
