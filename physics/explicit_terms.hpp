// What a problem adds to the inviscid equations that a stage integrates explicitly: viscous stress and heat
// conduction, with the walls they need, and gravity.
#pragma once

#include <array>

#include "physics/boundary.hpp"
#include "physics/viscous.hpp"

namespace halfstep {

struct ExplicitTerms {
  TransportLaw<double> transport;
  int viscous_order = 2;            ///< of the central differences: 2 or 4
  std::array<double, 3> gravity{};  ///< acceleration
  Walls walls;

  bool viscous() const { return transport.reference.viscosity > 0; }
  bool has_gravity() const { return gravity != std::array<double, 3>{}; }
  bool active() const { return viscous() || has_gravity(); }
};

}  // namespace halfstep
