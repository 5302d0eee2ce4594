// One stage on a CUDA device, as the solver launches it.
#pragma once

#include <cuda_runtime.h>

#include "physics/stage.hpp"
#include "runtime/interruptible/tile_queue.hpp"
#include "runtime/soft_error/reporter.hpp"

namespace halfstep {

/// What a stage adds up over its blocks.
struct StageResult {
  unsigned long long signal_rate_bits;  ///< of a positive double: bits order as values do
  unsigned long long bad_faces;
};

/// A block's tile: cells_x * cells_y threads, one a column of cells; it marches along z.
struct TileShape {
  int cells_x, cells_y;
  int threads() const { return cells_x * cells_y; }
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
};

/// What a stage kernel tells of its soft errors. `none` exists to measure what telling costs: such a kernel
/// keeps its wave-speed reduction and the repair of bad faces, but counts and raises nothing and is never
/// cancelled.
enum class Reporting { raise_once, none };

template <class Real>
using StageKernel = void (*)(CudaStage<Real>);

/// Defined in stage_cuda_body.cuh, instantiated once per reconstruction in generated files. `fields`: of the
/// layout; with a reactant only Hllc that reports is instantiated.
template <class Reconstruction, Variables variables, class RiemannSolver, class Real,
          Reporting reporting = Reporting::raise_once, int fields = kFields>
StageKernel<Real> stage_kernel();

/// Threads a block of a stage kernel has.
inline constexpr int kStageThreads = 256;

/// Shared memory a block needs: one primitive plane with ghosts, and the fluxes through its x and y faces.
template <class Real>
std::size_t stage_shared_bytes(const Layout& l, TileShape tile) {
  const int gx = l.ghosts[0], gy = l.ghosts[1];
  const int plane = (tile.cells_x + 2 * gx) * (tile.cells_y + 2 * gy);
  const int x = gx > 0 ? (tile.cells_x + 1) * tile.cells_y : 0;
  const int y = gy > 0 ? tile.cells_x * (tile.cells_y + 1) : 0;
  return sizeof(Real) * l.fields * (plane + x + y);
}

}  // namespace halfstep
