// The memory layout of the flags of cells that a remedy corrects.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "physics/mesh/boundary.hpp"
#include "physics/mesh/layout.hpp"

namespace halfstep {

/// A byte for each cell, x fastest, without padding. A remedy reaches as far as two cells from a flagged one,
/// or two elements: along axes with an `exchanged` side there are so many layers of ghost cells, for the
/// flags of other ranks. Of a rank's part of a mesh of points, those of elements near and far follow behind.
struct FlagLayout {
  static constexpr int kLayers = 2;  ///< of cells

  int cells[3];
  int ghosts[3];
  int rows_behind;

  FlagLayout(const Layout& l, const Boundaries& boundaries, int layers = kLayers, int behind = 0)
      : rows_behind(behind) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto& [below, above] = boundaries[axis];
      cells[axis] = l.cells[axis];
      ghosts[axis] = below == Boundary::exchanged || above == Boundary::exchanged ? layers : 0;
    }
  }

  HALFSTEP_HD std::int64_t wide(int axis) const { return cells[axis] + 2 * ghosts[axis]; }
  HALFSTEP_HD std::int64_t index(int i, int j, int k) const {
    return ((k + ghosts[2]) * wide(1) + j + ghosts[1]) * wide(0) + i + ghosts[0];
  }
  std::int64_t count() const { return wide(0) * (wide(1) * wide(2) + rows_behind); }

  /// Calls f(memory, cells) with the indices at which each row of the layout's own cells begins, in the
  /// flags' memory and among the cells.
  template <class F>
  void for_rows(F f) const {
    for (int k = 0; k < cells[2]; ++k)
      for (int j = 0; j < cells[1]; ++j) f(index(0, j, k), (std::int64_t{k} * cells[1] + j) * cells[0]);
  }
  /// Returns the flags of the cells, x fastest.
  std::vector<std::uint8_t> of_cells(const std::vector<std::uint8_t>& memory) const {
    std::vector<std::uint8_t> flags(static_cast<std::size_t>(std::int64_t{cells[0]} * cells[1] * cells[2]));
    for_rows([&](std::int64_t from, std::int64_t to) {
      std::copy_n(memory.begin() + from, cells[0], flags.begin() + to);
    });
    return flags;
  }
  /// Returns flags in this layout; those beside the cells are 0.
  std::vector<std::uint8_t> in_memory(const std::vector<std::uint8_t>& flags) const {
    std::vector<std::uint8_t> memory(static_cast<std::size_t>(count()));
    for_rows([&](std::int64_t to, std::int64_t from) {
      std::copy_n(flags.begin() + from, cells[0], memory.begin() + to);
    });
    return memory;
  }
};

}  // namespace halfstep
