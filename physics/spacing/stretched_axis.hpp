// An axis whose cells are not all of one width: those of a stretched mesh, or those that the solution points
// of elements stand for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace halfstep {

/// The faces of an axis of the whole mesh, and kBeyond more beyond each of its ends. There the widths are
/// mirrored, as the states beyond walls are, or go on periodically.
class StretchedAxis {
 public:
  /// Cells beyond an end whose faces are known: at least as many as any stencil reads.
  static constexpr int kBeyond = 8;

  /// `faces`: of the cells from the lower end to the upper one, strictly increasing, at least two. `points`:
  /// one in each cell, where its state is; none: it is an average over the cell.
  StretchedAxis(const std::vector<double>& faces, bool is_periodic, const std::vector<double>& points = {})
      : cells_(static_cast<int>(faces.size()) - 1) {
    const auto width = [&](int cell) {
      const int n = is_periodic ? wrapped(cell, cells_) : folded(cell, cells_);
      return faces[n + 1] - faces[n];
    };
    faces_.assign(faces.size() + 2 * kBeyond, 0);
    std::copy(faces.begin(), faces.end(), faces_.begin() + kBeyond);
    for (int n = 1; n <= kBeyond; ++n) {
      at(-n) = at(1 - n) - width(-n);
      at(cells_ + n) = at(cells_ + n - 1) + width(cells_ + n - 1);
    }
    for (int cell = -kBeyond; !points.empty() && cell < cells_ + kBeyond; ++cell) {
      const int n = is_periodic ? wrapped(cell, cells_) : folded(cell, cells_);
      const bool is_mirrored = n != wrapped(cell, is_periodic ? cells_ : 2 * cells_);
      const double above = is_mirrored ? faces[n + 1] - points[n] : points[n] - faces[n];
      points_.push_back(face(cell) + above);
    }
  }

  /// Returns the lower face of cell n, from -kBeyond to kBeyond after the last cell.
  double face(int n) const { return faces_[static_cast<std::size_t>(n + kBeyond)]; }
  double width(int n) const { return face(n + 1) - face(n); }
  bool has_points() const { return !points_.empty(); }
  /// Returns where the state of cell n is: its middle, or its point.
  double center(int n) const {
    return has_points() ? points_[static_cast<std::size_t>(n + kBeyond)] : 0.5 * (face(n) + face(n + 1));
  }

  double least_width() const {
    double least = width(0);
    for (int n = 1; n < cells_; ++n) least = std::min(least, width(n));
    return least;
  }
  /// Returns the cell that holds x: the first or the last one for places beyond.
  int cell_of(double x) const {
    const auto first = faces_.begin() + kBeyond;
    const auto above = std::upper_bound(first, first + cells_, x);
    return std::max(static_cast<int>(above - first) - 1, 0);
  }

 private:
  static int wrapped(int cell, int cells) { return ((cell % cells) + cells) % cells; }
  static int folded(int cell, int cells) {
    const int n = wrapped(cell, 2 * cells);
    return n < cells ? n : 2 * cells - 1 - n;
  }
  double& at(int n) { return faces_[static_cast<std::size_t>(n + kBeyond)]; }

  int cells_;
  std::vector<double> faces_;
  std::vector<double> points_;  // of the same cells
};

}  // namespace halfstep
