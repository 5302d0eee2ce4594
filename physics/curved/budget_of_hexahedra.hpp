// What comes in through the sides of a mesh of hexahedra.
#pragma once

#include "physics/curved/hexahedron.hpp"
#include "physics/curved/listed_faces.hpp"
#include "physics/gas/exact_conserved.hpp"

namespace halfstep {

/// Returns what comes in through a face point on a side over the length of the stage, in the plane per extent
/// along z. The flux is recomputed from the input of the stage as in a replay: the one that the face kernel
/// has let through, or a remedy.
template <class C, class Real>
HALFSTEP_HD Conserved<double> inflow_through_face(const C& c, const StageArguments<Real>& a,
                                                  const HexahedraStage<Real>& s,
                                                  const FlaggedHexahedra& flagged, const FacePoint& f) {
  const ComputedAnew<C, Real> anew{c, a, s, flagged.parts(c, s.mesh, f.element)};
  return -(double(a.dt) * weights_on_face(c, f)) * widened(anew(f));
}

}  // namespace halfstep
