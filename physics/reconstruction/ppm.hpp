// Piecewise parabolic reconstruction with limiters that keep smooth extrema: Colella & Sekora (2008), J.
// Comput. Phys. 227, 7069.
#pragma once

#include "physics/reconstruction/edges.hpp"
#include "physics/scheme.hpp"
#include "physics/select.hpp"

namespace halfstep {

struct Ppm {
  static constexpr Reconstruction kind = Reconstruction::ppm;
  static constexpr int radius = 2;

  /// `d`: the four differences q(i-1) - q(i-2), ..., q(i+2) - q(i+1).
  template <class Real>
  HALFSTEP_HD static EdgeIncrements<Real> edges(const Real* d, Real /*inverse_scale2*/) {
    // Second differences of cells i-1, i, i+1.
    const Real below = d[1] - d[0], centre = d[2] - d[1], above = d[3] - d[2];

    // Fourth-order edge values (their eq. 16), limited where they leave the range of their two cells (eqs.
    // 13, 18).
    const Real twelfth = Real(1.0 / 12.0);
    const Real upper = limited_edge(d[2], Real(0.5) * d[2] + twelfth * (d[1] - d[3]), agreed(centre, above));
    const Real lower =
        limited_edge(-d[1], -(Real(0.5) * d[1] + twelfth * (d[2] - d[0])), agreed(centre, below));

    // At an extremum: keep the fraction of the parabola's curvature that the neighbours confirm (eqs. 20-22).
    const Real curvature = Real(6) * (lower + upper);
    const Real confirmed = agreed(curvature, Real(kLargest) * agreed(centre, agreed(below, above)));
    // The wide differences do not hang on round-off where two neighbours are equal by symmetry (McCorquodale
    // & Colella 2011, section 2.4.1).
    const bool extremum = (lower * upper >= Real(0)) | ((d[0] + d[1]) * (d[2] + d[3]) <= Real(0));
    const bool curved = curvature != Real(0);
    const Real kept = curved ? confirmed / (curved ? curvature : Real(1)) : Real(0);

    // Elsewhere: the parabola stays monotonic (Colella & Woodward 1984, eq. 1.10).
    const Real upper_monotonic = magnitude(upper) > Real(2) * magnitude(lower) ? Real(-2) * lower : upper;
    const Real lower_monotonic = magnitude(lower) > Real(2) * magnitude(upper) ? Real(-2) * upper : lower;
    return {extremum ? lower * kept : lower_monotonic, extremum ? upper * kept : upper_monotonic};
  }

 private:
  /// How much larger than its neighbours' a curvature may be: their C, any value above 1.
  static constexpr double kLargest = 1.25;

  /// The smaller in magnitude, zero when the signs differ.
  template <class Real>
  HALFSTEP_HD static Real agreed(Real a, Real b) {
    const Real size = smaller(magnitude(a), magnitude(b));
    return a * b > Real(0) ? with_sign(size, a) : Real(0);
  }

  /// `step`: the neighbour's average minus the cell's; `edge`: the edge between them minus the cell's
  /// average; `confirmed`: the second difference on which both cells agree.
  template <class Real>
  HALFSTEP_HD static Real limited_edge(Real step, Real edge, Real confirmed) {
    const Real curvature = Real(3) * (step - Real(2) * edge);
    const Real limited = agreed(curvature, Real(kLargest) * confirmed);
    const bool outside = edge * (step - edge) < Real(0);
    return outside ? Real(0.5) * step - Real(1.0 / 6.0) * limited : edge;
  }
};

}  // namespace halfstep
