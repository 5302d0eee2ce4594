// A stage of one element, from the points of its lines and of those beyond its faces. What is of a box is in
// two functions: line_in_box(), the elements beyond the faces, and xi_x(), the metric terms, constants.
#pragma once

#include "physics/elements/line.hpp"
#include "physics/gas/rotate.hpp"
#include "physics/stage/check.hpp"
#include "physics/stage/stage.hpp"

namespace halfstep {

/// An element by its first point, with its points along each axis: one along an axis that is not active.
struct Element {
  int first[3];
  int points[3];

  /// Returns the element that has the point (i, j, k).
  HALFSTEP_HD static Element of_point(const Layout& l, int degree, int i, int j, int k) {
    const int point[3] = {i, j, k};
    Element e{};
    for (int axis = 0; axis < 3; ++axis) {
      e.points[axis] = l.ghosts[axis] > 0 ? degree + 1 : 1;
      e.first[axis] = point[axis] - point[axis] % e.points[axis];
    }
    return e;
  }
  /// Returns the element beyond a face, which may be one of ghost cells.
  HALFSTEP_HD Element beyond(int axis, int side) const {
    Element e = *this;
    e.first[axis] += side == 0 ? -points[axis] : points[axis];
    return e;
  }

  HALFSTEP_HD int count() const { return points[0] * points[1] * points[2]; }
  /// Returns how far points are apart along an axis, in the order x fastest.
  HALFSTEP_HD int stride(int axis) const {
    return axis == 0 ? 1 : axis == 1 ? points[0] : points[0] * points[1];
  }
  /// Finds point number n of that order.
  HALFSTEP_HD void find_point(int n, int (&at)[3]) const {
    for (int axis = 0; axis < 3; ++axis) at[axis] = first[axis] + n / stride(axis) % points[axis];
  }
  /// Returns the number of the point (i, j, k).
  HALFSTEP_HD int number_of(int i, int j, int k) const {
    return i - first[0] + (j - first[1]) * stride(1) + (k - first[2]) * stride(2);
  }
};

/// What of an element a remedy makes first order.
struct FirstOrderParts {
  bool face[3][2] = {};  ///< the lower and upper face along each axis
  bool inside = false;

  HALFSTEP_HD bool any() const {
    bool any = inside;
    for (const auto& of_axis : face) any = any || of_axis[0] || of_axis[1];
    return any;
  }
};

/// Where a line's points are in memory, and those of the lines that it meets at its ends.
struct LinePlace {
  std::int64_t first[3];  ///< of the line below, of the line itself, of the line above
  std::int64_t stride;    ///< from one point to the next
};

/// Returns the place of the line along `axis` whose first point is `first`.
HALFSTEP_HD LinePlace line_in_box(const Layout& l, int degree, int axis, const int (&first)[3]) {
  const std::int64_t own = l.index(first[0], first[1], first[2]), next = (degree + 1) * l.stride[axis];
  return {{own - next, own, own + next}, l.stride[axis]};
}

/// A line of an element's points and those beyond both its ends, rotated to its axis, with the fluxes through
/// its ends.
template <int degree, class Real>
struct Line {
  static constexpr int n = degree + 1;
  Conserved<Real> u[3 * n];
  FaceRecord<Real> face[2];
  Conserved<Real> slope[n];  ///< dF/dxi

  HALFSTEP_HD Line(const StageArguments<Real>& a, Riemann riemann, int axis, const LinePlace& place,
                   const FirstOrderParts& parts) {
    const std::int64_t f = a.layout.field_stride;
    for (int m = 0; m < 3 * n; ++m) {
      const Real* p = a.in + place.first[m / n] + m % n * place.stride;
      u[m] = rotated(Conserved<Real>{p[0], p[f], p[2 * f], p[3 * f], p[4 * f]}, axis);
    }
    for (int side = 0; side < 2; ++side)
      face[side] =
          face_between<degree>(u + side * n, u + (side + 1) * n, riemann, a.gas, parts.face[axis][side]);
    if (parts.inside)
      find_first_order_slope<degree>(u + n, face[0].flux, face[1].flux, a.gas, slope);
    else
      find_slope<degree>(u + n, face[0].flux, face[1].flux, a.gas, slope);
  }
};

/// Returns dxi/dx of the elements along `axis`.
template <class Real>
HALFSTEP_HD Real xi_x(const StageArguments<Real>& a, int degree, int axis) {
  return Real(2) * a.inverse_dx[axis] / Real(degree + 1);
}

/// Returns the update of a point over dt from dF/dx + dG/dy + dH/dz there.
template <class Real>
HALFSTEP_HD Conserved<Real> updated_point(const StageArguments<Real>& a, Real dt,
                                          const Conserved<Real>& start, const Conserved<Real>& in,
                                          const Conserved<Real>& divergence) {
  return by_field<Real>([&](auto f) { return updated(a, dt, start.*f, in.*f, divergence.*f); });
}

/// The outcome of an element's stage.
template <class Real>
struct ElementOutcome {
  bool good = true;            ///< all points are admissible
  std::int64_t bad_faces = 0;  ///< face points with an inadmissible state, counted by the element above
  Real cfl_rate = 0;
};

/// Advances an element by a stage.
template <int degree, class Real>
ElementOutcome<Real> advance_element(const StageArguments<Real>& a, Riemann riemann, const Element& e,
                                     const FirstOrderParts& parts) {
  constexpr int n = degree + 1;
  const Layout& l = a.layout;
  ElementOutcome<Real> outcome;
  Conserved<Real> divergence[n * n * n] = {};
  const int stride[3] = {1, e.points[0], e.points[0] * e.points[1]};
  for (int axis = 0; axis < 3; ++axis) {
    if (e.points[axis] == 1) continue;
    const Real metric = xi_x(a, degree, axis);
    const int second = (axis + 1) % 3, third = (axis + 2) % 3;
    const bool is_last = e.first[axis] + n == l.cells[axis] && !a.shares_last[axis];
    for (int c = 0; c < e.points[third]; ++c)
      for (int b = 0; b < e.points[second]; ++b) {
        int first[3] = {e.first[0], e.first[1], e.first[2]};
        first[second] += b;
        first[third] += c;
        const Line<degree, Real> line(a, riemann, axis, line_in_box(l, degree, axis, first), parts);
        outcome.bad_faces += line.face[0].bad + (is_last && line.face[1].bad);
        Conserved<Real>* const to = divergence + b * stride[second] + c * stride[third];
        for (int i = 0; i < n; ++i)
          add_multiple(to[i * stride[axis]], metric, unrotated(line.slope[i], axis));
      }
  }
  const Conserved<Real>* change = divergence;
  for (int k = e.first[2]; k < e.first[2] + e.points[2]; ++k)
    for (int j = e.first[1]; j < e.first[1] + e.points[1]; ++j)
      for (int i = e.first[0]; i < e.first[0] + e.points[0]; ++i) {
        const Conserved<Real> start = a.start ? load(l, a.start, i, j, k) : Conserved<Real>{};
        store(l, a.out, i, j, k, updated_point(a, a.dt, start, load(l, a.in, i, j, k), *change++));
        Real rate = 0;
        outcome.good &= check_cell(a, i, j, k, rate);
        outcome.cfl_rate = max(rate, outcome.cfl_rate);
      }
  return outcome;
}

/// Recomputes the update of a point, with the faces of its element that the lines through it meet.
template <int degree, class Real>
HALFSTEP_HD CellRecord<Real> replay_point(const StageArguments<Real>& a, Riemann riemann, int i, int j, int k,
                                          const FirstOrderParts& parts) {
  const Layout& l = a.layout;
  const Element e = Element::of_point(l, degree, i, j, k);
  CellRecord<Real> record{};
  Conserved<Real> divergence{};
  for (int axis = 0; axis < 3; ++axis) {
    if (e.points[axis] == 1) continue;
    int first[3] = {i, j, k};
    const int point = first[axis] - e.first[axis];
    first[axis] = e.first[axis];
    const Line<degree, Real> line(a, riemann, axis, line_in_box(l, degree, axis, first), parts);
    record.line[axis] = line_of_cells(a, axis, i, j, k);
    for (int side = 0; side < 2; ++side) record.face[axis][side] = line.face[side];
    add_multiple(divergence, xi_x(a, degree, axis), unrotated(line.slope[point], axis));
  }
  record.before = load(l, a.in, i, j, k);
  record.after = updated_point(a, a.dt, a.start ? load(l, a.start, i, j, k) : Conserved<Real>{},
                               record.before, divergence);
  record.stored = load(l, a.out, i, j, k);
  return record;
}

}  // namespace halfstep
