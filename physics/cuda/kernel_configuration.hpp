// The compile-time configuration and the block of the program's stage kernels.
#pragma once

#include <algorithm>
#include <cstddef>

#include "physics/flux/scheme.hpp"
#include "physics/mesh/layout.hpp"

namespace halfstep {

/// How a stage kernel is compiled. No choice changes a bit of a result. Each is the fastest one measured
/// whose reports cost at most 1 %, see docs/what_was_tried.md.
struct KernelConfiguration {
  int threads;         ///< per block
  int max_registers;   ///< per thread; 0: limited by min_blocks
  int min_blocks;      ///< resident blocks per multiprocessor; 0: limited by max_registers
  bool unrolls_edges;  ///< edge states along x and y are unrolled, not in a loop
  bool unrolls_faces;  ///< fluxes likewise
  /// A bad face along x or y is reported after, not before, its flux is computed.
  bool reports_xy_late;
  bool reports_z_late;  ///< likewise along z
  /// The flag whether a column's faces along z count is kept in a register, not in shared memory.
  bool keeps_in_domain;
};

/// Returns the configuration for a scheme. More warps pay until spills cost more than the latency they hide;
/// in double precision two blocks leave room for prefetching. The compiler uses the same number of registers
/// differently when capped with `__maxnreg__` and with `__launch_bounds__`.
constexpr KernelConfiguration kernel_configuration(Reconstruction reconstruction, Variables variables,
                                                   Riemann riemann, std::size_t real_bytes) {
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
            .keeps_in_domain = roe || (plm && (rusanov || hllc)) || (ppm && primitive && hllc)};
  KernelConfiguration build{.threads = 128,
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
constexpr KernelConfiguration kernel_configuration(const Scheme& scheme) {
  return kernel_configuration(scheme.reconstruction, scheme.variables, scheme.riemann,
                              bytes_of_real(scheme.precision));
}

/// The width of a block's tile, that of a warp, and its largest number of rows. Each thread marches a column
/// of cells along z.
constexpr int kTileWidth = 32, kMostRows = 16;
/// The faces of a row: along x, then along y.
constexpr int kFirstYFace = kTileWidth + 1, kRowFaces = kFirstYFace + kTileWidth;

/// The shared memory of a stage kernel for a row of its tile, in values: primitive states with `layers`
/// ghosts on both sides, and the states on both sides of the row's x faces and of the y faces below it.
template <int fields, int layers>
struct StageRows {
  static constexpr int pitch = kTileWidth + 2 * layers, plane_row = fields * pitch;
  static constexpr int right = fields * kRowFaces, face_row = 2 * right;
};

/// Whether a block prefetches the next plane's data from global to shared memory. In single precision there
/// are enough warps to hide the latency.
constexpr bool fetches_ahead(std::size_t real_bytes) { return real_bytes == 8; }

/// The conserved states prefetched for each column: the next cell along z, and the stage's input and U^n of
/// the cell that is updated.
enum Fetched { kNextCell, kInput, kStart, kFetchedStates };

/// Returns the dynamic shared memory of a block in bytes.
inline std::size_t stage_shared_bytes(const Layout& l, int rows, std::size_t real_bytes) {
  const int layers = std::max({l.ghosts[0], l.ghosts[1], l.ghosts[2]});
  const int planes = (rows + 2 * l.ghosts[1]) * (kTileWidth + 2 * layers);
  const int faces = 2 * (rows + (l.ghosts[1] > 0 ? 1 : 0)) * kRowFaces;
  const int fetched = fetches_ahead(real_bytes) ? kFetchedStates * rows * kTileWidth : 0;
  return real_bytes * l.fields * (planes + faces + fetched);
}

/// The least number of rows where y is active: the tile's border takes as many warps.
constexpr int kLeastRows = 3;

/// Returns the rows of a block's tile: one where y is not active, else one for each warp, limited by
/// kMostRows and by `most_shared_bytes`, a block's shared memory on the device.
inline int tile_rows(const Layout& l, int threads, std::size_t real_bytes, std::size_t most_shared_bytes) {
  if (l.ghosts[1] == 0) return 1;
  int rows = std::min(threads / kTileWidth, kMostRows);
  while (rows > kLeastRows && stage_shared_bytes(l, rows, real_bytes) > most_shared_bytes) --rows;
  return rows;
}

}  // namespace halfstep
