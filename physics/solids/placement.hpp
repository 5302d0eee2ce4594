// Where a shape is put: turned, then moved.
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "physics/base/parameter.hpp"
#include "physics/shapes/surface.hpp"

namespace halfstep {

/// Returns the parameters of a placement, of a shape with that name of its center_of().
std::vector<Parameter> placement_parameters(const std::string& center);

/// A turn about a point, and a move after it.
class Placement {
 public:
  explicit Placement(const Values& values);

  bool is_none() const { return !turns_ && move_ == Point{}; }
  /// Throws ShapeError for a turn that leaves the mesh's active axes.
  void expect_in(const Mesh& mesh) const;
  /// Returns the place to which the shape's place x comes.
  Point placed(const Point& x) const;
  /// Returns the place of the shape that comes to x.
  Point origin_of(const Point& x) const;

 private:
  std::array<Point, 3> rows_{};  ///< of the matrix of the turn
  Point axis_, about_, move_;
  bool turns_;
};

/// A surface that was turned and moved.
class PlacedSurface final : public Surface {
 public:
  PlacedSurface(std::shared_ptr<const Surface> own, const Placement& placement)
      : own_(std::move(own)), placement_(placement) {}
  double distance(const Point& x) const override { return own_->distance(placement_.origin_of(x)); }
  bool is_lipschitz() const override { return own_->is_lipschitz(); }

 private:
  std::shared_ptr<const Surface> own_;
  Placement placement_;
};

}  // namespace halfstep
