// Fifth-order WENO-Z reconstruction: Borges, Carmona, Costa & Don (2008), J. Comput. Phys. 227, 3191.
#pragma once

#include "physics/base/arithmetic.hpp"
#include "physics/base/select.hpp"
#include "physics/flux/reconstruction/edges.hpp"

namespace halfstep {

struct Weno5z {
  static constexpr int radius = 2;

  /// Returns the edge increments. `d`: the four differences q(i-1) - q(i-2), ..., q(i+2) - q(i+1);
  /// `inverse_scale2`: 1 over the square of a large change of q. Changes below 1e-5 of that count as smooth:
  /// otherwise the weights would follow the round-off in the tails of a flow, and make it grow.
  template <class Real>
  HALFSTEP_HD static EdgeIncrements<Real> edges(const Real* d, Real inverse_scale2) {
    constexpr Real smooth = Real(1e-10);

    // Smoothness indicators of the three substencils (Jiang & Shu 1996, eq. 2.9), in differences.
    const Real b0 = fma(indicator(d[1] - d[0], fma(Real(3), d[1], -d[0])), inverse_scale2, smooth);
    const Real b1 = fma(indicator(d[2] - d[1], d[1] + d[2]), inverse_scale2, smooth);
    const Real b2 = fma(indicator(d[3] - d[2], fma(Real(3), d[2], -d[3])), inverse_scale2, smooth);
    const Real tau = magnitude(b0 - b2);

    // Unnormalised weights in proportion to 1 + (tau / b)^2 (eq. 25 with p = 2).
    const Real b01 = b0 * b1, b02 = b0 * b2, b12 = b1 * b2;
    Real common, scale;  // the weight of a straight line; the common factor of tau / b
    if constexpr (wide<Real>) {
      common = square(b02 * b1), scale = tau;
    } else {  // the squares would exceed the range of single precision
      common = Real(1), scale = quotient(tau, b02 * b1);
    }
    const Real r0 = bounded(scale * b12), r1 = bounded(scale * b02), r2 = bounded(scale * b01);
    const Real a0 = fma(r0, r0, common);
    const Real a1 = fma(r1, r1, common);
    const Real a2 = fma(r2, r2, common);

    // The ideal weights (1, 6, 3)/10 at the upper edge, mirrored at the lower; candidates are in sixths.
    const Real u0 = a0, u1 = Real(6) * a1, u2 = Real(3) * a2;
    const Real l0 = Real(3) * a0, l1 = u1, l2 = a2;
    const Real upper = fma(u1, fma(Real(2), d[2], d[1]),
                           fma(u0, fma(Real(5), d[1], Real(-2) * d[0]), u2 * fma(Real(4), d[2], -d[3])));
    const Real lower = fma(l1, fma(Real(2), d[1], d[2]),
                           fma(l2, fma(Real(5), d[2], Real(-2) * d[3]), l0 * fma(Real(4), d[1], -d[0])));
    const Real sum_l = l1 + (l0 + l2), sum_u = u1 + (u0 + u2);
    const Real inverse = reciprocal(Real(6) * (sum_l * sum_u));
    return {-lower * (sum_u * inverse), upper * (sum_l * inverse)};
  }

 private:
  /// Bounds a ratio so that its square stays within the range of single precision; so large a ratio decides
  /// the weights anyway.
  template <class Real>
  HALFSTEP_HD static Real bounded(Real ratio) {
    return wide<Real> ? ratio : min(ratio, Real(1e8));
  }

  template <class Real>
  HALFSTEP_HD static Real indicator(Real second, Real first) {
    return fma(Real(13.0 / 12.0), square(second), Real(0.25) * square(first));
  }
};

}  // namespace halfstep
