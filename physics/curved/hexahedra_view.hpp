// A mesh of hexahedra as kernels of flux reconstruction read it.
#pragma once

#include <stdexcept>

#include "physics/elements/operators.hpp"
#include "physics/hexahedra/hexahedra.hpp"
#include "physics/mesh/layout.hpp"

namespace halfstep {

/// The points of an element and of its faces. Point a + n b + n^2 c of the element has the indices a, b, c
/// along its axes; point first + n second of a face those along the other axes, ascending.
/// `straight`: the elements are boxes of one size.
template <int degree_of, int dimensions_of, bool straight = false>
struct Cube {
  static constexpr bool is_straight = straight;
  static constexpr int degree = degree_of, dimensions = dimensions_of, n = degree + 1;
  static constexpr int face_points = dimensions == 3 ? n * n : n, points = face_points * n,
                       faces = 2 * dimensions;

  template <class Use>
  HALFSTEP_HD static auto with_operators(const Use& use) {
    return use(operators<degree>());
  }
};

/// A Cube with its operators in memory.
template <class C, class Real>
struct TabledCube : C {
  const OperatorTable<Real>* table;

  HALFSTEP_HD explicit TabledCube(const OperatorTable<Real>* operators) : table(operators) {}
  template <class Use>
  HALFSTEP_HD auto with_operators(const Use& use) const {
    return use(*table);
  }
};

/// A Cube that is known at run time: for functions that need not be compiled for each.
struct AnyCube {
  static constexpr bool is_straight = false;
  int degree, n, dimensions, face_points, points, faces;
  const OperatorTable<double>* table;

  HALFSTEP_HD AnyCube(int of_degree, int of_dimensions, const OperatorTable<double>* operators)
      : degree(of_degree),
        n(degree + 1),
        dimensions(of_dimensions),
        face_points(dimensions == 3 ? n * n : n),
        points(face_points * n),
        faces(2 * dimensions),
        table(operators) {}
  template <class Use>
  HALFSTEP_HD auto with_operators(const Use& use) const {
    return use(*table);
  }
};

/// Returns the index of the element's point m along an axis.
template <class C>
HALFSTEP_HD constexpr int stride_along(const C& c, int axis) {
  return axis == 0 ? 1 : axis == 1 ? c.n : c.n * c.n;
}
template <class C>
HALFSTEP_HD constexpr int index_along(const C& c, int axis, int m) {
  return m / stride_along(c, axis) % c.n;
}

/// Point j of a line of an element's points. It converts to the point's number. Memory in which lines are
/// apart needs the line's first point and the stride.
struct PointOnLine {
  int first, stride, j;
  HALFSTEP_HD constexpr operator int() const { return first + j * stride; }
};
template <class C>
HALFSTEP_HD constexpr PointOnLine point_on_line(const C& c, int axis, int first, int j) {
  return {first, stride_along(c, axis), j};
}
/// Returns the first point of the line across `axis` that ends at point s of its faces.
template <class C>
HALFSTEP_HD constexpr int first_of_line(const C& c, int axis, int s) {
  return s % c.n * stride_along(c, axis == 0 ? 1 : 0) + s / c.n * stride_along(c, axis == 2 ? 1 : 2);
}
/// Returns the point of the faces across `axis` at which the line through point m ends.
template <class C>
HALFSTEP_HD constexpr int end_of_line(const C& c, int axis, int m) {
  return index_along(c, axis == 0 ? 1 : 0, m) +
         (c.dimensions == 3 ? c.n * index_along(c, axis == 2 ? 1 : 2, m) : 0);
}

// Entries of the operators of a cube's degree.
template <class C>
HALFSTEP_HD auto weight(const C& c, int i) {
  return c.with_operators([=](const auto& of) { return of.w[i]; });
}
template <class C>
HALFSTEP_HD auto inverse_weight(const C& c, int i) {
  return c.with_operators([=](const auto& of) { return of.inverse_w[i]; });
}
template <class C>
HALFSTEP_HD auto end_value(const C& c, int side, int j) {
  return c.with_operators([=](const auto& of) { return of.l[side][j]; });
}
template <class C>
HALFSTEP_HD auto own_slope(const C& c, int i, int j) {
  return c.with_operators([=](const auto& of) { return of.D[i][j]; });
}
template <class C>
HALFSTEP_HD auto slope_without_ends(const C& c, int i, int j) {
  return c.with_operators([=](const auto& of) { return of.C[i][j]; });
}
template <class C>
HALFSTEP_HD auto correction_slope(const C& c, int side, int i) {
  return c.with_operators([=](const auto& of) { return of.g[side][i]; });
}
template <class C>
HALFSTEP_HD auto own_lift(const C& c, int side, int i) {
  return c.with_operators([=](const auto& of) { return of.lift[side][i]; });
}

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

/// Returns how many points an element's faces have.
template <class C>
HALFSTEP_HD constexpr int face_points_of_element(const C& c) {
  return c.faces * c.face_points;
}
/// Returns which of its element's face points it is, from 0.
template <class C>
HALFSTEP_HD constexpr int number_in_element(const C& c, const FacePoint& f) {
  return f.face * c.face_points + f.point;
}

template <class Real>
struct Vector {
  Real of[3];
};
template <class Real>
HALFSTEP_HD Vector<Real> operator*(Real s, const Vector<Real>& v) {
  return {{s * v.of[0], s * v.of[1], s * v.of[2]}};
}
template <class Real>
HALFSTEP_HD Real dot(const Vector<Real>& a, const Vector<Real>& b) {
  return fma(a.of[2], b.of[2], fma(a.of[1], b.of[1], a.of[0] * b.of[0]));
}

/// A vector along an axis. What it takes part in has the bits that the Vector would give, of finite values.
template <class Real>
struct AlongAxis {
  int axis;
  Real length;

  HALFSTEP_HD Real operator[](int c) const { return c == axis ? length : Real(0); }
  HALFSTEP_HD operator Vector<Real>() const { return {{(*this)[0], (*this)[1], (*this)[2]}}; }
};
template <class Real>
HALFSTEP_HD AlongAxis<Real> operator*(Real s, const AlongAxis<Real>& v) {
  return {v.axis, s * v.length};
}
template <class Real>
HALFSTEP_HD Real dot(const Vector<Real>& a, const AlongAxis<Real>& b) {
  return a.of[b.axis] * b.length;
}
template <class Real>
HALFSTEP_HD Real dot(const AlongAxis<Real>& a, const AlongAxis<Real>& b) {
  return a.length * b.length;
}

/// The metric terms of elements that are boxes of one size.
template <class Real>
struct StraightMetric {
  Real area[3];  ///< J a^d, along axis d
  Real inverse_jacobian;

  HALFSTEP_HD AlongAxis<Real> across(int d) const { return {d, area[d]}; }
};

/// Returns J a^d at a point of a face across d. `areas`: of its element, [c][face point].
template <class C, class Real>
HALFSTEP_HD Vector<Real> area_among(const C& c, const Real* areas, const FacePoint& f) {
  const int pitch = face_points_of_element(c);
  const Real* const of = areas + number_in_element(c, f);
  return {{of[0], of[pitch], c.dimensions == 3 ? of[2 * pitch] : Real(0)}};
}

/// The states are in a layout whose row e has the points of element e. Elsewhere the values of an element are
/// together: a kernel that knows its degree knows how far apart they are. Metric terms of straight elements
/// are there once, and `straight` has them for a Cube that knows.
template <class Real>
struct HexahedraView {
  Layout layout;
  bool is_straight;  ///< all elements have the metric terms of element 0, and these are straight
  StraightMetric<Real> straight;
  const Real* metric;            ///< component c of J a^d at points: [element][d][c][point]
  const Real* inverse_jacobian;  ///< at points: [element][point]
  const Real* area;          ///< component c of J a^d at points of faces across d: [element][c][face point]
  const double* face_place;  ///< [3 * slot]
  const Neighbour* beyond;   ///< [element * faces + face]

  /// Returns the number of a face point in the mesh.
  template <class C>
  HALFSTEP_HD std::int64_t slot(const C& c, const FacePoint& f) const {
    return std::int64_t{f.element} * face_points_of_element(c) + number_in_element(c, f);
  }
  template <class C>
  HALFSTEP_HD const Neighbour& neighbour(const C& c, int element, int face) const {
    return beyond[std::int64_t{element} * c.faces + face];
  }
  /// Returns the same point as a point of the other element's face; its element is -1 on a side of the mesh.
  template <class C>
  HALFSTEP_HD FacePoint across(const C& c, const FacePoint& f) const {
    const Neighbour& other = neighbour(c, f.element, f.face);
    int first = f.point % c.n, second = f.point / c.n;
    if (other.turn & 2) first = c.degree - first;
    if (other.turn & 4) second = c.degree - second;
    return {other.element, other.face, other.turn & 1 ? second + c.n * first : first + c.n * second};
  }
  /// Whether the element is the left one of its face.
  template <class C>
  HALFSTEP_HD bool is_left(const C& c, const FacePoint& f) const {
    return neighbour(c, f.element, f.face).own_is_left;
  }
  /// Returns the element whose metric terms an element has.
  HALFSTEP_HD std::int64_t shape_of(int element) const { return is_straight ? 0 : element; }
  /// Returns J a^d at a point.
  template <class C>
  HALFSTEP_HD auto metric_at(const C& c, int element, int m, int d) const {
    if constexpr (C::is_straight) {
      return straight.across(d);
    } else {
      const int first = d * c.dimensions * c.points + m;
      const Real* const of = metric + (shape_of(element) * c.dimensions * c.dimensions * c.points + first);
      return Vector<Real>{{of[0], of[c.points], c.dimensions == 3 ? of[2 * c.points] : Real(0)}};
    }
  }
  template <class C>
  HALFSTEP_HD Real inverse_jacobian_at(const C& c, int element, int m) const {
    if constexpr (C::is_straight) return straight.inverse_jacobian;
    return inverse_jacobian[shape_of(element) * c.points + m];
  }
  /// Returns the areas of an element: [c][face point].
  template <class C>
  HALFSTEP_HD const Real* areas_of(const C& c, int element) const {
    return area + shape_of(element) * c.dimensions * face_points_of_element(c);
  }
  /// Returns J a^d at a point of a face across d.
  template <class C>
  HALFSTEP_HD Vector<Real> area_at(const C& c, const FacePoint& f) const {
    if constexpr (C::is_straight) return straight.across(f.axis());
    return area_among(c, areas_of(c, f.element), f);
  }
};

}  // namespace halfstep
