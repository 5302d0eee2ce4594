// The parts of a cell that lie in one region each. Later regions cover earlier ones.
#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "physics/cases/shapes.hpp"
#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// A box inside a cell that counts as inside one region.
struct CellPart {
  int region;  ///< index of the shape, or -1 outside of all
  Box box;
  double share;    ///< of the cell's volume
  bool cut_small;  ///< one of many small boxes: its middle stands for it
};

/// Regions that cover a mesh. Faces across an axis are found to round-off. Other edges are sampled: the
/// volume fraction of a region in a cell is off by about 0.3 n^-(d+1)/2 with n points per axis in d
/// dimensions.
class CellParts {
 public:
  /// `points`: per axis of a cell that an edge cuts; rounded up to a power of two.
  CellParts(const Mesh& mesh, std::vector<std::unique_ptr<Shape>> shapes, int points)
      : mesh_(mesh), shapes_(std::move(shapes)) {
    while ((1 << halvings_) < points) ++halvings_;
    for (int axis = 0; axis < 3; ++axis) {
      std::set<double> all;
      for (const auto& shape : shapes_) all.insert(shape->planes(axis).begin(), shape->planes(axis).end());
      planes_[axis].assign(all.begin(), all.end());
    }
  }

  /// Returns the region that covers all of `box`, -1 outside of all, or kCut if an edge may cut it.
  int region_of(const Box& box) const {
    for (int n = static_cast<int>(shapes_.size()) - 1; n >= 0; --n) {
      const Cover cover = shapes_[n]->cover(box);
      if (cover == Cover::all) return n;
      if (cover == Cover::some) return kCut;
    }
    return -1;
  }

  /// Divides a cell and calls use(part) for each part. The shares add up to 1 but for round-off.
  template <class Use>
  void for_parts(const Box& cell, Use&& use) const {
    const auto x = cuts(cell, 0), y = cuts(cell, 1), z = cuts(cell, 2);
    for (std::size_t k = 1; k < z.size(); ++k)
      for (std::size_t j = 1; j < y.size(); ++j)
        for (std::size_t i = 1; i < x.size(); ++i) {
          const Box piece{{x[i - 1], y[j - 1], z[k - 1]}, {x[i], y[j], z[k]}};
          double share = 1;
          for (int axis = 0; axis < 3; ++axis) share *= piece.width(axis) / cell.width(axis);
          divide(piece, share, 0, use);
        }
  }

  static constexpr int kCut = -2;

 private:
  /// Returns the cell's two sides along an axis and the planes between them.
  std::vector<double> cuts(const Box& cell, int axis) const {
    std::vector<double> all{cell.lower[axis]};
    const auto& planes = planes_[axis];
    for (auto at = std::upper_bound(planes.begin(), planes.end(), cell.lower[axis]);
         at != planes.end() && *at < cell.upper[axis]; ++at)
      all.push_back(*at);
    all.push_back(cell.upper[axis]);
    return all;
  }

  /// Gives all of a box to the regions at its middle: to two in equal parts where it is on an edge.
  template <class Use>
  void sample(const Box& box, double share, Use&& use) const {
    const Point middle{box.center(0), box.center(1), box.center(2)};
    for (int n = static_cast<int>(shapes_.size()) - 1; n >= 0 && share > 0; --n) {
      const double inside = shapes_[n]->share_at(middle);
      if (inside > 0) use(CellPart{n, box, share * inside, true});
      share *= 1 - inside;
    }
    if (share > 0) use(CellPart{-1, box, share, true});
  }

  /// Divides a box. One that an edge may cut is halved along each active axis, again and again.
  template <class Use>
  void divide(const Box& box, double share, int depth, Use&& use) const {
    if (depth == halvings_) return sample(box, share, use);
    const int region = region_of(box);
    if (region != kCut) return use(CellPart{region, box, share, depth > 0});
    const int children = 1 << mesh_.dimensions();
    for (int child = 0; child < children; ++child) {
      Box half = box;
      int bit = 0;
      for (int axis = 0; axis < 3; ++axis)
        if (mesh_.active(axis)) ((child >> bit++) & 1 ? half.lower : half.upper)[axis] = box.center(axis);
      divide(half, share / children, depth + 1, use);
    }
  }

  Mesh mesh_;
  std::vector<std::unique_ptr<Shape>> shapes_;
  std::array<std::vector<double>, 3> planes_;  ///< of all shapes, ascending
  int halvings_ = 0;
};

}  // namespace halfstep
