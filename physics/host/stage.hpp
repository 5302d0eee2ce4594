// A stage on host threads: tiles of cells in x and y march along z.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "physics/flux/face_flux.hpp"
#include "physics/stage/stage.hpp"
#include "runtime/interruptible/tile_queue.hpp"
#include "runtime/soft_error/channel.hpp"

namespace halfstep {

namespace host {

template <class Real>
constexpr int kLanes = 512 / sizeof(Real);  // cells of a tile in x
constexpr int kRows = 8;                    // cells of a tile in y

}  // namespace host

/// The mesh cut into tiles that threads take one by one, x fastest; `march` planes per tile.
struct HostTiling {
  int x, y, z;
  int march;
  std::int64_t count() const { return std::int64_t{x} * y * z; }
};

/// Returns a tiling whose tiles march through as many planes as leave every thread a few tiles.
template <class Real>
HostTiling host_tiling(const Layout& l, int threads) {
  const auto pieces_of = [](int n, int size) { return (n + size - 1) / size; };
  const int x = pieces_of(l.cells[0], host::kLanes<Real>), y = pieces_of(l.cells[1], host::kRows);
  const int pieces = std::max(1, std::min(pieces_of(4 * threads, x * y), l.cells[2] / 8));
  const int march = pieces_of(l.cells[2], pieces);
  return {x, y, pieces_of(l.cells[2], march), march};
}

template <class Real>
struct HostStageResult {
  Real cfl_rate = 0;
  std::int64_t bad_faces = 0;
};

/// Advances the tiles that `queue` still gives on `threads` threads, and returns when they are done. Raises
/// soft errors through the reporter.
template <class Real>
using HostStage = HostStageResult<Real> (*)(const StageArguments<Real>&, const soft_error::Reporter<>&,
                                            const HostTiling&, interruptible::HostTileQueue& queue,
                                            int threads);

/// Defined in host/stage_body.hpp, instantiated once per reconstruction in generated files. With scalars
/// only Hllc is instantiated.
template <class Reconstruction, Variables variables, class RiemannSolver, class Real,
          bool has_scalars = false>
HostStageResult<Real> host_stage(const StageArguments<Real>& args, const soft_error::Reporter<>& reporter,
                                 const HostTiling& tiling, interruptible::HostTileQueue& queue, int threads);

}  // namespace halfstep
