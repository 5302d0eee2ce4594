// What comes in through the sides of a mesh of hexahedra.
#pragma once

#include "physics/curved/hexahedron.hpp"
#include "physics/curved/listed_faces.hpp"
#include "physics/gas/exact_conserved.hpp"

namespace halfstep {

/// Returns what comes in through a face point on a side over the length of the stage, in the plane per extent
/// along z: by the flux that the stage has found, outflow(face point), or by that of a remedy.
template <class C, class Real, class Outflow>
HALFSTEP_HD Conserved<double> inflow_through_face(const C& c, const StageArguments<Real>& a,
                                                  const HexahedraStage<Real>& s,
                                                  const FlaggedHexahedra& flagged, const FacePoint& f,
                                                  const Outflow& outflow) {
  const FirstOrderParts parts = flagged.parts(c, s.mesh, f.element);
  const Conserved<Real> out =
      parts.face[f.axis()][f.side()] ? ComputedAnew<C, Real>{c, a, s, parts}(f) : outflow(f);
  return -(double(a.dt) * weights_on_face(c, f)) * widened(out);
}

}  // namespace halfstep
