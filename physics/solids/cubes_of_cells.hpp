// The cells of a mesh in cubes: where a surface is farther from the middle of a cube than its corners are,
// one distance decides on which side of it all of its cells lie.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "physics/shapes/distances.hpp"
#include "physics/shapes/surface.hpp"

namespace halfstep {

/// Some cells of a mesh.
struct CubeOfCells {
  std::array<int, 3> first, end;  ///< along each axis its first cell, and the first behind it
  Point middle;
  double radius;  ///< from the middle to its corners, along the active axes

  /// Whether the surface, if it is Lipschitz, leaves the cube alone: its cells are all on the side where the
  /// middle is. `distance`: of the middle.
  bool is_apart(double distance) const { return std::abs(distance) > radius; }

  /// Calls visit(i, j, k) for its cells, x fastest.
  template <class Visit>
  void for_cells(Visit visit) const {
    for (int k = first[2]; k < end[2]; ++k)
      for (int j = first[1]; j < end[1]; ++j)
        for (int i = first[0]; i < end[0]; ++i) visit(i, j, k);
  }
};

/// Returns half the diagonal of a box within the mesh's active axes.
inline double radius_of(const Mesh& mesh, const Box& box) {
  Point half{};
  for (int axis = 0; axis < 3; ++axis) half[axis] = mesh.active(axis) ? 0.5 * box.width(axis) : 0;
  return norm(half);
}

/// All cells of a mesh, cube by cube.
class CubesOfCells {
 public:
  static constexpr int kWidth = 8;  ///< of a cube, in cells

  explicit CubesOfCells(const Mesh& mesh) : mesh_(mesh) {
    for (int axis = 0; axis < 3; ++axis) count_[axis] = (mesh.cells[axis] + kWidth - 1) / kWidth;
  }
  std::int64_t count() const { return std::int64_t{count_[0]} * count_[1] * count_[2]; }

  CubeOfCells cube(std::int64_t number) const {
    const std::int64_t place[3] = {number % count_[0], number / count_[0] % count_[1],
                                   number / count_[0] / count_[1]};
    CubeOfCells cube{};
    Box box{};
    for (int axis = 0; axis < 3; ++axis) {
      cube.first[axis] = kWidth * static_cast<int>(place[axis]);
      cube.end[axis] = std::min(cube.first[axis] + kWidth, mesh_.cells[axis]);
      box.lower[axis] = mesh_.face(axis, cube.first[axis]);
      box.upper[axis] = mesh_.face(axis, cube.end[axis]);
      cube.middle[axis] = box.center(axis);
    }
    cube.radius = radius_of(mesh_, box);
    return cube;
  }

 private:
  const Mesh& mesh_;
  std::array<int, 3> count_{};
};

}  // namespace halfstep
