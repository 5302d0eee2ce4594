// Over-integration of the common inviscid flux at faces between hexahedra: Riemann problems at a face's fine
// points, projected to its points. That of the elements' insides alone can end a flow sooner that the points
// do not resolve. On the choice of what is integrated: G. Mengaldo et al., J. Comput. Phys. 299 (2015) 56. A
// face where a state is bad, at a point or at a fine one, keeps the fluxes at its points, which repair it. So
// do faces on sides.
#pragma once

#include "physics/curved/over_integration.hpp"

namespace halfstep {

/// Finds what flows through a face with the area `across` between two states. Returns whether both are
/// admissible.
template <class Real, class RiemannFlux>
HALFSTEP_HD bool find_flux_between(const Conserved<Real>& left, const Conserved<Real>& right,
                                   const Vector<Real>& across, const IdealGas<Real>& gas,
                                   const RiemannFlux& riemann_flux, Conserved<Real>& flux) {
  const FaceFrame<Real> frame(across);
  const Primitive<Real> l = frame.into(to_primitive(left, gas)), r = frame.into(to_primitive(right, gas));
  flux = frame.through(riemann_flux(l, r, gas));
  return is_admissible(l) & is_admissible(r);
}

/// Whether face_of_two() finds a bad state at a point of a face of two elements.
template <class C, class Real, class Ends>
HALFSTEP_HD bool has_bad_state(const C& c, const StageArguments<Real>& a, const HexahedraStage<Real>& s,
                               const FacePoint& f, const Ends& ends) {
  const auto no_flux = [](const Primitive<Real>&, const Primitive<Real>&, const IdealGas<Real>&) {
    return Conserved<Real>{};
  };
  return face_of_two<false>(c, a, s, f, ends, no_flux, false).record.bad;
}

/// What flows out of the left element at a point of a face, if no state at the face is bad.
template <class Real>
struct IntegratedFlux {
  Conserved<Real> out;
  bool is_good;
};

/// Returns the flux at point f of a left element's face as the grid finds it. ends(face point): the
/// extrapolated states.
template <class C, class Real, class Ends>
HALFSTEP_HD_COLD IntegratedFlux<Real> integrated_flux_at(const C& c, const StageArguments<Real>& a,
                                                         const HexahedraStage<Real>& s, const FacePoint& f,
                                                         const Ends& ends) {
  const FineTable& fine = *s.fine;
  const bool is_line = c.dimensions == 2;
  bool is_good = true;
  for (int point = 0; point < c.face_points; ++point)
    is_good &= !has_bad_state(c, a, s, {f.element, f.face, point}, ends);
  const auto at_fine = [&](int second, int p, const auto& value) {
    if (is_line) return value(FacePoint{f.element, f.face, p});
    return sum_with<Real>(fine.I[second], c.n, [&](int b) {
      return value(FacePoint{f.element, f.face, p + c.n * b});
    });
  };
  const auto flux_in_row = [&](int y) {
    Conserved<Real> left[FineTable::kOwn], right[FineTable::kOwn];
    Vector<Real> across[FineTable::kOwn];
    for (int p = 0; p < c.n; ++p) {
      left[p] = at_fine(y, p, [&](const FacePoint& of) { return to_conserved(ends(of), a.gas); });
      right[p] =
          at_fine(y, p, [&](const FacePoint& of) { return to_conserved(ends(s.mesh.across(c, of)), a.gas); });
      across[p] = at_fine(y, p, [&](const FacePoint& of) { return outward_area(c, s.mesh, of); });
    }
    return sum_with<Real>(fine.P[f.point % c.n], fine.q, [&](int x) {
      const auto along = [&](const auto& row) {
        return sum_with<Real>(fine.I[x], c.n, [&](int p) { return row[p]; });
      };
      Conserved<Real> flux;
      is_good &= find_flux_between(along(left), along(right), along(across), a.gas,
                                   AnyRiemannFlux<Real>{s.riemann}, flux);
      return flux;
    });
  };
  const Conserved<Real> out =
      is_line ? flux_in_row(0) : sum_with<Real>(fine.P[f.point / c.n], fine.q, flux_in_row);
  return {out, is_good};
}

}  // namespace halfstep
