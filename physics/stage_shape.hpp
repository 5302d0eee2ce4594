// The block of a stage kernel as the program has it.
#pragma once

#include <algorithm>
#include <cstddef>

#include "physics/layout.hpp"
#include "physics/scheme.hpp"

namespace halfstep {

/// The threads of a block, and what caps their registers: a number, or, where that is 0, the blocks that a
/// multiprocessor must be able to hold.
struct StageBlock {
  int threads, max_registers, min_blocks;
};

/// Measured, see docs/performance.md: more warps win until what is spilled costs more than what is hidden; in
/// double precision two blocks leave room for what is fetched ahead. A cap by number and one by blocks may
/// allow as many registers, but the compiler uses them differently.
constexpr StageBlock stage_block(Reconstruction reconstruction, std::size_t bytes_of_real) {
  if (bytes_of_real == 8) return {256, 128, 0};
  switch (reconstruction) {
    case Reconstruction::constant:
    case Reconstruction::plm:
      return {128, 0, 7};  // 72
    case Reconstruction::ppm:
      return {512, 0, 2};  // 64
    case Reconstruction::weno5z:
      break;
  }
  return {256, 0, 3};  // 80
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
constexpr bool fetches_ahead(std::size_t bytes_of_real) { return bytes_of_real == 8; }

/// What it then fetches for each column, conserved: the next cell along z, and of the cell that is updated
/// the stage's input and U^n.
enum Fetched { kNextCell, kInput, kStart, kFetchedStates };

/// Shared memory a block needs.
inline std::size_t stage_shared_bytes(const Layout& l, int rows, std::size_t bytes_of_real) {
  const int layers = std::max({l.ghosts[0], l.ghosts[1], l.ghosts[2]});
  const int planes = (rows + 2 * l.ghosts[1]) * (kTileWidth + 2 * layers);
  const int faces = 2 * (rows + (l.ghosts[1] > 0 ? 1 : 0)) * kRowFaces;
  const int fetched = fetches_ahead(bytes_of_real) ? kFetchedStates * rows * kTileWidth : 0;
  return bytes_of_real * l.fields * (planes + faces + fetched);
}

/// A tile's border takes as many warps, where y is swept.
constexpr int kLeastRows = 3;

/// Rows of a block's tile: one where y is not swept, else one for each warp, up to kMostRows and as far as a
/// device has `most_shared_bytes` for a block.
inline int tile_rows(const Layout& l, int threads, std::size_t bytes_of_real, std::size_t most_shared_bytes) {
  if (l.ghosts[1] == 0) return 1;
  int rows = std::min(threads / kTileWidth, kMostRows);
  while (rows > kLeastRows && stage_shared_bytes(l, rows, bytes_of_real) > most_shared_bytes) --rows;
  return rows;
}

}  // namespace halfstep
