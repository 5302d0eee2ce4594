// The block of a stage kernel as the program has it.
#pragma once

#include <cstddef>

#include "physics/layout.hpp"

namespace halfstep {

/// Threads a block of a stage kernel has.
inline constexpr int kStageThreads = 256;

/// Blocks a multiprocessor must be able to hold: caps the registers of a kernel, at 128 for two and 80 for
/// three. `radius`: of the reconstruction's stencil. Measured, see docs/performance.md: more blocks win until
/// what is spilled costs more than what is hidden.
constexpr int min_blocks(int radius, std::size_t bytes_of_real) {
  return bytes_of_real == 4 || radius < 2 ? 3 : 2;
}

/// A block's tile: cells_x * cells_y threads, one a column of cells; it marches along z.
struct TileShape {
  int cells_x, cells_y;
};
/// Rows of one warp; without a y one long row.
constexpr TileShape tile_shape(int threads, bool swept_y) {
  return swept_y ? TileShape{32, threads / 32} : TileShape{threads, 1};
}

/// Shared memory a block needs: one primitive plane with ghosts, and the fluxes through its x and y faces.
inline std::size_t stage_shared_bytes(const Layout& l, TileShape tile, std::size_t bytes_of_real) {
  const int gx = l.ghosts[0], gy = l.ghosts[1];
  const int plane = (tile.cells_x + 2 * gx) * (tile.cells_y + 2 * gy);
  const int x = gx > 0 ? (tile.cells_x + 1) * tile.cells_y : 0;
  const int y = gy > 0 ? tile.cells_x * (tile.cells_y + 1) : 0;
  return bytes_of_real * l.fields * (plane + x + y);
}

}  // namespace halfstep
