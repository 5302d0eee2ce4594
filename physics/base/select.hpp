// Minimum and maximum as plain selections: the same result on host and device, and no branch in a vectorised
// loop. Where an argument is NaN they return the second.
#pragma once

#include <cmath>

#include "runtime/device/host_device.hpp"

namespace halfstep {

template <class Real>
HALFSTEP_HD Real min(Real a, Real b) {
  return a < b ? a : b;
}
template <class Real>
HALFSTEP_HD Real max(Real a, Real b) {
  return a > b ? a : b;
}
template <class Real>
HALFSTEP_HD Real square(Real a) {
  return a * a;
}

/// Whether to do work that is rarely needed and whose result is then selected by `condition`. A device kernel
/// branches, while a vectorised loop has to do the work for all its cells anyway.
HALFSTEP_HD bool worth_computing([[maybe_unused]] bool condition) {
#if defined(__CUDA_ARCH__)
  return condition;
#else
  return true;
#endif
}

// std::fabs and std::copysign under names that other number types can overload.
template <class Real>
HALFSTEP_HD Real magnitude(Real a) {
  return std::fabs(a);
}
template <class Real>
HALFSTEP_HD Real with_sign(Real size, Real of) {
  return std::copysign(size, of);
}

}  // namespace halfstep
