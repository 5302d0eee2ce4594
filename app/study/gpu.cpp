#include "app/study/gpu.hpp"

#include <dlfcn.h>

namespace halfstep {
namespace {

// Attributes of cuDeviceGetAttribute, from cuda.h.
constexpr int kComputeCapabilityMajor = 75, kComputeCapabilityMinor = 76;

template <class Function>
Function* find(void* library, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(library, name));
}

}  // namespace

std::optional<std::string> gpu_architecture() {
  void* driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);  // never closed: kernels may follow
  if (driver == nullptr) return std::nullopt;
  const auto init = find<int(unsigned)>(driver, "cuInit");
  const auto get_device = find<int(int*, int)>(driver, "cuDeviceGet");
  const auto get_attribute = find<int(int*, int, int)>(driver, "cuDeviceGetAttribute");
  int device = 0, major = 0, minor = 0;
  if (!init || !get_device || !get_attribute || init(0) != 0 || get_device(&device, 0) != 0 ||
      get_attribute(&major, kComputeCapabilityMajor, device) != 0 ||
      get_attribute(&minor, kComputeCapabilityMinor, device) != 0)
    return std::nullopt;
  return "sm_" + std::to_string(10 * major + minor);
}

}  // namespace halfstep
