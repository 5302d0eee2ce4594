// The loads on a body as dimensionless coefficients.
#pragma once

#include "physics/diagnostics/totals.hpp"

namespace halfstep {

/// The stream, the area and the length by which loads become coefficients. All 0: there are none.
struct LoadReference {
  double density = 0, velocity = 0, area = 0, length = 0;

  bool is_given() const { return density > 0 && velocity > 0 && area > 0 && length > 0; }
  bool operator==(const LoadReference&) const = default;
};

struct LoadCoefficients {
  double force[3], moment[3], heat;
};

/// Returns the force over q A, the moment over q A L and the heat over q U A, with the area A, the length L
/// and the dynamic pressure q = density U^2 / 2 of the reference, which is given. Anderson, Fundamentals of
/// Aerodynamics (2011), section 1.5; the heat as in Bird, Molecular Gas Dynamics (1994), section 7.2.
inline LoadCoefficients coefficients(const BodyLoads& load, const LoadReference& of) {
  const double scale = 1 / (0.5 * of.density * of.velocity * of.velocity * of.area);
  LoadCoefficients c{};
  for (int n = 0; n < 3; ++n) {
    c.force[n] = scale * (load.pressure_force[n] + load.friction_force[n]);
    c.moment[n] = scale / of.length * load.moment[n];
  }
  c.heat = scale / of.velocity * load.heat;
  return c;
}

}  // namespace halfstep
