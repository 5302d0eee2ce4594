// Stands in for limits_device.cu in a build without CUDA.
#include <stdexcept>

#include "app/bench/limits.hpp"

namespace halfstep {

MachineLimits device_limits(Precision) { throw std::runtime_error("this halfstep was built without CUDA"); }

}  // namespace halfstep
