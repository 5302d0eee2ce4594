// Stands in for library.cu and occupancy.cu in a build without CUDA.
#include "app/kernels/library.hpp"

#include <stdexcept>

#include "app/kernels/occupancy.hpp"

namespace halfstep {
namespace {

[[noreturn]] void refuse() {
  throw std::runtime_error(
      "kernels cannot be loaded, as this halfstep was built without CUDA: install nvcc 12.4 or newer, then "
      "build "
      "again");
}

}  // namespace

KernelLibrary::KernelLibrary(const std::filesystem::path&) { refuse(); }
KernelLibrary::KernelLibrary(KernelLibrary&&) noexcept = default;
KernelLibrary& KernelLibrary::operator=(KernelLibrary&&) noexcept = default;
KernelLibrary::~KernelLibrary() = default;
const void* KernelLibrary::kernel(const std::string&) const { refuse(); }
std::optional<std::string> device_architecture() { return std::nullopt; }

std::optional<double> occupancy(const std::string&, int, int, std::size_t, std::size_t) {
  return std::nullopt;
}

}  // namespace halfstep
