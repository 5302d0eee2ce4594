// The block of a stage kernel as the program has it.
#pragma once

#include <algorithm>
#include <cstddef>

#include "physics/layout.hpp"
#include "physics/scheme.hpp"

namespace halfstep {

/// How a stage kernel is compiled. No choice changes a bit of a result; each is what was measured to be the
/// fastest whose reports cost at most one part in a hundred, see docs/performance.md.
struct StageBuild {
  int threads;         ///< of a block
  int max_registers;   ///< of a thread; 0: as many as min_blocks leave
  int min_blocks;      ///< that a multiprocessor must be able to hold; 0: max_registers decides
  bool unrolls_edges;  ///< edge states along x and along y by code of their own, not in a loop
  bool unrolls_faces;  ///< fluxes likewise
  /// A bad face along x or y is reported after its flux is computed; before, otherwise.
  bool reports_xy_late;
  bool reports_z_late;  ///< one along z likewise
  /// Which columns' faces along z count is kept in a register through the march; in shared memory, otherwise.
  bool keeps_in_domain;
};

/// More warps win until what is spilled costs more than what is hidden; in double precision two blocks leave
/// room for what is fetched ahead. A cap by number and one by blocks may allow as many registers, but the
/// compiler uses them differently.
constexpr StageBuild stage_build(Reconstruction reconstruction, Variables variables, Riemann riemann,
                                 std::size_t real_bytes) {
  const bool constant = reconstruction == Reconstruction::constant,
             plm = reconstruction == Reconstruction::plm, ppm = reconstruction == Reconstruction::ppm,
             weno5z = reconstruction == Reconstruction::weno5z;
  const bool primitive = variables == Variables::primitive, characteristic = !primitive;
  const bool rusanov = riemann == Riemann::rusanov, hll = riemann == Riemann::hll,
             hllc = riemann == Riemann::hllc, roe = riemann == Riemann::roe;
  if (real_bytes == 8)
    return {.threads = 256,
            .max_registers = 128,
            .min_blocks = 0,
            .unrolls_edges = (plm && (rusanov || roe)) || (weno5z && (roe || (characteristic && hllc))),
            .unrolls_faces = constant || (plm && (hll || hllc)) || (ppm && (characteristic || hll || roe)) ||
                             (weno5z && (hll || (primitive ? hllc : rusanov))),
            .reports_xy_late = ppm && primitive && hllc,
            .reports_z_late = plm && (hllc || roe || (characteristic && hll)),
            .keeps_in_domain = roe || (plm && (rusanov || hllc)) || (ppm && primitive && (rusanov || hllc))};
  StageBuild build{.threads = 128,
                   .max_registers = 0,
                   .min_blocks = 7,  // 72 registers
                   .unrolls_edges = true,
                   .unrolls_faces = !(plm && primitive && roe),
                   .reports_xy_late = false,
                   .reports_z_late = false,
                   .keeps_in_domain = roe || (weno5z && hllc)};
  if (plm && roe) {
    build.max_registers = 72;
    build.min_blocks = 0;
  } else if (ppm) {
    build.threads = 512;
    build.min_blocks = 2;  // 64 registers
  } else if (weno5z) {
    build.threads = 256;
    build.min_blocks = 3;  // 80 registers
  }
  return build;
}
constexpr StageBuild stage_build(const Scheme& scheme) {
  return stage_build(scheme.reconstruction, scheme.variables, scheme.riemann,
                     bytes_of_real(scheme.precision));
}

/// A block's tile is as wide as a warp, and has so many rows at most; one thread a column of cells, which it
/// marches along z.
constexpr int kTileWidth = 32, kMostRows = 16;
/// The faces of one row: along x, then along y.
constexpr int kFirstYFace = kTileWidth + 1, kRowFaces = kFirstYFace + kTileWidth;

/// What a stage kernel keeps in shared memory for one row of its tile, in values: primitive states with
/// `layers` ghosts on both sides, and the states on both sides of the row's x faces and of the y faces below
/// it.
template <int fields, int layers>
struct StageRows {
  static constexpr int pitch = kTileWidth + 2 * layers, plane_row = fields * pitch;
  static constexpr int right = fields * kRowFaces, face_row = 2 * right;
};

/// Whether a block has what a plane needs of global memory fetched into shared memory while it works on what
/// comes before. In single precision there are warps enough to wait.
constexpr bool fetches_ahead(std::size_t real_bytes) { return real_bytes == 8; }

/// What it then fetches for each column, conserved: the next cell along z, and of the cell that is updated
/// the stage's input and U^n.
enum Fetched { kNextCell, kInput, kStart, kFetchedStates };

/// Shared memory a block needs.
inline std::size_t stage_shared_bytes(const Layout& l, int rows, std::size_t real_bytes) {
  const int layers = std::max({l.ghosts[0], l.ghosts[1], l.ghosts[2]});
  const int planes = (rows + 2 * l.ghosts[1]) * (kTileWidth + 2 * layers);
  const int faces = 2 * (rows + (l.ghosts[1] > 0 ? 1 : 0)) * kRowFaces;
  const int fetched = fetches_ahead(real_bytes) ? kFetchedStates * rows * kTileWidth : 0;
  return real_bytes * l.fields * (planes + faces + fetched);
}

/// A tile's border takes as many warps, where y is swept.
constexpr int kLeastRows = 3;

/// Rows of a block's tile: one where y is not swept, else one for each warp, up to kMostRows and as far as a
/// device has `most_shared_bytes` for a block.
inline int tile_rows(const Layout& l, int threads, std::size_t real_bytes, std::size_t most_shared_bytes) {
  if (l.ghosts[1] == 0) return 1;
  int rows = std::min(threads / kTileWidth, kMostRows);
  while (rows > kLeastRows && stage_shared_bytes(l, rows, real_bytes) > most_shared_bytes) --rows;
  return rows;
}

}  // namespace halfstep
