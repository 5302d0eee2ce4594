// One stage on a CUDA device, as the solver launches it.
#pragma once

#include <cuda_runtime.h>

#include "physics/scheme.hpp"
#include "physics/stage.hpp"
#include "physics/stage_shape.hpp"
#include "runtime/interruptible/tile_queue.hpp"
#include "runtime/soft_error/reporter.hpp"

namespace halfstep {

/// What a stage adds up over its blocks.
struct StageResult {
  unsigned long long signal_rate_bits;  ///< of a positive double: bits order as values do
  unsigned long long bad_faces;
};

template <class Real>
struct CudaStage {
  StageArguments<Real> arguments;
  const double* dt;  ///< of the step, on the device; used in place of arguments.dt
  soft_error::Reporter<> reporter;
  StageResult* result;
  int tiles_x;  ///< tiles in a row
  int tiles;    ///< columns of tiles, each in pieces of `march` planes: a block does one piece of one tile
  int march;
  interruptible::TileQueueView queue;  ///< active: gives the piece; else it is (blockIdx.x, blockIdx.y)
  int period[3];  ///< in cells, where those are read that ghost cells are images of; else 0
};

// How a stage kernel tells of its soft errors; see stage_reports.cuh.
struct RaiseOnce;
struct NoReports;

template <class Real>
using StageKernel = void (*)(CudaStage<Real>);

/// Defined in stage_cuda_body.cuh, instantiated once per reconstruction in generated files. `fields`: of the
/// layout; with a reactant or `positive` only Hllc that reports is instantiated. `viscous`: with the viscous
/// terms. `positive`: with limited fluxes.
template <class Reconstruction, Variables variables, class RiemannSolver, class Real,
          class Reports = RaiseOnce, int fields = kFields, bool viscous = false, bool positive = false>
StageKernel<Real> stage_kernel();

}  // namespace halfstep
