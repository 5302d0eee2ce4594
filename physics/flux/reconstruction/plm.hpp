// Piecewise linear reconstruction with a limited slope: van Leer (1979).
#pragma once

#include "physics/base/arithmetic.hpp"
#include "physics/base/select.hpp"
#include "physics/flux/reconstruction/edges.hpp"
#include "physics/flux/scheme.hpp"

namespace halfstep {

/// Returns the limited slope from the two one-sided differences; zero at an extremum.
template <Limiter limiter, class Real>
HALFSTEP_HD Real limited_slope(Real below, Real above) {
  const Real product = below * above;
  if constexpr (limiter == Limiter::van_leer) {  // van Leer (1974): the harmonic mean
    const Real sum = below + above;
    return product > Real(0) ? quotient(Real(2) * product, sum) : Real(0);
  } else {
    const Real a = magnitude(below), b = magnitude(above);
    Real size = smaller(a, b);
    if constexpr (limiter == Limiter::mc)  // van Leer (1977), eq. 66
      size = smaller(Real(2) * size, Real(0.5) * (a + b));
    return product > Real(0) ? with_sign(size, below) : Real(0);
  }
}

template <Limiter limiter>
struct Plm {
  static constexpr Reconstruction kind = Reconstruction::plm;
  static constexpr int radius = 1;

  /// Returns the edge increments. `d`: the differences q(i) - q(i-1), q(i+1) - q(i).
  template <class Real>
  HALFSTEP_HD static EdgeIncrements<Real> edges(const Real* d, Real /*inverse_scale2*/) {
    const Real half = Real(0.5) * limited_slope<limiter>(d[0], d[1]);
    return {-half, half};
  }
};

}  // namespace halfstep
