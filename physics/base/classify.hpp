// Classification of floating-point numbers, for the checks of every face and cell. On a device the exponent's
// bits are compared by the integer units, in parallel with floating-point work.
#pragma once

#include <limits>

#include "physics/base/select.hpp"

namespace halfstep {

/// Whether x is a positive normal number; fast arithmetic may flush subnormal ones to 0.
template <class Real>
HALFSTEP_HD bool positive_and_finite(Real x) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Real) == 4)
    return __float_as_uint(x) - 0x00800000u < 0x7f000000u;
  else
    return static_cast<unsigned>(__double2hiint(x)) - 0x00100000u < 0x7fe00000u;
#else
  return (x >= std::numeric_limits<Real>::min()) & (x <= std::numeric_limits<Real>::max());
#endif
}

/// Whether x, where it is finite, is a positive normal number: for a value whose infinity or NaN another
/// check is known to find. An operation less on a device in double precision; in single precision stage
/// kernels would take more registers with it.
template <class Real>
HALFSTEP_HD bool positive_if_finite(Real x) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Real) == 8) return __double2hiint(x) >= 0x00100000;
#endif
  return positive_and_finite(x);
}

template <class Real>
HALFSTEP_HD bool finite(Real x) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Real) == 4)
    return (__float_as_uint(x) & 0x7fffffffu) < 0x7f800000u;
  else
    return (static_cast<unsigned>(__double2hiint(x)) & 0x7fffffffu) < 0x7ff00000u;
#else
  return magnitude(x) <= std::numeric_limits<Real>::max();
#endif
}

}  // namespace halfstep
