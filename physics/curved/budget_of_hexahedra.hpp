// What comes in through the sides of a mesh of hexahedra.
#pragma once

#include "physics/curved/hexahedron.hpp"
#include "physics/curved/listed_faces.hpp"
#include "physics/gas/exact_conserved.hpp"

namespace halfstep {

/// Returns the flux that a stage has taken at a face point on a side: the one that it has found, or under a
/// remedy one of first order.
template <class C, class Real>
HALFSTEP_HD Conserved<Real> flux_taken(const C& c, const StageArguments<Real>& a,
                                       const HexahedraStage<Real>& s, const FlaggedHexahedra& flagged,
                                       const FacePoint& f, const Conserved<Real>& found) {
  const FirstOrderParts parts = flagged.parts(c, s.mesh, f.element);
  return parts.face[f.axis()][f.side()] ? ComputedAnew<C, Real>{c, a, s, parts}(f) : found;
}

/// Returns what comes in through a face point over a step of length `dt`, in the plane per extent along z.
template <class C, class Real>
HALFSTEP_HD Conserved<double> inflow_through_face(const C& c, Real dt, const FacePoint& f,
                                                  const Conserved<Real>& outflow) {
  return -(double(dt) * weight_on_face(c, f)) * widened(outflow);
}

}  // namespace halfstep
