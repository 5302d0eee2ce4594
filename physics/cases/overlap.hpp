// Which cells of one mesh a cell of another one overlaps, and by how much.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "physics/cases/cell_units.hpp"
#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// The share of a cell that lies in each of a mesh's cells: a product of shares along the axes.
class CellOverlap {
 public:
  struct Part {
    std::size_t at;  ///< index of the cell, without those along the other axes
    double share;
  };
  using Parts = std::array<std::vector<Part>, 3>;

  CellOverlap(Parts parts, double outside) : parts_(std::move(parts)), outside_(outside) {}

  /// Returns the share that lies in no cell; exactly 0 where all of it does.
  double outside() const { return outside_; }

  /// Returns the average of value(cell), which is `beyond` outside of all cells. In one cell alone it is that
  /// value to the bit.
  template <class T, class At>
  T average(const At& value, const T& beyond) const {
    if (outside_ == 1) return beyond;
    T sum{};
    bool is_first = true;
    for (const Part& z : parts_[2])
      for (const Part& y : parts_[1])
        for (const Part& x : parts_[0]) {
          const T part = (z.share * y.share * x.share) * value(z.at + y.at + x.at);
          sum = is_first ? part : sum + part;
          is_first = false;
        }
    return outside_ == 0 ? sum : sum + outside_ * beyond;
  }

 private:
  Parts parts_;
  double outside_;
};

/// A mesh that is placed in another one.
class Overlap {
 public:
  /// Places `inner` in `outer`: its coordinates are multiplied by `scale`, then moved by `offset`. `repeats`:
  /// it continues periodically.
  Overlap(const Mesh& inner, double scale, const std::vector<double>& offset, const Mesh& outer, bool repeats)
      : placed_(inner), outer_(outer), repeats_(repeats) {
    for (int axis = 0; axis < 3; ++axis) {
      placed_.lower[axis] = offset[axis] + scale * inner.lower[axis];
      placed_.upper[axis] = offset[axis] + scale * inner.upper[axis];
      if (!inner.is_stretched(axis)) continue;
      std::vector<double> faces;
      for (int n = 0; n <= inner.cells[axis]; ++n)
        faces.push_back(offset[axis] + scale * inner.face(axis, n));
      placed_.stretched[axis] = std::make_shared<StretchedAxis>(faces, repeats);
    }
  }

  const Mesh& placed() const { return placed_; }

  /// Returns the first axis along which the placed mesh does not reach over all of the outer one, or -1.
  int uncovered(const Mesh& outer) const {
    for (int axis = 0; axis < 3; ++axis)
      if (outer.active(axis) &&
          (count_to(axis, outer.lower[axis]) < 0 || count_to(axis, outer.upper[axis]) > placed_.cells[axis]))
        return axis;
    return -1;
  }

  /// Whether overlaps can be found along an axis: both ends of the outer mesh are within a million of the
  /// inner one's cells, and no cell of it is less than a millionth of one.
  bool is_in_reach(const Mesh& outer, int axis) const {
    constexpr double most = 1 << 20;
    return std::abs(count_to(axis, outer.lower[axis])) <= most &&
           std::abs(count_to(axis, outer.upper[axis])) <= most &&
           outer.least_width(axis) * most >= placed_.spacing(axis);
  }

  /// Finds the cells that `cell` overlaps. Along an axis that is not active all overlap all.
  CellOverlap of(const Box& cell) const {
    CellOverlap::Parts parts;
    double inside = 1;
    bool is_all_inside = true;
    std::size_t stride = 1;
    for (int axis = 0; axis < 3; ++axis) {
      if (outer_.active(axis)) {
        const double a = count_to(axis, cell.lower[axis]), b = count_to(axis, cell.upper[axis]);
        inside *= find_parts(axis, a, b, stride, parts[axis]);
        is_all_inside = is_all_inside && (repeats_ || (a >= 0 && b <= placed_.cells[axis]));
      } else {
        parts[axis].push_back({0, 1});
      }
      stride *= placed_.cells[axis];
    }
    return {std::move(parts), is_all_inside ? 0 : 1 - inside};
  }

 private:
  /// Returns the place x counted in cells of the placed mesh, which go on beyond its ends: as wide as the
  /// last one, or as the mesh repeats.
  double count_to(int axis, double x) const {
    if (!repeats_ || !placed_.is_stretched(axis)) return in_cells(placed_, axis, x);
    const double length = placed_.upper[axis] - placed_.lower[axis],
                 turns = std::floor((x - placed_.lower[axis]) / length);
    return turns * placed_.cells[axis] + in_cells(placed_, axis, x - turns * length);
  }

  /// Returns a measure of the way to the place of count `s`: the count itself where all cells are as wide.
  double way_to(int axis, double s) const {
    if (!placed_.is_stretched(axis)) return s;
    const int n = placed_.cells[axis];
    const double turns = repeats_ ? std::floor(s / n) : 0, rest = s - turns * n;
    const int cell = static_cast<int>(std::clamp(std::floor(rest), 0.0, n - 1.0));
    return turns * (placed_.upper[axis] - placed_.lower[axis]) + placed_.face(axis, cell) +
           (rest - cell) * placed_.width(axis, cell);
  }

  /// Finds the parts of [a, b], in units of cells, and returns the share that they make up.
  double find_parts(int axis, double a, double b, std::size_t stride,
                    std::vector<CellOverlap::Part>& parts) const {
    const auto n = static_cast<double>(placed_.cells[axis]);
    const double first = repeats_ ? std::floor(a) : std::max(0.0, std::floor(a));
    const double last = repeats_ ? std::ceil(b) : std::min(n, std::ceil(b));
    const double whole = way_to(axis, b) - way_to(axis, a);
    double sum = 0;
    if (!(whole > 0)) {  // a sample so narrow that both ends are one place
      const double i = std::floor(a);
      if (!repeats_ && (i < 0 || i >= n)) return 0;
      parts.push_back({static_cast<std::size_t>(i - n * std::floor(i / n)) * stride, 1});
      return 1;
    }
    for (double i = first; i < last; ++i) {
      const double share = (way_to(axis, std::min(b, i + 1)) - way_to(axis, std::max(a, i))) / whole;
      parts.push_back({static_cast<std::size_t>(i - n * std::floor(i / n)) * stride, share});
      sum += share;
    }
    return sum;
  }

  Mesh placed_, outer_;
  bool repeats_;
};

}  // namespace halfstep
