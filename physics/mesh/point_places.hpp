// Where the points of a mesh are that is no box of cells.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace halfstep {

/// The points of a mesh whose row j is an element, with the index i of a point in it: point n = i + j * the
/// points of an element.
struct PointPlaces {
  int dimensions;  ///< 2: all in the plane z = 0
  std::vector<std::array<double, 3>> place;
  /// The corners of the cells that points stand for, (n + 1)^dimensions of each element with n^dimensions
  /// points.
  std::vector<std::array<double, 3>> corners;
  std::vector<double> volume;  ///< that a point stands for in sums: its weight times the Jacobian there
};

}  // namespace halfstep
