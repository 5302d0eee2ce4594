// The tile of a block of a stage kernel, and the shared memory that it takes.
#pragma once

#include <algorithm>
#include <cstddef>

#include "physics/mesh/layout.hpp"

namespace halfstep {

/// The width of a block's tile, that of a warp, and its largest number of rows. Each thread marches a column
/// of cells along z.
constexpr int kTileWidth = 32, kMostRows = 16;
/// The faces of a row: along x, then along y.
constexpr int kFirstYFace = kTileWidth + 1, kRowFaces = kFirstYFace + kTileWidth;

/// The shared memory of a stage kernel for a row of its tile, in values: primitive states with `layers`
/// ghosts on both sides, behind them volume fractions of two gases, and the states on both sides of the row's
/// x faces and of the y faces below it.
template <int layers, bool two_gases = false>
struct StageRows {
  static constexpr int pitch = kTileWidth + 2 * layers, plane_row = (kFields + (two_gases ? 1 : 0)) * pitch;
  static constexpr int right = kFields * kRowFaces, face_row = 2 * right;
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
  return real_bytes * (kFields * (planes + faces + fetched) + (l.two_gases ? planes : 0));
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
