// What kernels know of stretched axes: tables over the cells of an axis.
#pragma once

#include <array>
#include <vector>

#include "physics/mesh/mesh.hpp"
#include "runtime/device/host_device.hpp"

namespace halfstep {

/// The tables of an axis, null of one that is not stretched. Index 0 is the block's cell 0; there are entries
/// for AxisTables::kBeyond cells beyond both ends. Of a mesh of points x has two alone: as `relative_width`
/// the volumes of all points, element after element, and as `center` one number, the points of an element. (A
/// further member would cost the stage kernels of stretched axes registers.)
template <class Real>
struct AxisTable {
  const Real* inverse_width = nullptr;     ///< of a cell
  const Real* inverse_distance = nullptr;  ///< from the middle of the cell below to that of the cell
  const Real* inverse_span = nullptr;      ///< half of that from the cell below to the cell above
  const double* relative_width = nullptr;  ///< of a cell, in mean widths
  const double* center = nullptr;          ///< the middle of a cell, or the solution point in it
};

/// The tables of all axes, where kernels read them: one word of their parameters, null where no axis is
/// stretched.
template <class Real>
struct AxisTableViews {
  const AxisTable<Real>* tables = nullptr;  ///< of x, y and z

  HALFSTEP_HD AxisTable<Real> operator[](int axis) const { return tables ? tables[axis] : AxisTable<Real>{}; }
};

template <class Real>
HALFSTEP_HD bool is_stretched(const AxisTableViews<Real>& axes) {
  return axes.tables != nullptr;
}

/// Returns the volume of a cell in cells of mean widths; exactly 1 in a mesh that is not stretched.
template <class Real>
HALFSTEP_HD double relative_volume(const AxisTableViews<Real>& axes, int i, int j, int k) {
  if (is_stretched(axes) && axes[0].relative_width && !axes[0].inverse_width)
    return axes[0].relative_width[i + static_cast<int>(*axes[0].center) * j];
  const int cell[3] = {i, j, k};
  double volume = 1;
  for (int axis = 0; is_stretched(axes) && axis < 3; ++axis)
    if (const double* widths = axes[axis].relative_width) volume *= widths[cell[axis]];
  return volume;
}

/// The tables of a mesh that is not stretched, or those whose index 0 is a cell of it.
template <class Real>
class TablesFromCell {
 public:
  HALFSTEP_HD TablesFromCell(const AxisTableViews<Real>& axes, const int (&cell)[3])
      : is_stretched_(is_stretched(axes)) {
    for (int axis = 0; axis < 3; ++axis) {
      AxisTable<Real>& own = tables_[axis] = axes[axis];
      if (!own.inverse_width) continue;
      own.inverse_width += cell[axis];
      own.inverse_distance += cell[axis];
      own.inverse_span += cell[axis];
      own.relative_width += cell[axis];
      own.center += cell[axis];
    }
  }
  HALFSTEP_HD AxisTableViews<Real> views() const { return {is_stretched_ ? tables_ : nullptr}; }

 private:
  AxisTable<Real> tables_[3];
  bool is_stretched_;
};

/// The memory of the tables of a block, all in one array of each type, so that a device takes them in two
/// copies. Not copied, because views() point into it.
template <class Real>
class AxisTables {
 public:
  static constexpr int kBeyond = StretchedAxis::kBeyond - 2;  // cells on both sides of one in the tables

  explicit AxisTables(const Mesh& mesh) {
    for (int axis = 0; axis < 3; ++axis)
      if (mesh.is_stretched(axis)) add(mesh, axis);
    if (mesh.points) add_volumes(mesh);
    own_ = tables_in(reals_.data(), doubles_.data());
  }
  AxisTables(const AxisTables&) = delete;
  AxisTables& operator=(const AxisTables&) = delete;

  bool empty() const { return doubles_.empty(); }
  const std::vector<Real>& reals() const { return reals_; }
  const std::vector<double>& doubles() const { return doubles_; }
  /// Returns the tables in copies of reals() and doubles().
  std::array<AxisTable<Real>, 3> tables_in(const Real* reals, const double* doubles) const {
    std::array<AxisTable<Real>, 3> tables{};
    for (int axis = 0; axis < 3; ++axis) {
      const int length = lengths_[axis];
      if (length == 0) continue;
      const Real* const of_reals = reals + first_real_[axis] + kBeyond;
      const double* const of_doubles = doubles + first_double_[axis] + kBeyond;
      tables[axis] = {of_reals, of_reals + length, of_reals + 2 * length, of_doubles, of_doubles + length};
    }
    if (is_of_points_) tables[0].relative_width = doubles + 1, tables[0].center = doubles;
    return tables;
  }
  AxisTableViews<Real> views() const { return {empty() ? nullptr : own_.data()}; }

 private:
  void add(const Mesh& mesh, int axis) {
    const int end = mesh.cells[axis] + kBeyond;
    const auto center = [&](int n) { return mesh.center(axis, n); };
    first_real_[axis] = std::ssize(reals_);
    first_double_[axis] = std::ssize(doubles_);
    lengths_[axis] = end + kBeyond;
    for (int n = -kBeyond; n < end; ++n) reals_.push_back(Real(1 / mesh.width(axis, n)));
    for (int n = -kBeyond; n < end; ++n) reals_.push_back(Real(1 / (center(n) - center(n - 1))));
    for (int n = -kBeyond; n < end; ++n) reals_.push_back(Real(2 / (center(n + 1) - center(n - 1))));
    // From the inverse widths as kernels have them, so that sums weigh a cell as its update does.
    for (int n = 0; n < lengths_[axis]; ++n)
      doubles_.push_back(
          1 / (double(reals_[static_cast<std::size_t>(first_real_[axis] + n)]) * mesh.spacing(axis)));
    for (int n = -kBeyond; n < end; ++n) doubles_.push_back(center(n));
  }

  void add_volumes(const Mesh& mesh) {
    is_of_points_ = true;
    doubles_.push_back(mesh.cells[0]);
    const double mean = mesh.mean_volume();
    for (int j = 0; j < mesh.cells[1]; ++j)
      for (int i = 0; i < mesh.cells[0]; ++i)
        doubles_.push_back(mesh.points->volume[mesh.point(i, j)] / mean);
  }

  std::vector<Real> reals_;
  std::vector<double> doubles_;
  bool is_of_points_ = false;
  std::array<std::ptrdiff_t, 3> first_real_{}, first_double_{};
  std::array<int, 3> lengths_{};
  std::array<AxisTable<Real>, 3> own_{};
};

}  // namespace halfstep
