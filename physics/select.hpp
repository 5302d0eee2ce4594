// Minimum, maximum and square as plain selections: the same result on host and device, and no branch in a
// vectorised loop. Where an argument is NaN the second is returned.
#pragma once

#include <cmath>

#include "runtime/device/host_device.hpp"

namespace halfstep {

template <class Real>
HALFSTEP_HD Real smaller(Real a, Real b) {
  return a < b ? a : b;
}
template <class Real>
HALFSTEP_HD Real larger(Real a, Real b) {
  return a > b ? a : b;
}
template <class Real>
HALFSTEP_HD Real square(Real a) {
  return a * a;
}
template <class Real>
HALFSTEP_HD Real magnitude(Real a) {
  return a < Real(0) ? -a : a;
}

// std::sqrt and std::copysign under names that numbers of another kind can have, too.
template <class Real>
HALFSTEP_HD Real square_root(Real a) {
  return std::sqrt(a);
}
template <class Real>
HALFSTEP_HD Real with_sign(Real size, Real of) {
  return std::copysign(size, of);
}

}  // namespace halfstep
