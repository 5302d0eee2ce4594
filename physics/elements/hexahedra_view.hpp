// A mesh of hexahedra as kernels of flux reconstruction read it.
#pragma once

#include <stdexcept>

#include "physics/elements/operators.hpp"
#include "physics/hexahedra/hexahedra.hpp"
#include "physics/mesh/layout.hpp"

namespace halfstep {

/// The points of an element and of its faces. Point a + n b + n^2 c of the element has the indices a, b, c
/// along its axes; point first + n second of a face those along the other axes, ascending.
template <int degree_of, int dimensions_of>
struct Cube {
  static constexpr int degree = degree_of, dimensions = dimensions_of, n = degree + 1;
  static constexpr int face_points = dimensions == 3 ? n * n : n, points = face_points * n,
                       faces = 2 * dimensions;

  HALFSTEP_HD static constexpr int stride(int axis) { return axis == 0 ? 1 : axis == 1 ? n : n * n; }
  /// Returns the index of the element's point m along an axis.
  HALFSTEP_HD static constexpr int along(int axis, int m) { return m / stride(axis) % n; }
  /// Returns the first point of the line across `axis` that ends at point s of its faces.
  HALFSTEP_HD static constexpr int line(int axis, int s) {
    return s % n * stride(axis == 0 ? 1 : 0) + s / n * stride(axis == 2 ? 1 : 2);
  }
  /// Returns the point of the faces across `axis` at which the line through point m ends.
  HALFSTEP_HD static constexpr int face_point(int axis, int m) {
    return along(axis == 0 ? 1 : 0, m) + (dimensions == 3 ? n * along(axis == 2 ? 1 : 2, m) : 0);
  }
};

/// Calls visit(cube) with the Cube of a degree and a number of dimensions chosen at run time.
template <class Visit>
auto with_cube(int degree, int dimensions, const Visit& visit) {
  return with_degree(
      degree, [&]<int own>() { return dimensions == 3 ? visit(Cube<own, 3>{}) : visit(Cube<own, 2>{}); });
}

/// A point of an element's face.
struct FacePoint {
  int element, face, point;
  HALFSTEP_HD int axis() const { return face / 2; }
  HALFSTEP_HD int side() const { return face % 2; }
};

/// The states are in a layout whose row e has the points of element e.
template <class Real>
struct HexahedraView {
  Layout layout;
  std::int64_t face_points;  ///< of all elements, those that two share twice
  const Real* metric;  ///< component c of J a^d at points: [(d * dimensions + c) * field_stride + index]
  const Real* inverse_jacobian;  ///< at points: [index]
  const Real* area;  ///< component c of J a^d at points of faces across d: [c * face_points + slot]
  const Real* inverse_face_jacobian;  ///< [slot]
  const double* face_place;           ///< [3 * slot]
  const Neighbour* beyond;            ///< [element * faces + face]

  template <class C>
  HALFSTEP_HD std::int64_t slot(C, const FacePoint& f) const {
    return (std::int64_t{f.element} * C::faces + f.face) * C::face_points + f.point;
  }
  template <class C>
  HALFSTEP_HD const Neighbour& neighbour(C, const FacePoint& f) const {
    return beyond[std::int64_t{f.element} * C::faces + f.face];
  }
  /// Returns the same point as a point of the other element's face; its element is -1 on a side of the mesh.
  template <class C>
  HALFSTEP_HD FacePoint across(C c, const FacePoint& f) const {
    const Neighbour& other = neighbour(c, f);
    int first = f.point % C::n, second = f.point / C::n;
    if (other.turn & 2) first = C::degree - first;
    if (other.turn & 4) second = C::degree - second;
    return {other.element, other.face, other.turn & 1 ? second + C::n * first : first + C::n * second};
  }
  /// Returns component c of J a^d at the point `index`.
  template <class C>
  HALFSTEP_HD Real metric_of(C, int d, int c, std::int64_t index) const {
    return c < C::dimensions ? metric[(d * C::dimensions + c) * layout.field_stride + index] : Real(0);
  }
  /// Returns component c of J a^d at a point of a face.
  template <class C>
  HALFSTEP_HD Real area_of(C own, int c, const FacePoint& f) const {
    return c < C::dimensions ? area[c * face_points + slot(own, f)] : Real(0);
  }
};

}  // namespace halfstep
