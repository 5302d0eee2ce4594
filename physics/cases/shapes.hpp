// Shapes of regions. Along an axis that is not active a shape has no extent to speak of: every point counts
// as its centre's, so a ball is a disc in two dimensions and an interval in one.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "physics/base/parameter.hpp"
#include "physics/mesh/mesh.hpp"
#include "physics/shapes/shape_kinds.hpp"

namespace halfstep {

/// How much of a box a shape covers. `some` is also the answer where that is not known.
enum class Cover { none, some, all };

class Shape {
 public:
  /// `planes`: coordinates along each axis of planes that the shape touches.
  explicit Shape(std::array<std::vector<double>, 3> planes) : planes_(std::move(planes)) {}
  virtual ~Shape() = default;

  /// Returns 1 for a point inside, 0 for one outside, 1/2 for one on the edge.
  virtual double share_at(const Point& x) const = 0;
  virtual Cover cover(const Box& box) const = 0;
  /// Cells are cut at these planes, so that no face across an axis is sampled.
  const std::vector<double>& planes(int axis) const { return planes_[axis]; }

 private:
  std::array<std::vector<double>, 3> planes_;
};

/// Makes a shape from its kind and that kind's parameters. Throws std::invalid_argument where it has no edge
/// in the mesh's active axes.
std::unique_ptr<Shape> make_shape(const Values& values, const Mesh& mesh);

}  // namespace halfstep
