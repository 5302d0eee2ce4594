// How the reactant crosses a face: carried by the mass that does, with the mass fraction Y of the side it
// comes from (Larrouturou 1991, J. Comput. Phys. 95, 59). So where Y is the same everywhere it stays so, and
// where it jumps with a contact it takes no value that neither side has.
#pragma once

#include "physics/select.hpp"
#include "physics/unrolled.hpp"

namespace halfstep {

/// What a face value is allowed, so that an update cannot leave [0, 1]: mass that leaves a cell takes neither
/// more reactant than the cell can give nor more of the rest. With all edge values at most kEdgeFactor times
/// the average, for Y and for 1 - Y alike, that holds as long as no cell loses more than 1 / kEdgeFactor of
/// its mass in a stage; what comes in lies in [0, 1] already. (The condition of Zhang & Shu 2010, J. Comput.
/// Phys. 229, 3091, asked of each edge by itself, without their rescaling and its division.) At the
/// foot of a parabola the ratio may be four: a smooth profile that touches 0 or 1 is clipped in a cell there.
template <class Real>
HALFSTEP_HD Real bounded_fraction(Real edge, Real average) {
  constexpr Real kEdgeFactor = 3;
  const Real most = kEdgeFactor * average, least = Real(1) - kEdgeFactor * (Real(1) - average);
  return larger(smaller(larger(smaller(edge, most), least), Real(1)), Real(0));
}

/// Mass fractions at a cell's two edges along one axis.
template <class Real>
struct EdgeFractions {
  Real lower, upper;
};

/// `y`: 2 radius + 1 mass fractions along the axis, the cell in the middle. By the reconstruction of the
/// flow's variables; a large change of a mass fraction is 1.
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

/// The reactant's flux where `mass_flux` crosses from the lower side, of mass fraction `lower`, if positive.
template <class Real>
HALFSTEP_HD Real reactant_flux(Real mass_flux, Real lower, Real upper) {
  return mass_flux * (mass_flux >= Real(0) ? lower : upper);
}

/// From the 2 radius + 2 mass fractions around a face, half of them on each side; of the cells' averages if
/// the face is `first_order`. Only the side the mass comes from is reconstructed, seen along the flow.
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
