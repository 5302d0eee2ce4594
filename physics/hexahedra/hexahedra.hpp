// A mesh of hexahedra that know their neighbours.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// What is beyond a face of an element: a face of another one, or a side of the mesh.
///
/// Faces are numbered 2 * axis + (0 lower, 1 upper). The coordinates of a face are the element's other active
/// axes, ascending: first and second. `turn` tells how the other face's run along them: bit 0: they are
/// exchanged (the other's second runs along the own first); bit 1: what runs along the own first is reversed;
/// bit 2: what runs along the own second is.
struct Neighbour {
  std::int32_t element = -1;  ///< -1: none, the face is on a side
  std::int8_t face = 0;
  std::int8_t turn = 0;
  std::int8_t side = -1;    ///< of the mesh, where there is no element: index of Hexahedra::sides
  bool own_is_left = true;  ///< Hexahedra::is_left() of the own face, in the tables of HexahedraTables
};

/// A mesh of hexahedra, or of quadrilaterals in the plane z = 0 where dimensions = 2. Each is the image of
/// the cube -1 <= xi, eta, zeta <= 1 under the polynomial map of a degree, given by its values at equidistant
/// nodes; xi x eta . zeta is positive everywhere.
struct Hexahedra {
  static constexpr int kMaxSides = 6;

  int dimensions = 3;
  int order = 1;  ///< of the maps, 1 to 4
  std::int32_t count = 0;
  /// (order + 1)^dimensions nodes of each element, xi fastest.
  std::vector<Point> nodes;
  /// How wide each element is, a box along x, y and z. Elements of a map or a file have nothing here,
  /// whatever their shapes.
  std::optional<Point> widths;
  /// 2 * dimensions of each element: what is beyond its faces.
  std::vector<Neighbour> beyond;
  std::vector<std::string> sides;  ///< names, at most kMaxSides
  /// Of the elements of a part of a mesh: their numbers in the mesh. Empty: they are all of it.
  std::vector<std::int32_t> numbers;

  int faces() const { return 2 * dimensions; }
  int nodes_of_element() const {
    const int n = order + 1;
    return dimensions == 3 ? n * n * n : n * n;
  }
  const Neighbour& neighbour(std::int32_t element, int face) const {
    return beyond[static_cast<std::size_t>(element) * faces() + face];
  }
  std::int32_t number(std::int32_t element) const {
    return numbers.empty() ? element : numbers[static_cast<std::size_t>(element)];
  }
  /// Whether an element is the left one of its face with another one, which has a greater number in the mesh,
  /// or with a side.
  bool is_left(std::int32_t element, int face) const {
    const Neighbour& other = neighbour(element, face);
    if (other.element < 0) return true;
    const std::int32_t here = number(element), there = number(other.element);
    return here < there || (here == there && face < other.face);
  }
};

}  // namespace halfstep
