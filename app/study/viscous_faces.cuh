// The viscous terms in the stage kernel, as a correction of its fluxes: what a kernel that has them takes.
// The solver adds them in a pass of its own, see docs/numerics.md.
#pragma once

#include "physics/cuda/stage/corrections.cuh"
#include "physics/rhs/viscous_flux.hpp"

namespace halfstep {

/// The transport coefficients of ViscousFaces; zeros unless a test sets them.
template <class Real>
__constant__ Transport<Real> stage_transport;

struct ViscousFaces {
  static constexpr bool kCorrects = true;

  template <class Real>
  static __device__ Conserved<Real> corrected(const Conserved<Real>& flux, const CudaStage<Real>& stage,
                                              CellIndex cell, int axis, const Primitive<Real>& below,
                                              const Primitive<Real>& above) {
    const StageArguments<Real>& a = stage.arguments;
    const auto [i, j, k] = cell;
    // Outside the domain neighbours are missing.
    if (i >= a.layout.cells[0] + (axis == 0) || j >= a.layout.cells[1] + (axis == 1)) return flux;
    return flux + viscous_face_flux(a, stage_transport<Real>, a.layout.index(i, j, k), axis, below, above);
  }
};

}  // namespace halfstep
