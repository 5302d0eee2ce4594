// The common inviscid flux at a point of a face of hexahedra.
#pragma once

#include "physics/curved/beyond_side.hpp"
#include "physics/elements/line.hpp"
#include "physics/gas/transport.hpp"

namespace halfstep {

/// What the fluxes of a stage need besides its arguments.
template <class Real>
struct HexahedraStage {
  HexahedraView<Real> mesh;
  BoundaryConditions<Real> rules;
  Riemann riemann;
  double time;  ///< of the stage's input
  TransportLaw<Real> transport{};
  Vector<Real> wall_velocity[2]{};  ///< beyond lower and upper sides, as Walls
  Real wall_temperature[2]{};       ///< 0: adiabatic
  bool is_viscous = false;
};

/// Returns the conserved state of a point of an element.
template <class Real>
HALFSTEP_HD Conserved<Real> state_at(const StageArguments<Real>& a, int element, int point) {
  return load(a.layout, a.in, point, element, 0);
}

/// The polynomials of elements extrapolated to face points, from the points in memory.
template <class C, class Real>
struct ExtrapolatedStates {
  const C& c;
  const StageArguments<Real>& a;
  HALFSTEP_HD Conserved<Real> operator()(const FacePoint& f) const {
    const int first = first_of_line(c, f.axis(), f.point), stride = stride_along(c, f.axis());
    Conserved<Real> end = Real(end_value(c, f.side(), 0)) * state_at(a, f.element, first);
    for (int j = 1; j < c.n; ++j)
      add_multiple(end, Real(end_value(c, f.side(), j)), state_at(a, f.element, first + j * stride));
    return end;
  }
};

/// Returns the solution point beside a face point.
template <class C>
HALFSTEP_HD int point_beside(const C& c, const FacePoint& f) {
  return first_of_line(c, f.axis(), f.point) + f.side() * c.degree * stride_along(c, f.axis());
}

/// Returns the frame of a face with its normal out of the element.
template <class C, class Real>
HALFSTEP_HD FaceFrame<Real> outward_frame(const C& c, const HexahedraView<Real>& mesh, const FacePoint& f) {
  return FaceFrame<Real>((f.side() == 0 ? Real(-1) : Real(1)) * mesh.area_at(c, f));
}

/// The flux through a point of a face, with the states that it is of: in the frame of the element that has
/// the lower number, whose normal points out of it.
template <class Real>
struct FaceOfTwo {
  FacePoint left, right;  ///< right.element: -1 on a side
  FaceFrame<Real> frame;
  FaceRecord<Real> record;

  HALFSTEP_HD bool is_left(const FacePoint& f) const {
    return left.element == f.element && left.face == f.face;
  }
};

/// Returns the side's condition at a face point beyond which there is no element.
template <class C, class Real>
HALFSTEP_HD SidePoint side_at(const C& c, const HexahedraStage<Real>& s, const FacePoint& f) {
  return side_point(s.rules, s.mesh.neighbour(c, f.element, f.face).side,
                    s.mesh.face_place + 3 * s.mesh.slot(c, f), s.time);
}

/// Whether an element is the left one of its face with another, or with a side.
HALFSTEP_HD bool is_left_of(const FacePoint& own, const FacePoint& other) {
  return other.element < 0 || own.element < other.element ||
         (own.element == other.element && own.face < other.face);
}

/// Returns the flux of a Riemann solver chosen at run time.
struct ChosenRiemann {
  Riemann riemann;
  template <class Real>
  HALFSTEP_HD FaceFlux<Real> operator()(const Primitive<Real>& l, const Primitive<Real>& r,
                                        const Primitive<Real>& point_l, const Primitive<Real>& point_r,
                                        const IdealGas<Real>& gas) const {
    return any_checked_flux(riemann, l, r, point_l, point_r, gas);
  }
};

/// Returns the common flux at a face point, by `riemann` between the extrapolated states ends(face point), or
/// as face_between() of lines. Both elements find the same bits.
template <class C, class Real, class Ends, class Solver>
HALFSTEP_HD FaceOfTwo<Real> face_of_two(const C& c, const StageArguments<Real>& a,
                                        const HexahedraStage<Real>& s, const FacePoint& own, const Ends& ends,
                                        const Solver& riemann, bool first_order) {
  const FacePoint other = s.mesh.across(c, own);
  const bool is_left = is_left_of(own, other);
  const FacePoint left = is_left ? own : other, right = is_left ? other : own;
  const FaceFrame<Real> frame = outward_frame(c, s.mesh, left);
  const auto inside = [&](const Conserved<Real>& u) { return frame.into(to_primitive(u, a.gas)); };
  const auto beside = [&](const FacePoint& f) { return inside(state_at(a, f.element, point_beside(c, f))); };
  // Returns the state on the right, found as the one on the left is, or beyond the side.
  const auto on_right = [&](const Primitive<Real>& of_left, const auto& find) {
    return right.element >= 0 ? find(right) : state_beyond(s.rules, side_at(c, s, left), of_left, frame);
  };
  const auto end = [&](const FacePoint& f) { return inside(ends(f)); };
  const Primitive<Real> point_l = beside(left), point_r = on_right(point_l, beside);
  if (first_order)
    return {left, right, frame, {point_l, point_r, Rusanov::flux(point_l, point_r, a.gas), false, true}};
  const Primitive<Real> end_l = end(left), end_r = on_right(end_l, end);
  const FaceFlux<Real> f = riemann(end_l, end_r, point_l, point_r, a.gas);
  return {left, right, frame, {end_l, end_r, f.flux, f.bad, false}};
}

}  // namespace halfstep
