#include "physics/solids/placement.hpp"

#include <cmath>
#include <numbers>

#include "physics/shapes/distances.hpp"
#include "physics/shapes/shape_error.hpp"
#include "physics/shapes/surfaces.hpp"

namespace halfstep {
namespace {

/// Returns cosine and sine of an angle in degrees, without round-off for right angles.
std::pair<double, double> cosine_and_sine(double degrees) {
  const double reduced = std::remainder(degrees, 360);
  if (std::remainder(reduced, 90) == 0) {
    const double cosine = std::abs(reduced) == 180 ? -1 : reduced == 0 ? 1 : 0;
    return {cosine, cosine == 0 ? std::copysign(1, reduced) : 0};
  }
  const double angle = reduced * std::numbers::pi / 180;
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace

std::vector<Parameter> placement_parameters(const std::string& center) {
  const std::vector<double> origin{0, 0, 0};
  return {{.name = "turn.axis",
           .fallback = std::vector<double>{0, 0, 1},
           .unit = "",
           .meaning = "axis about which the shape is turned, before it is moved: a vector, or x, y or z",
           .format = Format::direction},
          {"turn.angle", 0.0, "degrees", "angle of the turn, by the right-hand rule"},
          {.name = "turn.about",
           .fallback = origin,
           .unit = "length",
           .meaning = "point about which it is turned",
           .computed = {center,
                        [](const Values& v) {
                          const Point own = center_of(v);
                          return std::vector<double>(own.begin(), own.end());
                        }}},
          {"move", origin, "length", "displacement of the shape, along x, y and z"}};
}

Placement::Placement(const Values& values)
    : axis_(point(values.reals("turn.axis"))),
      about_(point(values.reals("turn.about"))),
      move_(point(values.reals("move"))),
      turns_(std::remainder(values.real("turn.angle"), 360) != 0) {
  const Point unit = multiple(1 / norm(axis_), axis_);
  // Rodrigues's formula.
  const auto [cosine, sine] = cosine_and_sine(values.real("turn.angle"));
  const Point across[3] = {{0, -unit[2], unit[1]}, {unit[2], 0, -unit[0]}, {-unit[1], unit[0], 0}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      rows_[i][j] = (i == j ? cosine : 0) + (1 - cosine) * unit[i] * unit[j] + sine * across[i][j];
}

void Placement::expect_in(const Mesh& mesh) const {
  if (!turns_) return;
  if (mesh.dimensions() == 1)
    throw ShapeError("turn.angle", "a mesh with one axis of more than one cell has no turns",
                     "leave the turn out");
  for (int along = 0; along < 3; ++along)
    if (mesh.dimensions() == 2 && mesh.active(along) && axis_[along] != 0)
      throw ShapeError("turn.axis", "the turn leaves the plane of the mesh",
                       std::string("turn about ") + "xyz"[!mesh.active(0)   ? 0
                                                          : !mesh.active(1) ? 1
                                                                            : 2]);
}

Point Placement::placed(const Point& x) const {
  if (!turns_) return sum(x, move_);
  const Point from = difference(x, about_);
  return sum(sum({dot(rows_[0], from), dot(rows_[1], from), dot(rows_[2], from)}, about_), move_);
}

Point Placement::origin_of(const Point& x) const {
  if (!turns_) return difference(x, move_);
  const Point from = difference(difference(x, move_), about_);
  Point back = about_;
  for (int i = 0; i < 3; ++i) back = sum(back, multiple(from[i], rows_[i]));
  return back;
}

}  // namespace halfstep
