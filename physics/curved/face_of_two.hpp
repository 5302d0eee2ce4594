// The common inviscid flux at a point of a face of hexahedra.
#pragma once

#include "physics/curved/beyond_side.hpp"
#include "physics/elements/line.hpp"
#include "physics/gas/spikes.hpp"
#include "physics/gas/transport.hpp"

namespace halfstep {

struct FineTable;

/// What the fluxes of a stage need besides its arguments.
template <class Real>
struct HexahedraStage {
  HexahedraView<Real> mesh;
  const BoundaryConditions<Real>* rules;
  Riemann riemann;
  double time;  ///< of the stage's input
  TransportLaw<Real> transport{};
  Vector<Real> wall_velocity[2]{};  ///< beyond lower and upper sides, as Walls
  Real wall_temperature[2]{};       ///< 0: adiabatic
  bool is_viscous = false;
  SpikeLimits spikes{};  ///< of states interpolated to faces
  Dealiasing dealiasing{};
  const FineTable* fine = nullptr;  ///< of over-integration
};

/// Returns the conserved state of a point of an element.
template <class Real>
HALFSTEP_HD Conserved<Real> state_at(const StageArguments<Real>& a, int element, int point) {
  return load(a.layout, a.in, point, element, 0);
}

/// Returns the polynomial through an element's states extrapolated to a face point. state(point): of its
/// points.
template <class C, class State>
HALFSTEP_HD auto extrapolated(const C& c, const FacePoint& f, const State& state) {
  using Real = decltype(state(PointOnLine{}).density);
  const int first = first_of_line(c, f.axis(), f.point);
  Conserved<Real> end = Real(end_value(c, f.side(), 0)) * state(point_on_line(c, f.axis(), first, 0));
  for (int j = 1; j < c.n; ++j)
    add_multiple(end, Real(end_value(c, f.side(), j)), state(point_on_line(c, f.axis(), first, j)));
  return end;
}

/// The polynomials of elements extrapolated to face points, from the points in memory; as primitive
/// variables.
template <class C, class Real>
struct ExtrapolatedStates {
  const C& c;
  const StageArguments<Real>& a;
  HALFSTEP_HD Primitive<Real> operator()(const FacePoint& f) const {
    return to_primitive(extrapolated(c, f, [&](int point) { return state_at(a, f.element, point); }), a.gas);
  }
};

/// Returns the solution point beside a face point.
template <class C>
HALFSTEP_HD int point_beside(const C& c, const FacePoint& f) {
  return first_of_line(c, f.axis(), f.point) + f.side() * c.degree * stride_along(c, f.axis());
}

/// Returns the area of a face times its normal out of the element.
template <class C, class Real>
HALFSTEP_HD Vector<Real> outward_area(const C& c, const HexahedraView<Real>& mesh, const FacePoint& f) {
  return (f.side() == 0 ? Real(-1) : Real(1)) * mesh.area_at(c, f);
}

/// Returns the frame of a face with its normal out of the element.
template <class C, class Real>
HALFSTEP_HD FaceFrame<Real> outward_frame(const C& c, const HexahedraView<Real>& mesh, const FacePoint& f) {
  return FaceFrame<Real>(outward_area(c, mesh, f));
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
  return side_point(*s.rules, s.mesh.neighbour(c, f.element, f.face).side,
                    s.mesh.face_place + 3 * s.mesh.slot(c, f), s.time);
}

/// The flux of a Riemann solver known at run time.
template <class Real>
struct AnyRiemannFlux {
  Riemann riemann;
  HALFSTEP_HD Conserved<Real> operator()(const Primitive<Real>& left, const Primitive<Real>& right,
                                         const IdealGas<Real>& gas) const {
    return any_checked_flux(riemann, left, right, left, right, gas).flux;
  }
};

/// Whether one of the states interpolated to a face is a spike, by the limit or beside the other one.
template <class Real>
HALFSTEP_HD bool has_spike(const SpikeLimits& limits, const Primitive<Real>& left,
                           const Primitive<Real>& right) {
  if (!limits.are_set()) return false;
  const Real of_left = spike_value(limits.field, left), of_right = spike_value(limits.field, right);
  return is_spike(limits, of_left, of_right) || is_spike(limits, of_right, of_left);
}

/// Returns the common flux at a face point, riemann_flux(left, right, gas) between the extrapolated states
/// ends(face point). Where one of them is inadmissible or a spike, or `first_order`, the states are those of
/// the points beside the face, and the flux of first order is Rusanov's. Both elements find the same bits.
/// `on_sides`: the face may be on a side of the mesh.
template <bool on_sides = true, class C, class Real, class Ends, class RiemannFlux>
HALFSTEP_HD FaceOfTwo<Real> face_of_two(const C& c, const StageArguments<Real>& a,
                                        const HexahedraStage<Real>& s, const FacePoint& own, const Ends& ends,
                                        const RiemannFlux& riemann_flux, bool first_order) {
  const FacePoint other = s.mesh.across(c, own);
  const bool is_left = s.mesh.is_left(c, own);
  FaceOfTwo<Real> face{
      is_left ? own : other, is_left ? other : own, outward_frame(c, s.mesh, is_left ? own : other), {}};
  const FaceFrame<Real>& frame = face.frame;
  const auto find_states = [&](const auto& find, Primitive<Real>& left, Primitive<Real>& right) {
    left = frame.into(find(face.left));
    if (!on_sides || face.right.element >= 0)
      right = frame.into(find(face.right));
    else
      right = state_beyond(*s.rules, side_at(c, s, face.left), left, frame);
  };
  FaceRecord<Real>& record = face.record;
  if (!first_order) find_states(ends, record.left, record.right);
  const bool good = !first_order && is_admissible(record.left) & is_admissible(record.right) &&
                    !has_spike(s.spikes, record.left, record.right);
  Primitive<Real> left = record.left, right = record.right;
  if (!good)
    find_states(
        [&](const FacePoint& f) { return to_primitive(state_at(a, f.element, point_beside(c, f)), a.gas); },
        left, right);
  if (first_order) {
    record = {left, right, Rusanov::flux(left, right, a.gas), false, true};
  } else {
    record.flux = riemann_flux(left, right, a.gas);
    record.bad = !good;
  }
  return face;
}

}  // namespace halfstep
