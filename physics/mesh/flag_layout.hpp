// The memory layout of the flags of cells that a remedy corrects.
#pragma once

#include <cstdint>

#include "physics/mesh/boundary.hpp"
#include "physics/mesh/layout.hpp"

namespace halfstep {

/// A byte for each cell, x fastest, without padding. A remedy reaches as far as two cells from a flagged one:
/// along axes with an `exchanged` side there are two layers of ghost cells, for the flags of other ranks.
struct FlagLayout {
  static constexpr int kLayers = 2;

  int cells[3];
  int ghosts[3];

  FlagLayout(const Layout& l, const Boundaries& boundaries) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto& [below, above] = boundaries[axis];
      cells[axis] = l.cells[axis];
      ghosts[axis] = below == Boundary::exchanged || above == Boundary::exchanged ? kLayers : 0;
    }
  }

  HALFSTEP_HD std::int64_t wide(int axis) const { return cells[axis] + 2 * ghosts[axis]; }
  HALFSTEP_HD std::int64_t index(int i, int j, int k) const {
    return ((k + ghosts[2]) * wide(1) + j + ghosts[1]) * wide(0) + i + ghosts[0];
  }
  std::int64_t count() const { return wide(0) * wide(1) * wide(2); }
};

}  // namespace halfstep
