// The two-wave flux of Harten, Lax & van Leer (1983) with Einfeldt's wave speeds (1988).
#pragma once

#include "physics/flux/riemann/physical_flux.hpp"
#include "physics/flux/riemann/wave_speeds.hpp"

namespace halfstep {

struct Hll {
  /// Returns the flux through a face between the states `l` and `r`, u normal to the face. Toro (2009),
  /// eq. 10.21.
  template <class Real>
  HALFSTEP_HD static Conserved<Real> flux(const Primitive<Real>& l, const Primitive<Real>& r,
                                          const IdealGas<Real>& gas) {
    const WaveSpeeds<Real> speeds = einfeldt_speeds(l, r, gas);
    // With both speeds clipped at zero one formula holds for sub- and supersonic flow.
    const Real s_l = min(speeds.left, Real(0)), s_r = max(speeds.right, Real(0));
    const Conserved<Real> u_l = to_conserved(l, gas), u_r = to_conserved(r, gas);
    const Conserved<Real> f_l = physical_flux(l, u_l), f_r = physical_flux(r, u_r);
    const Real weight = reciprocal(s_r - s_l);
    return weight * ((s_r * f_l - s_l * f_r) + (s_l * s_r) * (u_r - u_l));
  }
};

}  // namespace halfstep
