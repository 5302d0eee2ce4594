// The states beyond the sides of a mesh of hexahedra, at the points of faces, from those inside.
#pragma once

#include "physics/curved/face_frame.hpp"
#include "physics/curved/hexahedra_view.hpp"
#include "physics/mesh/ghosts.hpp"

namespace halfstep {

/// A point of a side: its condition, the side's number among those of the boundary conditions, its place and
/// the time.
struct SidePoint {
  Boundary kind;
  int side;
  double x[3];
  double time;
};

template <class Real>
HALFSTEP_HD SidePoint side_point(const BoundaryConditions<Real>& rules, int side, const double* x,
                                 double time) {
  SidePoint at{rules.boundary[side / 2][side % 2], side, {x[0], x[1], x[2]}, time};
  if (is_made_by_formulas(at.kind) && rules.dirichlet.has_parts(side / 2, side % 2))
    at.kind = rules.dirichlet.kind_at(side / 2, side % 2, x, at.kind);
  return at;
}

HALFSTEP_HD constexpr bool is_wall(Boundary kind) {
  return kind == Boundary::reflecting || kind == Boundary::no_slip;
}

/// Returns the state beyond a side that formulas make. Both states are in the face's frame, whose normal
/// points outwards.
template <class Real>
HALFSTEP_HD_COLD Primitive<Real> state_of_formulas(const BoundaryConditions<Real>& rules, const SidePoint& at,
                                                   const Primitive<Real>& inside,
                                                   const FaceFrame<Real>& frame) {
  const auto in_frame = [&](const Primitive<double>& q) {
    const Vector<Real> u{{Real(q.u), Real(q.v), Real(q.w)}};
    return Primitive<double>{q.density, double(dot(u, frame.normal)), double(dot(u, frame.first)),
                             double(dot(u, frame.second)), q.pressure};
  };
  const Primitive<double> given =
      in_frame(at.kind == Boundary::prescribed ? rules.dirichlet.at(at.x, at.time)
                                               : rules.dirichlet.at(at.side / 2, at.side % 2, at.x, at.time));
  const Primitive<double> own{double(inside.density), double(inside.u), double(inside.v), double(inside.w),
                              double(inside.pressure)};
  const IdealGas<double>& gas = rules.gases.first;
  constexpr Side outwards{0, 1};
  Primitive<double> q = given;
  if (at.kind == Boundary::subsonic_outflow)
    q = subsonic_outflow(outwards, own, given, gas);
  else if (at.kind == Boundary::subsonic_inflow)
    q = subsonic_inflow(outwards, own, given, gas);
  else if (at.kind == Boundary::reservoir)
    q = reservoir(outwards, own, given, gas);
  else if (at.kind == Boundary::far_field)
    q = far_field(outwards, own, given, gas);
  return {Real(q.density), Real(q.u), Real(q.v), Real(q.w), Real(q.pressure)};
}

/// Returns the state beyond a side: the mirror image at a wall, the state inside at an outflow, or one of
/// formulas. States as above.
template <class Real>
HALFSTEP_HD Primitive<Real> state_beyond(const BoundaryConditions<Real>& rules, const SidePoint& at,
                                         Primitive<Real> inside, const FaceFrame<Real>& frame) {
  if (is_wall(at.kind)) {
    inside.u = -inside.u;
    return inside;
  }
  return is_made_by_formulas(at.kind) ? state_of_formulas(rules, at, inside, frame) : inside;
}

}  // namespace halfstep
