// Compiled kernels loaded onto the current device.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "runtime/device/device_function.hpp"

namespace halfstep {

/// The kernels of a file, on the device.
class LoadedKernels {
 public:
  virtual ~LoadedKernels() = default;
  virtual const void* kernel(const std::string& name) const = 0;
};

inline constinit DeviceFunction<std::unique_ptr<LoadedKernels>(const std::filesystem::path& cubin)>
    load_kernels;

/// Every member throws CudaError, or std::runtime_error in a build without CUDA.
class KernelLibrary {
 public:
  explicit KernelLibrary(const std::filesystem::path& cubin) : kernels_(load_kernels(cubin)) {}

  /// Returns the kernel for cudaLaunchKernel; valid as long as the library.
  const void* kernel(const std::string& name) const { return kernels_->kernel(name); }

 private:
  std::unique_ptr<LoadedKernels> kernels_;
};

/// Returns the current device's architecture, e.g. "sm_90"; nothing without a device.
inline constinit DeviceFunction<std::optional<std::string>()> device_architecture(
    DeviceFunction<std::optional<std::string>()>::nothing);

}  // namespace halfstep
