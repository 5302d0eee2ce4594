#include "physics/cases/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "physics/cases/cell_units.hpp"
#include "physics/shapes/distances.hpp"

namespace halfstep {
namespace {

using Planes = std::array<std::vector<double>, 3>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Returns the unit vector along `list`, which is not zero.
Point direction(const std::vector<double>& list) {
  const double length = std::hypot(list[0], list[1], list[2]);
  return {list[0] / length, list[1] / length, list[2] / length};
}

/// Returns the axis along which the unit vector points, up or down, or -1.
int aligned_axis(const Point& unit) {
  for (int axis = 0; axis < 3; ++axis)
    if (std::abs(unit[axis]) == 1) return axis;
  return -1;
}

/// Returns x, or the face of the mesh that it is but for round-off: what ends on a face cuts no cell.
double on_face(const Mesh& mesh, int axis, double x) {
  const double s = in_cells(mesh, axis, x);
  // Beyond a stretched axis there are no faces that cells of the domain end on.
  const bool has_face = !mesh.is_stretched(axis) || (s >= 0 && s <= mesh.extent(axis));
  return s == std::round(s) && std::abs(s) < 1e9 && has_face ? mesh.face(axis, static_cast<int>(s)) : x;
}

/// Everything between two coordinates along each active axis.
class BoxShape : public Shape {
 public:
  BoxShape(const Mesh& mesh, const Point& lower, const Point& upper)
      : BoxShape(mesh, snapped(mesh, {lower, upper})) {}

  /// Never asked for a point on a face: cells are cut there.
  double share_at(const Point& x) const override {
    for (int axis = 0; axis < 3; ++axis)
      if (x[axis] < box_.lower[axis] || x[axis] > box_.upper[axis]) return 0;
    return 1;
  }
  Cover cover(const Box& box) const override {
    bool all = true;
    for (int axis = 0; axis < 3; ++axis) {
      if (box.upper[axis] <= box_.lower[axis] || box.lower[axis] >= box_.upper[axis]) return Cover::none;
      all = all && box.lower[axis] >= box_.lower[axis] && box.upper[axis] <= box_.upper[axis];
    }
    return all ? Cover::all : Cover::some;
  }

 private:
  BoxShape(const Mesh& mesh, const Box& box) : Shape(sides(mesh, box)), box_(box) {}

  static Box snapped(const Mesh& mesh, Box box) {
    for (int axis = 0; axis < 3; ++axis) {
      box.lower[axis] = mesh.active(axis) ? on_face(mesh, axis, box.lower[axis]) : -kInfinity;
      box.upper[axis] = mesh.active(axis) ? on_face(mesh, axis, box.upper[axis]) : kInfinity;
    }
    return box;
  }
  static Planes sides(const Mesh& mesh, const Box& box) {
    Planes planes;
    for (int axis = 0; axis < 3; ++axis)
      if (mesh.active(axis)) planes[axis] = {box.lower[axis], box.upper[axis]};
    return planes;
  }

  Box box_;
};

/// A shape known by the signed distance to its edge, negative inside.
class DistanceShape : public Shape {
 public:
  /// `distance` takes a place relative to `center`, 0 along axes that are not active. Its result has the
  /// right sign and is never larger than the true distance. `reach`: the shape touches the planes at these
  /// distances from its center, along each axis.
  DistanceShape(const Mesh& mesh, const Point& center, const std::array<std::vector<double>, 3>& reach,
                std::function<double(const Point&)> distance)
      : Shape(planes(mesh, center, reach)), mesh_(mesh), center_(center), distance_(std::move(distance)) {
    for (int axis = 0; axis < 3; ++axis)
      if (mesh.active(axis)) round_off_ = std::min(round_off_, 1e-8 * mesh.least_width(axis));
  }

  double share_at(const Point& x) const override {
    const double from_edge = distance(x);
    return std::abs(from_edge) < round_off_ ? 0.5 : from_edge < 0 ? 1 : 0;
  }
  Cover cover(const Box& box) const override {
    Point middle{}, half{};
    for (int axis = 0; axis < 3; ++axis) {
      middle[axis] = box.center(axis);
      half[axis] = mesh_.active(axis) ? 0.5 * box.width(axis) : 0;
    }
    const double from_edge = distance(middle), radius = std::sqrt(dot(half, half));
    if (std::abs(from_edge) < radius) return Cover::some;
    return from_edge < 0 ? Cover::all : Cover::none;
  }

 private:
  double distance(const Point& x) const {
    Point from_center{};
    for (int axis = 0; axis < 3; ++axis)
      if (mesh_.active(axis)) from_center[axis] = x[axis] - center_[axis];
    return distance_(from_center);
  }
  static Planes planes(const Mesh& mesh, const Point& center, const Planes& reach) {
    Planes planes;
    for (int axis = 0; axis < 3; ++axis)
      for (const double r : reach[axis])
        if (mesh.active(axis))
          for (const double sign : {-1, 1})
            planes[axis].push_back(on_face(mesh, axis, center[axis] + sign * r));
    return planes;
  }

  Mesh mesh_;
  Point center_;
  std::function<double(const Point&)> distance_;
  double round_off_ = kInfinity;  ///< of a distance
};

std::unique_ptr<Shape> make_box(const Values& v, const Mesh& mesh) {
  return std::make_unique<BoxShape>(mesh, point(v.reals("lower")), point(v.reals("upper")));
}

std::unique_ptr<Shape> make_ball(const Values& v, const Mesh& mesh) {
  const double radius = v.real("radius");
  const std::vector<double> reach{radius};
  return std::make_unique<DistanceShape>(mesh, point(v.reals("center")), Planes{reach, reach, reach},
                                         [=](const Point& x) { return norm(x) - radius; });
}

std::unique_ptr<Shape> make_shell(const Values& v, const Mesh& mesh) {
  const double inner = v.real("inner"), outer = v.real("outer");
  const std::vector<double> reach{inner, outer};
  return std::make_unique<DistanceShape>(
      mesh, point(v.reals("center")), Planes{reach, reach, reach},
      [=](const Point& x) { return std::max(inner - norm(x), norm(x) - outer); });
}

std::unique_ptr<Shape> make_cylinder(const Values& v, const Mesh& mesh) {
  const double radius = v.real("radius");
  const double half = v.real("length") > 0 ? 0.5 * v.real("length") : kInfinity;
  const Point along = direction(v.reals("axis"));
  Planes reach;
  if (const int axis = aligned_axis(along); axis >= 0) {
    reach = {std::vector{radius}, std::vector{radius}, std::vector{radius}};
    reach[axis] = {half};
  }
  return std::make_unique<DistanceShape>(mesh, point(v.reals("center")), reach, [=](const Point& x) {
    const double height = dot(x, along);
    const Point across{x[0] - height * along[0], x[1] - height * along[1], x[2] - height * along[2]};
    return std::max(norm(across) - radius, std::abs(height) - half);
  });
}

std::unique_ptr<Shape> make_half_space(const Values& v, const Mesh& mesh) {
  const Point at = point(v.reals("point")), normal = direction(v.reals("normal"));
  bool has_edge = false;
  for (int axis = 0; axis < 3; ++axis) has_edge = has_edge || (mesh.active(axis) && normal[axis] != 0);
  if (!has_edge)
    throw std::invalid_argument("the normal has no part along an axis of the mesh with more than one cell");
  if (const int axis = aligned_axis(normal); axis >= 0) {
    Point lower{-kInfinity, -kInfinity, -kInfinity}, upper{kInfinity, kInfinity, kInfinity};
    (normal[axis] > 0 ? lower : upper)[axis] = at[axis];
    return std::make_unique<BoxShape>(mesh, lower, upper);
  }
  return std::make_unique<DistanceShape>(mesh, at, Planes{}, [=](const Point& x) { return -dot(x, normal); });
}

}  // namespace

std::unique_ptr<Shape> make_shape(const Values& values, const Mesh& mesh) {
  const std::string& kind = values.word(kShapeKey);
  if (kind == "ball") return make_ball(values, mesh);
  if (kind == "box") return make_box(values, mesh);
  if (kind == "cylinder") return make_cylinder(values, mesh);
  if (kind == "half_space") return make_half_space(values, mesh);
  if (kind == "shell") return make_shell(values, mesh);
  throw std::logic_error("no shape '" + kind + "'");
}

}  // namespace halfstep
