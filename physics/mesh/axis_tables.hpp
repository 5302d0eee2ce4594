// What kernels know of stretched axes: tables over the cells of an axis.
#pragma once

#include <array>
#include <vector>

#include "physics/mesh/mesh.hpp"
#include "runtime/device/host_device.hpp"

namespace halfstep {

/// The tables of an axis, null of one that is not stretched. Index 0 is the block's cell 0; there are entries
/// for AxisTables::kBeyond cells beyond both ends.
template <class Real>
struct AxisTable {
  const Real* inverse_width = nullptr;     ///< of a cell
  const Real* inverse_distance = nullptr;  ///< from the middle of the cell below to that of the cell
  const double* relative_width = nullptr;  ///< of a cell, in mean widths
  const double* center = nullptr;          ///< the middle of a cell
};

/// The tables of all axes.
template <class Real>
using AxisTableViews = std::array<AxisTable<Real>, 3>;

/// Returns the volume of a cell in cells of mean widths; exactly 1 in a mesh that is not stretched.
template <class Real>
HALFSTEP_HD double relative_volume(const AxisTableViews<Real>& tables, int i, int j, int k) {
  const int cell[3] = {i, j, k};
  double volume = 1;
  for (int axis = 0; axis < 3; ++axis)
    if (const double* widths = tables[axis].relative_width) volume *= widths[cell[axis]];
  return volume;
}

/// The memory of the tables of a block, all in one array of each type, so that a device takes them in two
/// copies.
template <class Real>
class AxisTables {
 public:
  static constexpr int kBeyond = StretchedAxis::kBeyond - 1;

  explicit AxisTables(const Mesh& mesh) {
    for (int axis = 0; axis < 3; ++axis) {
      if (!mesh.is_stretched(axis)) continue;
      begins_[axis] = static_cast<std::ptrdiff_t>(reals_.size());
      const int end = mesh.cells[axis] + kBeyond;
      const auto center = [&](int n) { return 0.5 * (mesh.face(axis, n) + mesh.face(axis, n + 1)); };
      for (int n = -kBeyond; n < end; ++n) {
        reals_.push_back(Real(1 / mesh.width(axis, n)));
        doubles_.push_back(mesh.width(axis, n) / mesh.spacing(axis));
      }
      for (int n = -kBeyond; n < end; ++n) {
        reals_.push_back(Real(1 / (center(n) - center(n - 1))));
        doubles_.push_back(center(n));
      }
      lengths_[axis] = end + kBeyond;
    }
  }

  bool empty() const { return reals_.empty(); }
  const std::vector<Real>& reals() const { return reals_; }
  const std::vector<double>& doubles() const { return doubles_; }
  /// Returns the tables in copies of reals() and doubles().
  AxisTableViews<Real> views(const Real* reals, const double* doubles) const {
    AxisTableViews<Real> views{};
    for (int axis = 0; axis < 3; ++axis) {
      if (lengths_[axis] == 0) continue;
      const std::ptrdiff_t first = begins_[axis] + kBeyond, second = first + lengths_[axis];
      views[axis] = {reals + first, reals + second, doubles + first, doubles + second};
    }
    return views;
  }
  AxisTableViews<Real> views() const { return views(reals_.data(), doubles_.data()); }

 private:
  std::vector<Real> reals_;
  std::vector<double> doubles_;
  std::array<std::ptrdiff_t, 3> begins_{};
  std::array<int, 3> lengths_{};
};

}  // namespace halfstep
