// Stands in for safe_points.cu in a build without CUDA.
#include "app/study/safe_points.hpp"

#include <stdexcept>

namespace halfstep {
namespace {

[[noreturn]] void refuse() { throw std::runtime_error("this halfstep was built without CUDA"); }

}  // namespace

std::vector<SweepCost> measure_safe_points() { refuse(); }
double microseconds_of_slice() { refuse(); }

}  // namespace halfstep
