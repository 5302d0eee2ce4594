// Upper limits of the machine, measured in the same run as the figures compared with them.
#pragma once

#include <vector>

#include "physics/flux/scheme.hpp"
#include "runtime/device/device_function.hpp"

namespace halfstep {

struct MachineLimits {
  std::vector<double> copy_rates;  ///< by repeat: bytes read and written per second
  std::vector<double> fma_rates;   ///< by repeat: floating-point operations per second
  double copy() const;             ///< highest rate
  double fma() const;
};

/// Measures the host with `threads` OpenMP threads.
MachineLimits host_limits(Precision precision, int threads);
/// Measures the current device. Throws CudaError, or std::runtime_error in a build without CUDA.
inline constinit DeviceFunction<MachineLimits(Precision precision)> device_limits;

}  // namespace halfstep
