// The block of a stage kernel as the program has it.
#pragma once

#include <cstddef>

#include "physics/layout.hpp"
#include "physics/scheme.hpp"

namespace halfstep {

/// Launch bounds: the threads of a block, and the blocks a multiprocessor must be able to hold, which caps
/// the registers of a thread.
struct StageBlock {
  int threads, min_blocks;
};

/// Measured, see docs/performance.md: more warps win until what is spilled costs more than what is hidden,
/// and ppm, which is bound by its face states most, wins by wide tiles. `capability`: of the device, such as
/// 90; below 80 the shared memory of a wide tile in double precision does not fit a multiprocessor.
constexpr StageBlock stage_block(Reconstruction reconstruction, std::size_t bytes_of_real, int capability) {
  const bool single = bytes_of_real == 4;
  switch (reconstruction) {
    case Reconstruction::constant:
      return single ? StageBlock{128, 7} : StageBlock{256, 3};  // 72 and 80 registers
    case Reconstruction::plm:
      return single ? StageBlock{256, 4} : StageBlock{256, 3};  // 64 and 80
    case Reconstruction::ppm:
      if (single) return {512, 2};                                        // 64
      return capability >= 80 ? StageBlock{512, 1} : StageBlock{256, 2};  // 128
    case Reconstruction::weno5z:
      break;
  }
  return single ? StageBlock{256, 3} : StageBlock{256, 2};  // 80 and 128
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
