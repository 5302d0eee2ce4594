// The geometry of hexahedra at the points of a degree: D. A. Kopriva, Metric identities and the discontinuous
// spectral element method on curvilinear meshes, J. Sci. Comput. 26 (2006) 301.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/hexahedra/hexahedra.hpp"
#include "physics/mesh/point_places.hpp"

namespace halfstep {

/// The metric terms of an element that is a box, the same at all its points. In two dimensions it has no
/// width along z.
struct StraightElement {
  double jacobian;
  double area[3];  ///< J a^d, which is along axis d

  StraightElement(int dimensions, const Point& widths)
      : jacobian(widths[0] * widths[1] * (dimensions == 3 ? widths[2] / 8 : 0.25)), area{} {
    for (int d = 0; d < dimensions; ++d) {
      const int other = d == 0 ? 1 : 0, last = d == 2 ? 1 : 2;
      area[d] = dimensions == 3 ? widths[other] * widths[last] / 4 : widths[other] / 2;
    }
  }
};

/// Returns where the points of a degree are, in the order of HexahedraGeometry. The cells that points stand
/// for are as wide as their weights.
PointPlaces places_of_points(const Hexahedra& mesh, int degree);

/// The metric terms of elements of a degree p. The map is taken to be of degree p at most: its values at
/// Lobatto's points make it, so that elements of a higher order meet still. The terms J a^d, J the Jacobian
/// and a^d the gradient of the coordinate xi_d, are curls of polynomials (his eq. 36, antisymmetric), whose
/// divergence is zero to round-off: a free stream stays.
///
/// Points and face points are numbered element by element: point a + n b + n^2 c of an element, n = p + 1,
/// and point s = first + n second of its face (see Neighbour). Elements of one shape have the metric terms of
/// one element, a StraightElement, which are there once.
struct HexahedraGeometry {
  int degree, dimensions;
  int points, face_points;  ///< of an element; of a face

  std::vector<double> metric[3][3];  ///< [d][c]: component c of J a^d at points
  std::vector<double> jacobian;      ///< at points
  std::vector<double> area[3];       ///< components of J a^d at the face points across xi_d
  std::vector<Point> face_place;

  HexahedraGeometry(const Hexahedra& mesh, int degree);
  /// Returns the number of the first point of a face.
  std::int64_t first_of_face(std::int32_t element, int face) const {
    return (std::int64_t{2} * dimensions * element + face) * face_points;
  }
  /// Returns how many elements have metric terms: all, or one.
  std::int32_t shapes() const { return static_cast<std::int32_t>(jacobian.size() / points); }
};

}  // namespace halfstep
