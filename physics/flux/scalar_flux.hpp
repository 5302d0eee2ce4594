// A scalar's flux: the mass flux times the upwind mass fraction Y (Larrouturou 1991, J. Comput. Phys. 95,
// 59). A uniform Y stays uniform, and a jump of Y at a contact produces no over- or undershoots.
#pragma once

#include "physics/base/select.hpp"
#include "physics/base/unrolled.hpp"

namespace halfstep {

/// Returns the edge value, bounded so that an update cannot leave [0, 1]: outflowing mass must not take more
/// of the scalar, or of the rest, than the cell holds. With all edge values at most kEdgeFactor times the
/// average, for Y and for 1 - Y alike, that is so as long as no cell loses more than 1 / kEdgeFactor of its
/// mass in a stage; inflowing values lie in [0, 1] already. (The condition of Zhang & Shu 2010, J. Comput.
/// Phys. 229, 3091, applied to each edge by itself, without their rescaling and its division.) At the foot of
/// a parabola the ratio may be four: a smooth profile that touches 0 or 1 is clipped in a cell there.
template <class Real>
HALFSTEP_HD Real bounded_fraction(Real edge, Real average) {
  constexpr Real kEdgeFactor = 3;
  const Real most = kEdgeFactor * average, least = Real(1) - kEdgeFactor * (Real(1) - average);
  return max(min(max(min(edge, most), least), Real(1)), Real(0));
}

/// Reconstructs the mass fraction at a cell's upper edge as the flow's variables, with 1 as the scale of a
/// large change. `y`: 2 radius + 1 mass fractions along the axis, the cell in the middle.
template <class Reconstruction, class Real>
HALFSTEP_HD Real upper_edge_fraction(const Real* y) {
  constexpr int r = Reconstruction::radius;
  if constexpr (r == 0) {
    return bounded_fraction(y[0], y[0]);
  } else {
    Real d[2 * r];
    unrolled<2 * r>([&](int i) HALFSTEP_INLINED { d[i] = y[i + 1] - y[i]; });
    return bounded_fraction(y[r] + Reconstruction::edges(d, Real(1)).upper, y[r]);
  }
}

/// Returns a scalar's flux through a face for a mass flux, upwards if positive. fraction(m): the mass
/// fraction in the m-th of the 2 radius + 2 cells around the face, half of them on each side. Only the upwind
/// cell is reconstructed, or not at all if the face is `first_order`.
template <class Reconstruction, class Real, class Fraction>
HALFSTEP_HD Real scalar_flux(const Fraction& fraction, Real mass_flux, bool first_order) {
  constexpr int r = Reconstruction::radius;
  const bool forward = mass_flux >= Real(0);
  Real upwind[2 * r + 1];
  unrolled<2 * r + 1>([&](int m) HALFSTEP_INLINED { upwind[m] = fraction(forward ? m : 2 * r + 1 - m); });
  return mass_flux * (first_order ? upwind[r] : upper_edge_fraction<Reconstruction>(upwind));
}

}  // namespace halfstep
