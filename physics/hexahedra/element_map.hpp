// The polynomial map of an element.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "physics/hexahedra/hexahedra.hpp"

namespace halfstep {

/// Returns the nodes of a degree along an axis: equidistant, from -1 to 1.
std::vector<double> equidistant_nodes(int order);

/// The values and the slopes, at points along an axis, of the Lagrange polynomials of its nodes.
struct LineTable {
  LineTable(int order, const std::vector<double>& points);
  int nodes, points;
  std::vector<double> value, slope;  ///< [point][node]
};

/// Returns the place of xi in an element; of a quadrilateral the third coordinate does not count.
Point place_in_element(const Hexahedra& mesh, std::int32_t element, const Point& xi);

/// Returns the place of a face's middle.
Point middle_of_face(const Hexahedra& mesh, std::int32_t element, int face);

/// Returns a place for a message: "(0.5, 1, 0)".
std::string text_of_place(const Point& x);

}  // namespace halfstep
