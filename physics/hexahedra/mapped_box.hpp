// Hexahedra from a box of elements under a map.
#pragma once

#include <array>
#include <functional>

#include "physics/hexahedra/hexahedra.hpp"

namespace halfstep {

/// The elements of a box before it is mapped.
struct BoxOfElements {
  std::array<int, 3> count{1, 1, 1};  ///< along x, y and z; 1 along z: two dimensions
  Point lower{0, 0, 0}, upper{1, 1, 1};
  std::array<bool, 3> is_periodic{};  ///< what is beyond a side is beside the opposite one
  int order = 1;                      ///< of the elements' maps, 1 to 4
};

/// A map of the places of a box.
using PlaceMap = std::function<Point(const Point&)>;

/// Returns the elements of a box under a map, x fastest. Their nodes are the map's values at equidistant
/// places, in two dimensions at the lower end of z, and have z = 0. The sides are x_lower, x_upper, y_lower,
/// ... of the box before it is mapped: side 2 axis + (0 lower, 1 upper), those of periodic axes without a
/// face. Throws HexahedraError where the map has no finite place or folds the box, where periodic sides are
/// no translated images of each other, and where sides that are not periodic are at one place.
Hexahedra mapped_box(const BoxOfElements& box, const PlaceMap& map);

/// Returns the elements of a box as it is, of one shape and of order 1.
Hexahedra straight_box(BoxOfElements box);

/// A step on the lower side of y in a channel along x.
struct StepInChannel {
  double at;      ///< x of its front
  double height;  ///< above the lower end of y
};

/// Returns straight_box() without the elements in a step, whose faces belong to the lower side of y. Throws
/// HexahedraError where y is periodic, where no elements end at the front or at the height, and where none is
/// in front of the step or above it.
Hexahedra box_with_step(const BoxOfElements& box, const StepInChannel& step);

}  // namespace halfstep
