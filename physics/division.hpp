// Two reciprocals by one division.
#pragma once

#include <limits>

#include "runtime/device/host_device.hpp"

namespace halfstep {

/// Whether numbers range far beyond those of single precision.
template <class Real>
inline constexpr bool wide = std::numeric_limits<Real>::max_exponent > 128;

template <class Real>
struct Reciprocals {
  Real a, b;
};

/// 1 / a and 1 / b. By one division where there is room for the product.
template <class Real>
HALFSTEP_HD Reciprocals<Real> reciprocals(Real a, Real b) {
  if constexpr (wide<Real>) {
    const Real of_both = Real(1) / (a * b);
    return {b * of_both, a * of_both};
  } else {
    return {Real(1) / a, Real(1) / b};
  }
}

}  // namespace halfstep
