// The load on a body from what flows into it.
#pragma once

#include "physics/diagnostics/totals.hpp"

namespace halfstep {

/// Returns the load by the inviscid and the viscous flux into a body, a unit of area and time, through an
/// area. `arm`: from the point that moments are about.
HALFSTEP_HD BodyLoads load_of_flux(const Conserved<double>& inviscid, const Conserved<double>& viscous,
                                   double area, const double (&arm)[3]) {
  BodyLoads load;
  const double by_pressure[3] = {area * inviscid.mu, area * inviscid.mv, area * inviscid.mw};
  const double by_friction[3] = {area * viscous.mu, area * viscous.mv, area * viscous.mw};
  for (int n = 0; n < 3; ++n) {
    load.pressure_force[n] = by_pressure[n];
    load.friction_force[n] = by_friction[n];
    const int second = (n + 1) % 3, third = (n + 2) % 3;
    load.moment[n] = arm[second] * (by_pressure[third] + by_friction[third]) -
                     arm[third] * (by_pressure[second] + by_friction[second]);
  }
  load.heat = area * viscous.energy;
  return load;
}

}  // namespace halfstep
