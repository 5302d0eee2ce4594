#include <algorithm>
#include <cstddef>

#include "app/bench/limits.hpp"
#include "runtime/device/copy_loop.hpp"
#include "runtime/device/fma_loop.hpp"

namespace halfstep {
namespace {

constexpr int kRepeats = 10;

template <class Real>
MachineLimits measured() {
  std::size_t free = 0, total = 0;
  HALFSTEP_CUDA(cudaMemGetInfo(&free, &total));
  constexpr std::size_t most = std::size_t{1} << 30;  // bytes per array: far beyond any cache
  return {device_copy_rates<Real>(std::min(most, free / 4), kRepeats), device_fma_rates<Real>(kRepeats)};
}

MachineLimits limits_on_device(Precision precision) {
  return precision == Precision::double_precision ? measured<double>() : measured<float>();
}

const RegisterDeviceFunction registered(device_limits, limits_on_device);

}  // namespace
}  // namespace halfstep
