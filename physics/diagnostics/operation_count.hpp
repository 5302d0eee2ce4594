// The floating-point operations of a scheme, counted by running the program's functions on counting numbers.
#pragma once

#include "physics/diagnostics/counted.hpp"
#include "physics/flux/scheme.hpp"

namespace halfstep {

/// The operations of a scheme for the Euler equations, in a smooth flow that moves along all axes, in the
/// scheme's precision.
struct SchemeOperations {
  Operations to_primitive;  ///< per cell and stage
  Operations edges;         ///< per cell, stage and axis: the states at its two edges
  Operations face;          ///< per face, one per cell, stage and axis: the checks and the Riemann problem
  Operations update;        ///< per cell and stage: the differences of fluxes, the update and its check
  Operations cfl_rate;      ///< per cell and step

  /// Returns the operations of a cell in a whole step that the scheme needs, without a kernel's redundant
  /// work.
  Operations step(Integrator integrator, int active_axes) const;
};
SchemeOperations operations(const Scheme& scheme);

}  // namespace halfstep
