// Piecewise linear reconstruction with a limited slope: van Leer (1979).
#pragma once

#include "physics/flux/reconstruction/edges.hpp"
#include "physics/flux/reconstruction/limiter.hpp"

namespace halfstep {

template <Limiter limiter>
struct Plm {
  static constexpr int radius = 1;

  /// Returns the edge increments. `d`: the differences q(i) - q(i-1), q(i+1) - q(i).
  template <class Real>
  HALFSTEP_HD static EdgeIncrements<Real> edges(const Real* d, Real /*inverse_scale2*/) {
    const Real half = Real(0.5) * limited_slope<limiter>(d[0], d[1]);
    return {-half, half};
  }
};

}  // namespace halfstep
