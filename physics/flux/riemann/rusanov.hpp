// The local Lax-Friedrichs flux: Rusanov (1961). It has one wave, is the most dissipative, and never fails.
#pragma once

#include "physics/flux/riemann/physical_flux.hpp"
#include "physics/gas/gases.hpp"

namespace halfstep {

struct Rusanov {
  /// Returns the larger of the fastest signals of both states.
  template <class Real, class Gas>
  HALFSTEP_HD static Real speed(const Primitive<Real>& l, const Primitive<Real>& r, const Gas& gas) {
    const Real speed_l = magnitude(l.u) + sound_speed(l.density, l.pressure, side_of(gas, true));
    const Real speed_r = magnitude(r.u) + sound_speed(r.density, r.pressure, side_of(gas, false));
    return max(speed_l, speed_r);
  }

  /// Returns the flux through a face between the states `l` and `r`, u normal to the face. `gas`: on both
  /// sides, or a GasPair.
  template <class Real, class Gas>
  HALFSTEP_HD static Conserved<Real> flux(const Primitive<Real>& l, const Primitive<Real>& r,
                                          const Gas& gas) {
    const Real speed = Rusanov::speed(l, r, gas);
    const Conserved<Real> u_l = to_conserved(l, side_of(gas, true)),
                          u_r = to_conserved(r, side_of(gas, false));
    const Conserved<Real> mean = physical_flux(l, u_l) + physical_flux(r, u_r);
    return Real(0.5) * (mean - speed * (u_r - u_l));
  }
};

}  // namespace halfstep
