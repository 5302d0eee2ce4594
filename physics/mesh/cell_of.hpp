// The cell of a mesh that holds a point.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// The part of a cell by which a place may miss a face and be on it: 0.3 / 0.1 is below 3.
inline constexpr double kOnFace = 1e-9;

/// Returns the cell that holds a point of the domain. A point on a face, to round-off, is in the cell above
/// it; one on the upper side of the domain is in the last cell.
inline std::array<int, 3> cell_of(const Mesh& mesh, const Point& point) {
  std::array<int, 3> cell{};
  for (int axis = 0; axis < 3; ++axis) {
    const double n = std::floor(mesh.in_cells(axis, point[axis]) + kOnFace);
    cell[axis] = static_cast<int>(std::clamp<double>(n, 0, mesh.cells[axis] - 1));
  }
  return cell;
}

}  // namespace halfstep
