#include "physics/shapes/surfaces.hpp"

#include <cmath>
#include <functional>
#include <utility>

#include "physics/shapes/distances.hpp"
#include "physics/shapes/level_set.hpp"
#include "physics/shapes/polygon.hpp"
#include "physics/shapes/shape_error.hpp"
#include "physics/shapes/stl.hpp"

namespace halfstep {
namespace {

using Distance = std::function<double(const Point&)>;

/// A surface known by a function of place that is the distance from it.
class PrimitiveSurface final : public Surface {
 public:
  explicit PrimitiveSurface(Distance distance) : distance_(std::move(distance)) {}
  double distance(const Point& x) const override { return distance_(x); }

 private:
  Distance distance_;
};

/// The active axes of a mesh. Shapes have an extent along these alone.
class ActiveAxes {
 public:
  explicit ActiveAxes(const Mesh& mesh)
      : active_{mesh.active(0), mesh.active(1), mesh.active(2)}, count_(mesh.dimensions()) {}

  int count() const { return count_; }
  bool operator[](int axis) const { return active_[axis]; }
  /// Returns the part of a vector along active axes.
  Point part(Point v) const {
    for (int axis = 0; axis < 3; ++axis)
      if (!active_[axis]) v[axis] = 0;
    return v;
  }

 private:
  std::array<bool, 3> active_;
  int count_;
};

Distance ball(const Values& v, const ActiveAxes& axes) {
  return [axes, center = point(v.reals("center")), radius = v.real("radius")](const Point& x) {
    return norm(axes.part(difference(x, center))) - radius;
  };
}

Distance shell(const Values& v, const ActiveAxes& axes) {
  return [axes, center = point(v.reals("center")), inner = v.real("inner"),
          outer = v.real("outer")](const Point& x) {
    const double r = norm(axes.part(difference(x, center)));
    return inner > 0 ? std::max(inner - r, r - outer) : r - outer;
  };
}

Distance box(const Values& v, const ActiveAxes& axes) {
  return [axes, lower = point(v.reals("lower")), upper = point(v.reals("upper"))](const Point& x) {
    const auto beyond = [&](int axis) {
      return axes[axis] ? std::max(lower[axis] - x[axis], x[axis] - upper[axis])
                        : -std::numeric_limits<double>::infinity();
    };
    return distance_from_sides({beyond(0), beyond(1), beyond(2)});
  };
}

Distance half_space(const Values& v, const ActiveAxes& axes) {
  const Point normal = axes.part(point(v.reals("normal")));
  if (normal == Point{})
    throw ShapeError("normal", "the normal has no part along an axis of the mesh with more than one cell",
                     "turn it to such an axis");
  return [at = point(v.reals("point")), unit = multiple(1 / norm(normal), normal)](const Point& x) {
    return -dot(difference(x, at), unit);
  };
}

Distance cylinder(const Values& v, const ActiveAxes& axes) {
  const Point axis = point(v.reals("axis")), along = axes.part(axis);
  if (along == Point{}) return ball(v, axes);  // the mesh sees it from an end
  if (along != axis)
    throw ShapeError("axis", "the cylinder's axis leans out of the mesh's plane",
                     "take an axis within the plane, or across it");
  return [axes, center = point(v.reals("center")), radius = v.real("radius"), half = 0.5 * v.real("length"),
          unit = multiple(1 / norm(along), along)](const Point& x) {
    constexpr double kNone = -std::numeric_limits<double>::infinity();
    const Point from = axes.part(difference(x, center));
    const double height = dot(from, unit);
    const double across = norm(difference(from, multiple(height, unit)));
    return distance_from_sides(
        {axes.count() > 1 ? across - radius : kNone, half > 0 ? std::abs(height) - half : kNone});
  };
}

Distance cone(const Values& v, const ActiveAxes& axes) {
  const Point base = point(v.reals("base")), axis = axes.part(difference(point(v.reals("apex")), base));
  const double height = norm(axis);
  if (height == 0)
    throw ShapeError("apex", "the cone's apex is at its base",
                     "apex and base must differ along an axis of the mesh with more than one cell");
  return [axes, base, height, unit = multiple(1 / height, axis), lower = v.real("radius"),
          upper = v.real("apex_radius")](const Point& x) {
    const Point from = axes.part(difference(x, base));
    const double along = dot(from, unit);
    if (axes.count() == 1) return std::max(-along, along - height);
    return distance_from_cone(along, norm(difference(from, multiple(along, unit))), height, lower, upper);
  };
}

Distance polygon(const Values& v, const ActiveAxes& axes) {
  if (axes.count() != 2)
    throw ShapeError("", "a polygon needs a mesh with two axes of more than one cell",
                     axes.count() == 3 ? "take a box, a cylinder or an STL file"
                                       : "take a box, whose extent along y and z is ignored");
  const int first = axes[0] ? 0 : 1, second = axes[2] ? 2 : 1;
  std::vector<PlanePoint> vertices;
  for (const Point& vertex : v.places("vertices")) vertices.push_back({vertex[first], vertex[second]});
  expect_simple_polygon(vertices);
  return [first, second, vertices](const Point& x) {
    return distance_from_polygon({x[first], x[second]}, vertices);
  };
}

ItemKind cone_kind() {
  const std::vector<double> origin{0, 0, 0};
  return {.name = "cone",
          .summary =
              "all within a radius that goes evenly from a base to an apex: in two dimensions a "
              "triangle, or with a radius at the apex a trapezium",
          .parameters = {required("base", origin, "length", "the centre of its base"),
                         required("apex", origin, "length", "its apex, or the centre of its other end"),
                         required("radius", 1.0, "length", "its radius at the base", positive()),
                         {"apex_radius", 0.0, "length", "its radius at the apex", at_least(0)}}};
}

ItemKind polygon_kind() {
  return {.name = "polygon",
          .summary = "all within a polygon in the plane of a mesh in two dimensions",
          .parameters = {required("vertices", Places{}, "length", "its vertices, in their order", {},
                                  Format::places_in_plane)}};
}

ItemKind level_set_kind() {
  return {.name = "level_set",
          .summary = "all places where a function is negative",
          .parameters = {required("function", FieldValue{1}, "",
                                  "the function, an expression in x, y and z, negative inside")}};
}

ItemKind stl_kind() {
  return {
      .name = "stl",
      .summary =
          "the inside of a closed surface of triangles in an STL file, text or binary, in three "
          "dimensions",
      .parameters = {required("file", std::string(), "",
                              "the file, from the working directory; carried:NAME is one that the program "
                              "carries"),
                     {"scale", 1.0, "", "factor of the file's coordinates", positive()}}};
}

}  // namespace

std::vector<ItemKind> surface_kinds() {
  std::vector<ItemKind> kinds = shape_kinds();
  kinds.insert(kinds.end(), {cone_kind(), polygon_kind(), level_set_kind(), stl_kind()});
  return kinds;
}

Point center_of(const Values& values) {
  const std::string& kind = values.word(kShapeKey);
  const auto middle = [&](const char* a, const char* b) {
    return multiple(0.5, sum(point(values.reals(a)), point(values.reals(b))));
  };
  if (kind == "box") return middle("lower", "upper");
  if (kind == "cone") return middle("base", "apex");
  if (kind == "half_space") return point(values.reals("point"));
  if (kind == "polygon") {
    Point mean{};
    const Places& vertices = values.places("vertices");
    for (const Point& vertex : vertices)
      mean = sum(mean, multiple(1 / static_cast<double>(vertices.size()), vertex));
    return mean;
  }
  return kind == "level_set" || kind == "stl" ? Point{} : point(values.reals("center"));
}

std::string name_of_center(const std::string& kind) {
  if (kind == "half_space") return "its point";
  if (kind == "polygon") return "the mean of its vertices";
  return kind == "level_set" || kind == "stl" ? "the origin" : "its centre";
}

std::shared_ptr<const Surface> make_surface(const Values& values, const NamedNumbers& names, const Mesh& mesh,
                                            const FileReader& read) {
  static const std::pair<const char*, Distance (*)(const Values&, const ActiveAxes&)> primitives[] = {
      {"ball", ball},   {"box", box},   {"cylinder", cylinder}, {"half_space", half_space},
      {"shell", shell}, {"cone", cone}, {"polygon", polygon}};
  const std::string& kind = values.word(kShapeKey);
  for (const auto& [name, make] : primitives)
    if (kind == name) return std::make_shared<PrimitiveSurface>(make(values, ActiveAxes(mesh)));
  if (kind == "level_set") return std::make_shared<LevelSet>(values.get<FieldValue>("function"), names, mesh);
  if (mesh.dimensions() < 3)
    throw ShapeError("", "an STL file needs a mesh with three axes of more than one cell",
                     "take a polygon, or a level_set");
  return stl_surface(values.word("file"), values.real("scale"), read);
}

}  // namespace halfstep
