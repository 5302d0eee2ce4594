// Stands in for cuda/solver.cu in a build without CUDA.
#include <stdexcept>

#include "physics/solver/solver.hpp"

namespace halfstep {

std::unique_ptr<Solver> make_cuda_solver(const Problem&) {
  throw std::runtime_error("this halfstep was built without CUDA");
}

bool cuda_available(std::string* why) {
  if (why) *why = "this halfstep was built without CUDA";
  return false;
}

std::int64_t cuda_free_bytes() { return 0; }

std::vector<std::string> cuda_devices() { return {}; }

}  // namespace halfstep
