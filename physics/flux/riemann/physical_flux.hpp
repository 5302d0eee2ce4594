// The Euler flux of one state.
#pragma once

#include "physics/base/select.hpp"
#include "physics/gas/eos.hpp"

namespace halfstep {

/// Returns the flux along the normal (u) of the state q, whose conserved form is c. Toro (2009), eq. 3.3.
template <class Real>
HALFSTEP_HD Conserved<Real> physical_flux(const Primitive<Real>& q, const Conserved<Real>& c) {
  return {c.mu, fma(c.mu, q.u, q.pressure), c.mv * q.u, c.mw * q.u, (c.energy + q.pressure) * q.u};
}

}  // namespace halfstep
