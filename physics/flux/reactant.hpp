// The reactant's flux: the mass flux times the upwind mass fraction Y (Larrouturou 1991, J. Comput. Phys. 95,
// 59). A uniform Y stays uniform, and a jump of Y at a contact produces no over- or undershoots.
#pragma once

#include "physics/base/select.hpp"
#include "physics/base/unrolled.hpp"

namespace halfstep {

/// Returns the edge value, bounded so that an update cannot leave [0, 1]: outflowing mass must not take more
/// reactant, or more of the rest, than the cell holds. With all edge values at most kEdgeFactor times the
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

/// Mass fractions at a cell's two edges along one axis.
template <class Real>
struct EdgeFractions {
  Real lower, upper;
};

/// Reconstructs mass fractions as the flow's variables, with 1 as the scale of a large change. `y`: 2 radius
/// + 1 mass fractions along the axis, the cell in the middle.
template <class Reconstruction, class Real>
HALFSTEP_HD EdgeFractions<Real> edge_fractions(const Real* y) {
  constexpr int r = Reconstruction::radius;
  if constexpr (r == 0) {
    return {bounded_fraction(y[0], y[0]), bounded_fraction(y[0], y[0])};
  } else {
    Real d[2 * r];
    unrolled<2 * r>([&](int i) HALFSTEP_INLINED { d[i] = y[i + 1] - y[i]; });
    const auto edge = Reconstruction::edges(d, Real(1));
    return {bounded_fraction(y[r] + edge.lower, y[r]), bounded_fraction(y[r] + edge.upper, y[r])};
  }
}

/// Returns the reactant's flux for a mass flux, upwards if positive, between mass fractions `lower` and
/// `upper`.
template <class Real>
HALFSTEP_HD Real reactant_flux(Real mass_flux, Real lower, Real upper) {
  return mass_flux * (mass_flux >= Real(0) ? lower : upper);
}

/// Returns the reactant's flux from the 2 radius + 2 mass fractions around a face, half of them on each side;
/// from the cell averages if the face is `first_order`. Only the upwind side is reconstructed.
template <class Reconstruction, class Real>
HALFSTEP_HD Real reactant_flux(const Real* y, Real mass_flux, bool first_order) {
  constexpr int r = Reconstruction::radius;
  const bool forward = mass_flux >= Real(0);
  Real upwind[2 * r + 1];
  unrolled<2 * r + 1>([&](int m) HALFSTEP_INLINED { upwind[m] = forward ? y[m] : y[2 * r + 1 - m]; });
  const Real edge = edge_fractions<Reconstruction>(upwind).upper;
  return mass_flux * (first_order ? upwind[r] : edge);
}

}  // namespace halfstep
