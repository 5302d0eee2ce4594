// Policies by which a stage kernel corrects the flux through a face. A policy has
//
//   kCorrects   false: the kernel calls none of these
//   corrected(flux, stage, cell, axis, below, above)
//               returns the corrected flux through the face below `cell` along `axis`; below, above: the
//               states of the cells beside it; all rotated. The cell may lie beyond the domain: such a flux
//               is computed, but not used.
#pragma once

#include "physics/cuda/stage/stage.hpp"
#include "physics/flux/positivity.hpp"

namespace halfstep {

/// Leaves the flux as the Riemann solver gives it.
struct NoCorrection {
  static constexpr bool kCorrects = false;
};

/// Limits the flux so that density and pressure stay positive, see positivity.hpp.
struct PositivityLimiter {
  static constexpr bool kCorrects = true;

  template <class Real>
  static __device__ Conserved<Real> corrected(const Conserved<Real>& flux, const CudaStage<Real>& stage,
                                              CellIndex, int axis, const Primitive<Real>& below,
                                              const Primitive<Real>& above) {
    const StageArguments<Real>& a = stage.arguments;
    return positive_flux(flux, below, above, face_step(a, static_cast<Real>(__ldg(stage.dt)), axis), a.gas);
  }
};

}  // namespace halfstep
