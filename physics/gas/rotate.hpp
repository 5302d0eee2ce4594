// Rotation of vector components to the normal of a face.
#pragma once

#include "physics/gas/state.hpp"

namespace halfstep {

/// Returns the state with the velocity along `axis` first, then the two others in order.
template <class Real>
HALFSTEP_HD Primitive<Real> rotated(const Primitive<Real>& q, int axis) {
  return axis == 0   ? q
         : axis == 1 ? Primitive<Real>{q.density, q.v, q.u, q.w, q.pressure}
                     : Primitive<Real>{q.density, q.w, q.u, q.v, q.pressure};
}
template <class Real>
HALFSTEP_HD Conserved<Real> rotated(const Conserved<Real>& c, int axis) {
  return axis == 0   ? c
         : axis == 1 ? Conserved<Real>{c.density, c.mv, c.mu, c.mw, c.energy}
                     : Conserved<Real>{c.density, c.mw, c.mu, c.mv, c.energy};
}
/// Returns the flux with its components in (x, y, z) order, the inverse of rotated().
template <class Real>
HALFSTEP_HD Conserved<Real> unrotated(const Conserved<Real>& f, int axis) {
  return axis == 0   ? f
         : axis == 1 ? Conserved<Real>{f.density, f.mv, f.mu, f.mw, f.energy}
                     : Conserved<Real>{f.density, f.mv, f.mw, f.mu, f.energy};
}

}  // namespace halfstep
