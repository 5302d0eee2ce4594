// The uniform Cartesian mesh.
#pragma once

#include <array>
#include <cstdint>

namespace halfstep {

/// An axis-aligned box, e.g. a cell.
struct Box {
  std::array<double, 3> lower, upper;
  double center(int axis) const { return 0.5 * (lower[axis] + upper[axis]); }
  double width(int axis) const { return upper[axis] - lower[axis]; }
};

/// The mesh of the domain, without ghosts; cell indices start at 0. An axis with one cell is not active.
struct Mesh {
  std::array<int, 3> cells{1, 1, 1};
  std::array<double, 3> lower{0, 0, 0};
  std::array<double, 3> upper{1, 1, 1};

  bool active(int axis) const { return cells[axis] > 1; }
  int dimensions() const { return active(0) + active(1) + active(2); }
  std::int64_t cell_count() const { return std::int64_t{cells[0]} * cells[1] * cells[2]; }
  double spacing(int axis) const { return (upper[axis] - lower[axis]) / cells[axis]; }
  /// Returns the coordinate of the lower face of cell i along `axis`; exact at both ends of the domain.
  double face(int axis, int i) const {
    return i == cells[axis] ? upper[axis] : lower[axis] + i * spacing(axis);
  }
  /// Returns the cell (i, j, k), which is a ghost cell for indices outside the domain.
  Box cell(int i, int j, int k) const {
    return {{face(0, i), face(1, j), face(2, k)}, {face(0, i + 1), face(1, j + 1), face(2, k + 1)}};
  }
  std::array<double, 3> center(int i, int j, int k) const {
    const Box box = cell(i, j, k);
    return {box.center(0), box.center(1), box.center(2)};
  }
};

}  // namespace halfstep
