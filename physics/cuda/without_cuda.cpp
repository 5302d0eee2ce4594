// Stands in for cuda/solver.cu in a build without CUDA.
#include <stdexcept>

#include "physics/solver/solver.hpp"
#include "runtime/device/device_function.hpp"

namespace halfstep {

std::unique_ptr<Solver> make_cuda_solver(const Problem&) { throw std::runtime_error(kBuiltWithoutCuda); }

bool cuda_available(std::string* why) {
  if (why) *why = kBuiltWithoutCuda;
  return false;
}

void use_cuda_device(int) { throw std::runtime_error(kBuiltWithoutCuda); }

int cuda_device_count() { return 0; }

std::int64_t cuda_free_bytes() { return 0; }

std::vector<std::string> cuda_devices() { return {}; }

}  // namespace halfstep
