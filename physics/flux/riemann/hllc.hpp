// The three-wave flux of Toro, Spruce & Speares (1994), which restores the contact wave to HLL, with
// Einfeldt's wave speeds, as Batten, Clarke, Lambert & Causon (1997) take them.
#pragma once

#include "physics/flux/riemann/wave_speeds.hpp"

namespace halfstep {

/// Returns the flux through a face between the states `l` and `r`, u normal to the face. `gas`: on both
/// sides, or a GasPair.
///
/// Every region's flux has one form, s U + p (0, 1, 0, 0, s): outside the fan s is the flow's own normal
/// velocity, inside it is the contact's. The region is therefore selected first and one flux computed.
///
/// `Damping` says whether the fan's pressure has all of what a jump of the normal velocity adds to it; if
/// not, `Damping::missing` is the part that it lacks.
template <class Damping, class Real, class Gas>
HALFSTEP_HD Conserved<Real> three_wave_flux(const Primitive<Real>& l, const Primitive<Real>& r,
                                            const Gas& gas) {
  const WaveSpeeds<Real> speeds = einfeldt_speeds(l, r, gas);

  // Contact speed: Toro (2009), eq. 10.37, force / mass. Mass fluxes into the two outer waves; their
  // difference is negative.
  const Real into_l = l.density * (speeds.left - l.u), into_r = r.density * (speeds.right - r.u);
  const Real force = (r.pressure - l.pressure) + fma(into_l, l.u, -(into_r * r.u)), mass = into_l - into_r;

  const bool from_left = force <= Real(0);
  const Primitive<Real> k = select(from_left, l, r);
  const Real outer = from_left ? speeds.left : speeds.right;
  const Real into = from_left ? into_l : into_r;

  // The contact's speed, and one over its distance from the outer wave, gap / mass.
  const Real gap = fma(outer, mass, -force);
  const auto [inverse_mass, inverse_gap] = reciprocals(mass, gap);
  const Real contact = force * inverse_mass, inverse = mass * inverse_gap;
  const bool in_fan = (from_left & (outer < Real(0))) | (!from_left & (outer > Real(0)));

  // Star state of that side: Toro (2009), eqs. 10.36 and 10.39, by the jump conditions across its outer
  // wave; enthalpy per volume, E + p.
  const Real energy = fma(k.pressure, side_of(gas, from_left).energy_per_pressure, kinetic_energy(k));
  const Real pressure_star = fma(into, contact - k.u, k.pressure);
  const Real density_star = into * inverse;
  const Real work = fma(pressure_star, outer, -(k.pressure * k.u));
  const Real enthalpy_star = fma(outer - k.u, energy, work) * inverse;

  const Real s = in_fan ? contact : k.u;
  Real p = in_fan ? pressure_star : k.pressure;
  Real enthalpy = in_fan ? enthalpy_star : energy + p;
  const Real density = in_fan ? density_star : k.density;
  if constexpr (Damping::is_reduced) {
    // With less pressure in the fan the jump conditions change the star state's momentum, too: the flux
    // changes by S / (S - s) of it, S the outer wave's speed.
    const Real added = into * inverse_mass * (from_left ? into_r : into_l) * (l.u - r.u);
    const Real missing = in_fan ? Damping::missing(l, r, gas) * added * (outer * inverse) : Real(0);
    p = p - missing;
    enthalpy = enthalpy - missing;
  }
  const Real mass_flux = s * density;
  return {mass_flux, fma(mass_flux, s, p), mass_flux * k.v, mass_flux * k.w, s * enthalpy};
}

struct Hllc {
  struct Damping {
    static constexpr bool is_reduced = false;
  };
  template <class Real, class Gas>
  HALFSTEP_HD static Conserved<Real> flux(const Primitive<Real>& l, const Primitive<Real>& r,
                                          const Gas& gas) {
    return three_wave_flux<Damping>(l, r, gas);
  }
};

}  // namespace halfstep
