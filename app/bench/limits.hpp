// What the machine could do at most, measured in the run that compares itself with it.
#pragma once

#include <vector>

#include "physics/scheme.hpp"

namespace halfstep {

struct MachineLimits {
  std::vector<double> copy_rates;  ///< of each repeat: bytes a second, read and written
  std::vector<double> fma_rates;   ///< floating-point operations a second
  double copy() const;             ///< the highest of them
  double fma() const;
};

/// Of so many OpenMP threads.
MachineLimits host_limits(Precision precision, int threads);
/// Of the current device. Throws CudaError, or std::runtime_error in a build without CUDA.
MachineLimits device_limits(Precision precision);

}  // namespace halfstep
