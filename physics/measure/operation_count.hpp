// How many floating-point operations a scheme needs: the program's own functions, run on numbers that count.
#pragma once

#include "physics/measure/counted.hpp"
#include "physics/scheme.hpp"

namespace halfstep {

/// Of a scheme for the Euler equations, in a smooth flow that moves along all axes, in the scheme's
/// precision.
struct SchemeOperations {
  Operations to_primitive;  ///< a cell and stage
  Operations edges;         ///< a cell, stage and axis: the states at its two edges
  Operations face;    ///< a face, which is one a cell, stage and axis: the checks and the Riemann problem
  Operations update;  ///< a cell and stage: the differences of fluxes, the update and its check
  Operations signal_rate;  ///< a cell and step

  /// Of a cell through one whole step: what the scheme needs, not what a kernel does twice.
  Operations step(Integrator integrator, int swept_axes) const;
};
SchemeOperations operations(const Scheme& scheme);

}  // namespace halfstep
