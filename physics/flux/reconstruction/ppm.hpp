// Piecewise parabolic reconstruction with limiters that keep smooth extrema: Colella & Sekora (2008), J.
// Comput. Phys. 227, 7069.
#pragma once

#include <limits>

#include "physics/base/arithmetic.hpp"
#include "physics/base/select.hpp"
#include "physics/flux/reconstruction/edges.hpp"

namespace halfstep {

struct Ppm {
  static constexpr int radius = 2;

  /// Returns the edge increments. `d`: the four differences q(i-1) - q(i-2), ..., q(i+2) - q(i+1).
  template <class Real>
  HALFSTEP_HD static EdgeIncrements<Real> edges(const Real* d, Real /*inverse_scale2*/) {
    // Second differences of cells i-1, i, i+1.
    const Real below = d[1] - d[0], centre = d[2] - d[1], above = d[3] - d[2];

    // Fourth-order edge values (their eq. 16), limited where they leave the range of their two cells (eqs.
    // 13, 18).
    const Real twelfth = Real(1.0 / 12.0);
    Real upper = fma(twelfth, d[1] - d[3], Real(0.5) * d[2]);
    Real lower = -fma(twelfth, d[2] - d[0], Real(0.5) * d[1]);
    const bool upper_outside = upper * (d[2] - upper) < Real(0),
               lower_outside = lower * (-d[1] - lower) < Real(0);
    if (worth_computing(upper_outside | lower_outside)) {
      const Real upper_limited = limited_edge(d[2], upper, agreed(centre, above));
      const Real lower_limited = limited_edge(-d[1], lower, agreed(centre, below));
      upper = upper_outside ? upper_limited : upper;
      lower = lower_outside ? lower_limited : lower;
    }

    // Wide differences, so that the test does not depend on round-off where two neighbours are equal by
    // symmetry (McCorquodale & Colella 2011, section 2.4.1). Where nothing changes there is nothing to limit.
    const bool extremum = (lower * upper > Real(0)) | ((d[0] + d[1]) * (d[2] + d[3]) < Real(0));
    // Away from extrema the parabola stays monotonic (Colella & Woodward 1984, eq. 1.10).
    Real upper_edge = magnitude(upper) > Real(2) * magnitude(lower) ? Real(-2) * lower : upper;
    Real lower_edge = magnitude(lower) > Real(2) * magnitude(upper) ? Real(-2) * upper : lower;
    if (worth_computing(extremum)) {
      // Keep the fraction of the parabola's curvature that the neighbours confirm (eqs. 20-22).
      const Real curvature = Real(6) * (lower + upper);
      const Real confirmed = agreed(curvature, Real(kLargest) * agreed(centre, agreed(below, above)));
      const bool curved = magnitude(curvature) >= std::numeric_limits<Real>::min();
      const Real kept = curved ? quotient(confirmed, curved ? curvature : Real(1)) : Real(0);
      upper_edge = extremum ? upper * kept : upper_edge;
      lower_edge = extremum ? lower * kept : lower_edge;
    }
    return {lower_edge, upper_edge};
  }

 private:
  /// The largest ratio of a curvature to its neighbours': their C, any value above 1.
  static constexpr double kLargest = 1.25;

  /// Returns the smaller in magnitude; zero when the signs differ (minmod).
  template <class Real>
  HALFSTEP_HD static Real agreed(Real a, Real b) {
    const Real size = min(magnitude(a), magnitude(b));
    return a * b > Real(0) ? with_sign(size, a) : Real(0);
  }

  /// Limits an edge value outside the range of its two cells. `step`: the neighbour's average minus the
  /// cell's; `edge`: the edge between them minus the cell's average; `confirmed`: the second difference on
  /// which both cells agree.
  template <class Real>
  HALFSTEP_HD static Real limited_edge(Real step, Real edge, Real confirmed) {
    const Real curvature = Real(3) * fma(Real(-2), edge, step);
    return fma(Real(-1.0 / 6.0), agreed(curvature, Real(kLargest) * confirmed), Real(0.5) * step);
  }
};

}  // namespace halfstep
