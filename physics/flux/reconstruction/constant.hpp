// Piecewise constant reconstruction: Godunov (1959).
#pragma once

#include "physics/flux/reconstruction/edges.hpp"
#include "runtime/device/host_device.hpp"

namespace halfstep {

struct Constant {
  static constexpr int radius = 0;

  template <class Real>
  HALFSTEP_HD static EdgeIncrements<Real> edges(const Real* /*d*/, Real /*inverse_scale2*/) {
    return {Real(0), Real(0)};
  }
};

}  // namespace halfstep
