// The local Lax-Friedrichs flux: Rusanov (1961). It has one wave, is the most dissipative, and never fails.
#pragma once

#include "physics/flux/riemann/physical_flux.hpp"

namespace halfstep {

struct Rusanov {
  /// Returns the flux through a face between the states `l` and `r`, u normal to the face.
  template <class Real>
  HALFSTEP_HD static Conserved<Real> flux(const Primitive<Real>& l, const Primitive<Real>& r,
                                          const IdealGas<Real>& gas) {
    const Real speed_l = magnitude(l.u) + sound_speed(l.density, l.pressure, gas);
    const Real speed_r = magnitude(r.u) + sound_speed(r.density, r.pressure, gas);
    const Real speed = max(speed_l, speed_r);
    const Conserved<Real> u_l = to_conserved(l, gas), u_r = to_conserved(r, gas);
    const Conserved<Real> mean = physical_flux(l, u_l) + physical_flux(r, u_r);
    return Real(0.5) * (mean - speed * (u_r - u_l));
  }
};

}  // namespace halfstep
