// The polynomial map of an element, and interpolation by polynomials on -1 <= xi <= 1 at run time.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "physics/hexahedra/hexahedra.hpp"

namespace halfstep {

/// Returns the nodes of a degree along an axis: equidistant, from -1 to 1.
std::vector<double> equidistant_nodes(int order);

/// The polynomials of Lagrange to some points, and their slopes, at other points.
struct Interpolation {
  int from, to;
  std::vector<double> value, slope;  ///< [point * from + polynomial]

  Interpolation(const std::vector<double>& points, const std::vector<double>& at);
  double L(int point, int polynomial) const { return value[point * from + polynomial]; }
  double dL(int point, int polynomial) const { return slope[point * from + polynomial]; }
};

/// Returns the determinant of a matrix of three rows, or columns.
inline double determinant(const std::array<Point, 3>& m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// Returns the place of xi in an element; of a quadrilateral the third coordinate does not count.
Point place_in_element(const Hexahedra& mesh, std::int32_t element, const Point& xi);

/// Returns the place of a face's middle.
Point middle_of_face(const Hexahedra& mesh, std::int32_t element, int face);

/// Returns a place for a message: "(0.5, 1, 0)".
std::string text_of_place(const Point& x);

}  // namespace halfstep
