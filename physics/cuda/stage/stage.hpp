// The arguments and the kernel of a stage on a CUDA device.
#pragma once

#include <cuda_runtime.h>

#include "physics/cuda/stage/kernel_configuration.hpp"
#include "physics/cuda/stage/tile.hpp"
#include "physics/flux/scheme.hpp"
#include "physics/stage/stage.hpp"
#include "runtime/exchange/notes.hpp"
#include "runtime/interruptible/tile_queue.hpp"
#include "runtime/soft_error/reporter.hpp"

namespace halfstep {

/// The results that a stage reduces over its blocks.
struct StageResult {
  unsigned long long cfl_rate_bits;  ///< bits of a positive double, which order as the values do
  unsigned long long bad_faces;
};

/// The pieces along z that a launch advances: `first` and every `step`-th after it.
struct Pieces {
  int first = 0, step = 1;
};

/// Ghost cells of other ranks that copy the first and the last planes of this one's block, in memory that its
/// device reaches.
template <class Real>
struct Twins {
  int planes[2];  ///< that have them: the first ones, the last ones
  Real* of[2];    ///< where a twin of cell (0, 0, 0) would be; a cell's is as far from it as the cell is
  std::int64_t field_stride[2];
  /// The sweep begins by telling that the stage before has written twins. Pieces that read such cells await
  /// it.
  exchange::NotesAlongAxis notes;
};

template <class Real>
struct CudaStage {
  StageArguments<Real> arguments;
  const double* dt;  ///< the step's, on the device; used in place of arguments.dt
  soft_error::Reporter<> reporter;
  StageResult* result;
  int tiles_x;  ///< tiles in a row
  int tiles;    ///< tiles of a plane; a block advances a piece of `march` planes of one tile
  int march;
  interruptible::TileQueueView queue;  ///< if active, gives the piece; else `pieces` do, by blockIdx
  int period[3];  ///< in cells, where interior cells are read in place of their periodic images; else 0
  Pieces pieces;
  Twins<Real> twins;
};

/// A cell of the mesh.
struct CellIndex {
  int i, j, k;
};

// Policies by which a stage kernel reports soft errors; see reports.cuh.
struct RaiseOnce;
struct NoReports;
// Policies by which it corrects fluxes; see corrections.cuh.
struct NoCorrection;
struct PositivityLimiter;

template <class Real>
using StageKernel = void (*)(CudaStage<Real>);

/// Returns the stage kernel. Defined in body.cuh, instantiated once per reconstruction in
/// generated files. With scalars, a correction or twins only Hllc with RaiseOnce is instantiated, and with
/// one of these alone: kernels that write no twins should not pay for those that do. That for stretched axes
/// has scalars, too, any number of them, and that of two gases is for both.
template <class Reconstruction, Variables variables, class RiemannSolver, class Real,
          class Reports = RaiseOnce, bool has_scalars = false, class Correction = NoCorrection,
          bool writes_twins = false, bool is_stretched = false, bool two_gases = false>
StageKernel<Real> stage_kernel();

}  // namespace halfstep
