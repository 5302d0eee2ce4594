#include "physics/hexahedra/map_kinds.hpp"

#include <array>
#include <functional>
#include <numbers>
#include <string>
#include <utility>

#include "physics/base/expression.hpp"
#include "physics/base/portable_math.hpp"

namespace halfstep {
namespace {

Parameter required(const std::string& name, Value type, const std::string& unit, const std::string& meaning,
                   const Range& range = {}) {
  return {.name = name,
          .fallback = std::move(type),
          .unit = unit,
          .meaning = meaning,
          .range = range,
          .required = true};
}

Parameter center() {
  return {"center", std::vector<double>(3), "length", "of the circles; its z does not count"};
}

Parameter coordinate(const std::string& name) {
  return required(name, FieldValue{}, "length",
                  name + " of a place as a number or an expression in x, y and z, those of the box");
}

ItemKind bend_kind() {
  return {
      .name = "bend",
      .summary =
          "the box from mesh.lower to mesh.upper bent by a product of sines, which leaves its sides "
          "as they are and is smooth across them",
      .parameters = {{"amplitude", 0.05, "", "of each coordinate, in extents of the box", between(0, 1)}}};
}

ItemKind annulus_kind() {
  return {.name = "annulus",
          .summary =
              "a ring: x goes from the inner to the outer radius, y around, and z from mesh.lower to "
              "mesh.upper; a "
              "full circle is periodic along y",
          .parameters = {required("inner", 1.0, "length", "inner radius", positive()),
                         required("outer", 2.0, "length", "outer radius", positive()),
                         {"from", 0.0, "degrees", "where y begins, from the direction of x"},
                         {"to", 360.0, "degrees", "where y ends, counter-clockwise"},
                         center()},
          .objection = [](const Values& v) {
            if (v.real("inner") >= v.real("outer"))
              return Objection{"outer", "the outer radius must be greater than the inner one"};
            const double angle = v.real("to") - v.real("from");
            return angle > 0 && angle <= 360
                       ? Objection{}
                       : Objection{"to", "y must go around by more than 0 and at most 360 degrees"};
          }};
}

ItemKind bump_kind() {
  return {.name = "bump",
          .summary =
              "the channel from mesh.lower to mesh.upper with the bump 0.0625 exp(-25 x^2) on its lower "
              "wall, of the International Workshop on High-Order CFD Methods",
          .parameters = {}};
}

ItemKind cylinder_kind() {
  return {.name = "cylinder",
          .summary =
              "an O-grid: x goes from the cylinder to a circle far away, y around, which is periodic, and "
              "z from mesh.lower to mesh.upper",
          .parameters =
              {required("radius", 0.5, "length", "of the cylinder", positive()),
               required("far", 20.0, "length", "radius of the circle far away", positive()),
               {"stretching", 0.0, "",
                "how much wider along x the elements are far away than at the cylinder, in the limit of "
                "many; 0 = far / radius, which makes them all alike",
                at_least(0)},
               center()},
          .objection = [](const Values& v) {
            return v.real("radius") < v.real("far")
                       ? Objection{}
                       : Objection{"far", "the circle far away must be larger than the cylinder"};
          }};
}

ItemKind step_kind() {
  return {.name = "step",
          .summary =
              "the channel from mesh.lower to mesh.upper, of elements of one size, with a step on its lower "
              "wall that reaches to the end of x; its faces have the lower boundary of y",
          .parameters = {required("at", 0.6, "length", "x of the step's front"),
                         required("height", 0.2, "length", "of the step", positive())}};
}

/// Returns how far along an axis of the box x is, from 0 to 1, exact at both ends.
double share_of(const Box& box, int axis, const Point& x) {
  return x[axis] == box.upper[axis] ? 1 : (x[axis] - box.lower[axis]) / box.width(axis);
}

PlaceMap bend(const Values& v, const Box& box, int dimensions) {
  return [box, dimensions, amplitude = v.real("amplitude")](const Point& x) {
    double product = amplitude;
    for (int axis = 0; axis < dimensions; ++axis) {
      const double share = share_of(box, axis, x);
      product *= share == 1 ? 0 : portable::sin(2 * std::numbers::pi * share);
    }
    Point place = x;
    for (int axis = 0; axis < dimensions; ++axis) place[axis] += product * box.width(axis);
    return place;
  };
}

/// Returns the place at a radius and an angle, in shares of a circle. A whole circle ends where it began.
Point on_circle(const std::vector<double>& center, double radius, double turns, double z) {
  const double angle = 2 * std::numbers::pi * turns;
  return {center[0] + radius * portable::cos(angle), center[1] + radius * portable::sin(angle), z};
}

PlaceMap annulus(const Values& v, const Box& box) {
  return [box, center = v.reals("center"), inner = v.real("inner"), outer = v.real("outer"),
          from = v.real("from"), to = v.real("to")](const Point& x) {
    const double share = share_of(box, 1, x),
                 angle = share == 1 && to - from == 360 ? from : from + share * (to - from);
    return on_circle(center, inner + share_of(box, 0, x) * (outer - inner), angle / 360, x[2]);
  };
}

PlaceMap bump(const Box& box) {
  return [box](const Point& x) {
    const double height = 0.0625 * portable::exp(-25 * x[0] * x[0]);
    return Point{x[0], x[1] + height * (1 - share_of(box, 1, x)), x[2]};
  };
}

PlaceMap cylinder(const Values& v, const Box& box) {
  const double radius = v.real("radius"), far = v.real("far"), given = v.real("stretching");
  const double growth = portable::log(given > 0 ? given : far / radius);
  return [box, center = v.reals("center"), radius, far, growth](const Point& x) {
    const double share = share_of(box, 0, x), turns = share_of(box, 1, x);
    const double part = share == 1    ? 1
                        : growth == 0 ? share
                                      : (portable::exp(share * growth) - 1) / (portable::exp(growth) - 1);
    return on_circle(center, radius + part * (far - radius), turns == 1 ? 0 : turns, x[2]);
  };
}

PlaceMap expressions(const Values& v, const NamedNumbers& names) {
  std::array<std::function<double(const Point&)>, 3> of;
  for (int axis = 0; axis < 3; ++axis) {
    const FieldValue& own = v.get<FieldValue>(std::string(1, "xyz"[axis]));
    if (own.expression.empty())
      of[axis] = [number = own.number](const Point&) { return number; };
    else
      of[axis] = Expression(own.expression, names);
  }
  return [of](const Point& x) { return Point{of[0](x), of[1](x), of[2](x)}; };
}

/// Returns a map of a box in two dimensions or three.
PlaceMap map_of(const Values& values, const NamedNumbers& names, const Box& box, int dimensions) {
  const std::string& kind = values.word(kMapKey);
  if (kind == "bend") return bend(values, box, dimensions);
  if (kind == "annulus") return annulus(values, box);
  if (kind == "bump") return bump(box);
  if (kind == "cylinder") return cylinder(values, box);
  return expressions(values, names);
}

}  // namespace

std::vector<ItemKind> map_kinds() {
  return {
      {.name = kNoMap,
       .summary = "elements of one size between mesh.lower and mesh.upper, or those of mesh.file",
       .parameters = {}},
      {.name = kStraightMap,
       .summary =
           "the same elements of one size, with all that curved ones have: viscous terms, scheme.dealiasing",
       .parameters = {}},
      bend_kind(),
      annulus_kind(),
      bump_kind(),
      step_kind(),
      cylinder_kind(),
      {.name = "expressions",
       .summary = "any map of the box from mesh.lower to mesh.upper",
       .parameters = {coordinate("x"), coordinate("y"), coordinate("z")}}};
}

Items no_map() {
  Items items(1);
  items[0].set(kMapKey, std::string(kNoMap));
  return items;
}

Hexahedra elements_of(const Values& map, const NamedNumbers& names, const BoxOfElements& box) {
  const std::string& kind = map.word(kMapKey);
  if (kind == kStraightMap) return straight_box(box);
  if (kind == "step") return box_with_step(box, {map.real("at"), map.real("height")});
  return mapped_box(box, map_of(map, names, {box.lower, box.upper}, box.count[2] > 1 ? 3 : 2));
}

}  // namespace halfstep
