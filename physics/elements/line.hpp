// Flux reconstruction along one line of an element's points: pure functions of states, which know no index
// and no axis. States and fluxes are rotated to the line: u is along it. The line's states are an array, or
// anything else whose operator[] returns the state of a point.
#pragma once

#include "physics/elements/operators.hpp"
#include "physics/flux/any_scheme.hpp"
#include "physics/flux/riemann/physical_flux.hpp"
#include "physics/stage/replay.hpp"

namespace halfstep {

/// Adds s * b to a.
template <class Real>
HALFSTEP_HD void add_multiple(Conserved<Real>& a, Real s, const Conserved<Real>& b) {
  a.density = fma(s, b.density, a.density);
  a.mu = fma(s, b.mu, a.mu);
  a.mv = fma(s, b.mv, a.mv);
  a.mw = fma(s, b.mw, a.mw);
  a.energy = fma(s, b.energy, a.energy);
}

/// Returns the polynomial through the states u of a line's points at its lower or upper end (`side`).
template <int degree, class Line>
HALFSTEP_HD auto at_end(const Line& u, int side) {
  const auto& l = operators<degree>().l[side];
  using Real = decltype(Conserved(u[0]).density);
  Conserved<Real> end = Real(l[0]) * u[0];
  for (int j = 1; j <= degree; ++j) add_multiple(end, Real(l[j]), u[j]);
  return end;
}

/// Returns the common flux at the face point between two lines, with the states that it is of: the Riemann
/// solver's between the extrapolated states, or between those of the points beside the face where an
/// extrapolated one is inadmissible. `first_order`: Rusanov's between these points.
template <int degree, class Real>
HALFSTEP_HD FaceRecord<Real> face_between(const Conserved<Real>* below, const Conserved<Real>* above,
                                          Riemann riemann, const IdealGas<Real>& gas, bool first_order) {
  const Primitive<Real> point_l = to_primitive(below[degree], gas), point_r = to_primitive(above[0], gas);
  if (first_order) return {point_l, point_r, Rusanov::flux(point_l, point_r, gas), false, true};
  const Primitive<Real> left = to_primitive(at_end<degree>(below, 1), gas),
                        right = to_primitive(at_end<degree>(above, 0), gas);
  const FaceFlux<Real> f = any_checked_flux(riemann, left, right, point_l, point_r, gas);
  return {left, right, f.flux, f.bad, false};
}

/// Finds dF/dxi at a line's points: the slope of the polynomial through the fluxes F of the states u,
/// corrected so that it takes the common fluxes `lower` and `upper` at the ends (Huynh 2007).
template <int degree, class Line, class Real>
HALFSTEP_HD void find_slope(const Line& u, const Conserved<Real>& lower, const Conserved<Real>& upper,
                            const IdealGas<Real>& gas, Conserved<Real> (&slope)[degree + 1]) {
  const Operators<degree>& of = operators<degree>();
  for (int i = 0; i <= degree; ++i) {
    slope[i] = Real(of.g[0][i]) * lower;
    add_multiple(slope[i], Real(of.g[1][i]), upper);
  }
  for (int j = 0; j <= degree; ++j) {
    const Conserved<Real> own = u[j], F = physical_flux(to_primitive(own, gas), own);
    for (int i = 0; i <= degree; ++i) add_multiple(slope[i], Real(of.C[i][j]), F);
  }
}

/// Finds the same of first order: each point stands for a cell as wide as its weight, with Rusanov's flux
/// between neighbours. At most 1 / sum_d (a_d / width_d) long, a the larger of |u_d| + c in the cell and its
/// neighbours, a step leaves the cells positive (Perthame & Shu 1996).
template <int degree, class Real>
HALFSTEP_HD void find_first_order_slope(const Conserved<Real>* u, const Conserved<Real>& lower,
                                        const Conserved<Real>& upper, const IdealGas<Real>& gas,
                                        Conserved<Real> (&slope)[degree + 1]) {
  Conserved<Real> below = lower;
  for (int i = 0; i <= degree; ++i) {
    const Conserved<Real> above =
        i < degree ? Rusanov::flux(to_primitive(u[i], gas), to_primitive(u[i + 1], gas), gas) : upper;
    slope[i] = Real(1 / operators<degree>().w[i]) * (above - below);
    below = above;
  }
}

}  // namespace halfstep
