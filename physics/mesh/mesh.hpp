// The Cartesian mesh, or the block of it that one of several ranks has.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>

#include "physics/mesh/point_places.hpp"
#include "physics/spacing/stretched_axis.hpp"
#include "runtime/exchange/decomposition.hpp"

namespace halfstep {

/// A place, or a vector.
using Point = std::array<double, 3>;

/// An axis-aligned box, e.g. a cell.
struct Box {
  std::array<double, 3> lower, upper;
  double center(int axis) const { return 0.5 * (lower[axis] + upper[axis]); }
  double width(int axis) const { return upper[axis] - lower[axis]; }
};

/// The mesh of the domain, without ghosts; cell indices start at 0. An axis with one cell is not active. A
/// block has its own cells and indices, but the places and widths, to the last bit, of the whole mesh.
struct Mesh {
  std::array<int, 3> cells{1, 1, 1};
  std::array<double, 3> lower{0, 0, 0};  ///< ends of the domain, also for a block
  std::array<double, 3> upper{1, 1, 1};
  std::array<int, 3> first{};  ///< of a block: its first cell in the whole mesh
  std::array<int, 3> whole{};  ///< of a block: the cells of the whole mesh; 0: this is the whole
  /// The faces of the whole mesh along axes whose cells differ in width. Null: all are as wide.
  std::array<std::shared_ptr<const StretchedAxis>, 3> stretched{};
  /// The points of a mesh that is no box: cell (i, j, 0) is point i of element j. Such a mesh has no axes,
  /// and its ends are those of the box that a deck maps. Null: cells of a box.
  std::shared_ptr<const PointPlaces> points{};
  /// The elements of a rank's part of such a mesh, whose `points` are those of all. Null: all elements.
  std::shared_ptr<const exchange::RowsOfRank> rows{};

  /// Returns the cells of the whole mesh along `axis`.
  int extent(int axis) const { return whole[axis] > 0 ? whole[axis] : cells[axis]; }
  bool active(int axis) const { return points ? axis < points->dimensions : extent(axis) > 1; }
  int dimensions() const { return active(0) + active(1) + active(2); }
  std::int64_t cell_count() const { return std::int64_t{cells[0]} * cells[1] * cells[2]; }
  /// Returns the indices of a cell in the whole mesh.
  std::array<int, 3> in_whole(int i, int j, int k) const {
    return {first[0] + i, rows ? rows->own[static_cast<std::size_t>(j)] : first[1] + j, first[2] + k};
  }
  /// Returns the number of elements of other ranks beside those of this part.
  int rows_near() const { return rows ? static_cast<int>(rows->near.size()) : 0; }
  int rows_near_and_far() const { return rows_near() + (rows ? static_cast<int>(rows->far.size()) : 0); }
  /// Returns the point that a cell of a mesh of points is, among all.
  std::size_t point(int i, int j) const {
    return static_cast<std::size_t>(i) + static_cast<std::size_t>(cells[0]) * in_whole(i, j, 0)[1];
  }
  bool is_stretched(int axis) const { return stretched[axis] != nullptr; }
  bool is_stretched() const { return is_stretched(0) || is_stretched(1) || is_stretched(2); }
  /// Returns the mean width of a cell along `axis`, of an axis that is not stretched that of every cell.
  double spacing(int axis) const { return (upper[axis] - lower[axis]) / extent(axis); }
  /// Returns the volume of a cell of mean widths.
  double mean_volume() const { return spacing(0) * spacing(1) * spacing(2); }
  /// Returns the least width of a cell of the whole mesh along `axis`.
  double least_width(int axis) const {
    return is_stretched(axis) ? stretched[axis]->least_width() : spacing(axis);
  }
  /// Returns the coordinate of the lower face of cell i along `axis`; exact at both ends of the domain.
  double face(int axis, int i) const {
    const int n = first[axis] + i;
    if (is_stretched(axis)) return stretched[axis]->face(n);
    return n == extent(axis) ? upper[axis] : lower[axis] + n * spacing(axis);
  }
  /// Returns the width of cell i along `axis`.
  double width(int axis, int i) const {
    return is_stretched(axis) ? stretched[axis]->width(first[axis] + i) : spacing(axis);
  }
  /// Returns where the state of cell i is along `axis`: its middle, or a solution point of an element.
  double center(int axis, int i) const {
    return is_stretched(axis) ? stretched[axis]->center(first[axis] + i)
                              : 0.5 * (face(axis, i) + face(axis, i + 1));
  }
  /// Returns the cell (i, j, k), which is a ghost cell for indices outside the domain.
  Box cell(int i, int j, int k) const {
    return {{face(0, i), face(1, j), face(2, k)}, {face(0, i + 1), face(1, j + 1), face(2, k + 1)}};
  }
  std::array<double, 3> center(int i, int j, int k) const {
    if (points) return points->place[point(i, j)];
    return {center(0, i), center(1, j), center(2, k)};
  }
  /// Returns the box over which the state of a cell is the average: the cell itself, or about a solution
  /// point a box so narrow that averages are the point's values to round-off.
  Box sample(int i, int j, int k) const {
    constexpr double half = 5e-7;  // of the cell's width; the average is off by a 24th of its square
    if (points) return box_about_point(i, j);
    Box box = cell(i, j, k);
    const int index[3] = {i, j, k};
    for (int axis = 0; axis < 3; ++axis) {
      if (!is_stretched(axis) || !stretched[axis]->has_points()) continue;
      const double point = center(axis, index[axis]), reach = half * box.width(axis);
      box.lower[axis] = point - reach;
      box.upper[axis] = point + reach;
    }
    return box;
  }
  /// Returns the place x along `axis` counted in cells of the whole mesh from its lower end: n at the lower
  /// face of cell n, and linear between faces. Beyond the ends it goes on in cells as wide as the last one.
  double in_cells(int axis, double x) const {
    if (!is_stretched(axis)) return (x - lower[axis]) / spacing(axis);
    const StretchedAxis& own = *stretched[axis];
    const int n = own.cell_of(x);
    return n + (x - own.face(n)) / own.width(n);
  }

 private:
  /// Returns a box about a point, as narrow as that of sample().
  Box box_about_point(int i, int j) const {
    const Point& x = points->place[point(i, j)];
    const double reach = 5e-7 * std::cbrt(points->volume[point(i, j)]);
    return {{x[0] - reach, x[1] - reach, x[2] - reach}, {x[0] + reach, x[1] + reach, x[2] + reach}};
  }
};

}  // namespace halfstep
