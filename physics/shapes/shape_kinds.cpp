#include "physics/shapes/shape_kinds.hpp"

#include <utility>

namespace halfstep {

Parameter required(const std::string& name, Value type, const std::string& unit, const std::string& meaning,
                   const Range& range, Format format) {
  return {.name = name,
          .fallback = std::move(type),
          .unit = unit,
          .meaning = meaning,
          .range = range,
          .format = format,
          .required = true};
}

std::vector<ItemKind> shape_kinds() {
  const std::vector<double> origin{0, 0, 0};
  const Parameter center = required("center", origin, "length", "its centre");
  return {
      {.name = "ball",
       .summary = "all within a radius of a centre: a disc in two dimensions, an interval in one",
       .parameters = {center, required("radius", 1.0, "length", "its radius", positive())}},
      {.name = "box",
       .summary = "all between two corners",
       .parameters = {required("lower", origin, "length", "its lower corner"),
                      required("upper", origin, "length", "its upper corner")},
       .objection =
           [](const Values& v) {
             for (int axis = 0; axis < 3; ++axis)
               if (v.reals("lower")[axis] > v.reals("upper")[axis])
                 return Objection{
                     "upper",
                     std::string("the box has its lower corner above the upper one along ") + "xyz"[axis]};
             return Objection{};
           }},
      {.name = "cylinder",
       .summary = "all within a radius of a line, or of a part of it",
       .parameters = {center,
                      {.name = "axis",
                       .fallback = std::vector<double>{0, 0, 1},
                       .unit = "",
                       .meaning = "direction of the line: a vector, or x, y or z",
                       .format = Format::direction},
                      required("radius", 1.0, "length", "its radius", positive()),
                      {"length", 0.0, "length",
                       "from end to end, half of it to either side of the centre; 0 = no ends",
                       at_least(0)}}},
      {.name = "half_space",
       .summary = "all on that side of a plane to which its normal points",
       .parameters = {required("point", origin, "length", "a point of the plane"),
                      required("normal", origin, "", "normal of the plane: a vector, or x, y or z", {},
                               Format::direction)}},
      {.name = "shell",
       .summary = "all between two distances from a centre",
       .parameters = {center, required("inner", 0.0, "length", "its inner radius", at_least(0)),
                      required("outer", 1.0, "length", "its outer radius", positive())},
       .objection =
           [](const Values& v) {
             return v.real("inner") < v.real("outer")
                        ? Objection{}
                        : Objection{"outer", "the shell's outer radius must be greater than the inner one"};
           }},
  };
}

}  // namespace halfstep
