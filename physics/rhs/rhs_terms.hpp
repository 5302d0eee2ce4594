// The terms that a stage integrates explicitly besides the inviscid fluxes: viscous stress and heat
// conduction, with their wall parameters, gravity and what drives the flow.
#pragma once

#include <array>

#include "physics/gas/transport.hpp"
#include "physics/mesh/boundary.hpp"
#include "physics/rhs/driving.hpp"

namespace halfstep {

struct RhsTerms {
  TransportLaw<double> transport;
  int viscous_order = 2;            ///< of the central differences: 2 or 4
  std::array<double, 3> gravity{};  ///< acceleration
  Walls walls;
  Driving driving;

  bool viscous() const { return transport.reference.viscosity > 0; }
  bool has_gravity() const { return gravity != std::array<double, 3>{}; }
  /// Whether gravity or what drives the flow pushes the gas.
  bool has_forces() const { return has_gravity() || driving.active(); }
  bool active() const { return viscous() || has_forces(); }
};

}  // namespace halfstep
