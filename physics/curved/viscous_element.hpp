// Viscous terms in elements by the second scheme of Bassi & Rebay: F. Bassi & S. Rebay, GMRES discontinuous
// Galerkin solution of the compressible Navier-Stokes equations, in: Discontinuous Galerkin Methods (2000)
// 197; as flux reconstruction: H. T. Huynh, AIAA Paper 2009-403; H. Gao & Z. J. Wang, AIAA Paper 2009-3617.
//
// Gradients are of the velocity and the temperature. In an element they see the common values at all of its
// faces; at a face, that of this face alone, so that a point depends on its own element and its neighbours
// only.
#pragma once

#include "physics/curved/face_of_two.hpp"
#include "physics/rhs/rhs_of_cell.hpp"

namespace halfstep {

template <class Real>
HALFSTEP_HD void add_multiple(Motion<Real>& a, Real s, const Motion<Real>& b) {
  for (int c = 0; c < 3; ++c) a.velocity[c] = fma(s, b.velocity[c], a.velocity[c]);
  a.temperature = fma(s, b.temperature, a.temperature);
}
template <class Real>
HALFSTEP_HD Motion<Real> motion_of(const Primitive<Real>& q) {
  return {{q.u, q.v, q.w}, temperature(q)};
}

/// What the viscous flux needs of the gradients of the velocity and the temperature.
template <class Real>
struct MotionGradient {
  Real stretch[3];  ///< du/dx, dv/dy, dw/dz
  Real shear[3];    ///< dv/dz + dw/dy, dw/dx + du/dz, du/dy + dv/dx
  Real slope[3];    ///< of the temperature
};

template <class Real>
HALFSTEP_HD void add_multiple(MotionGradient<Real>& a, Real s, const MotionGradient<Real>& b) {
  for (int c = 0; c < 3; ++c) {
    a.stretch[c] = fma(s, b.stretch[c], a.stretch[c]);
    a.shear[c] = fma(s, b.shear[c], a.shear[c]);
    a.slope[c] = fma(s, b.slope[c], a.slope[c]);
  }
}

/// Adds s * m along the vector `direction`.
template <class Real>
HALFSTEP_HD void add_along(MotionGradient<Real>& g, Real s, const Vector<Real>& direction,
                           const Motion<Real>& m) {
  const Real by[3] = {s * direction.of[0], s * direction.of[1], s * direction.of[2]};
  for (int c = 0; c < 3; ++c) {
    const int next = (c + 1) % 3, last = (c + 2) % 3;
    g.stretch[c] = fma(by[c], m.velocity[c], g.stretch[c]);
    g.shear[c] = fma(by[last], m.velocity[next], fma(by[next], m.velocity[last], g.shear[c]));
    g.slope[c] = fma(by[c], m.temperature, g.slope[c]);
  }
}

template <class Real>
HALFSTEP_HD void add_along(MotionGradient<Real>& g, Real s, const AlongAxis<Real>& direction,
                           const Motion<Real>& m) {
  const Real by = s * direction.length;
  const int axis = direction.axis, next = (axis + 1) % 3, last = (axis + 2) % 3;
  g.stretch[axis] = fma(by, m.velocity[axis], g.stretch[axis]);
  g.shear[next] = fma(by, m.velocity[last], g.shear[next]);
  g.shear[last] = fma(by, m.velocity[next], g.shear[last]);
  g.slope[axis] = fma(by, m.temperature, g.slope[axis]);
}

/// The values of a ViscousFlux.
inline constexpr int kViscousFields = 4;

/// A viscous flux of momentum and energy; mass has none.
template <class Real>
struct ViscousFlux {
  Real momentum[3];
  Real energy;
};

template <class Real>
HALFSTEP_HD void add_multiple(ViscousFlux<Real>& a, Real s, const ViscousFlux<Real>& b) {
  for (int c = 0; c < 3; ++c) a.momentum[c] = fma(s, b.momentum[c], a.momentum[c]);
  a.energy = fma(s, b.energy, a.energy);
}
template <class Real>
HALFSTEP_HD void add_multiple(Conserved<Real>& a, Real s, const ViscousFlux<Real>& b) {
  a.mu = fma(s, b.momentum[0], a.mu);
  a.mv = fma(s, b.momentum[1], a.mv);
  a.mw = fma(s, b.momentum[2], a.mw);
  a.energy = fma(s, b.energy, a.energy);
}

/// Returns the viscous flux times the vector `across`: momentum -tau . across, energy -(velocity . tau +
/// kappa grad T) . across. `across`: a Vector, or AlongAxis.
template <class Real, class Surface>
HALFSTEP_HD ViscousFlux<Real> viscous_flux_across(const MotionGradient<Real>& g, const Motion<Real>& at,
                                                  const TransportLaw<Real>& law, const Surface& across) {
  const Transport<Real> t = law.at(at.temperature);
  const Real third = Real(2) / Real(3) * (g.stretch[0] + g.stretch[1] + g.stretch[2]);
  const auto own = [&](int c) { return g.stretch[c] + g.stretch[c] - third; };
  const auto& [yz, xz, xy] = g.shear;
  const Real mu = t.viscosity;
  const Vector<Real> rows[3] = {{{own(0), xy, xz}}, {{xy, own(1), yz}}, {{xz, yz, own(2)}}};
  const Vector<Real> force{{mu * dot(rows[0], across), mu * dot(rows[1], across), mu * dot(rows[2], across)}};
  const Vector<Real> velocity{{at.velocity[0], at.velocity[1], at.velocity[2]}},
      slope{{g.slope[0], g.slope[1], g.slope[2]}};
  const Real heat = t.conductivity * dot(slope, across), work = dot(velocity, force);
  return {{-force.of[0], -force.of[1], -force.of[2]}, -(work + heat)};
}

/// The motion of an element's points, from the states in memory.
template <class Real>
struct MotionOfPoints {
  const StageArguments<Real>& a;
  HALFSTEP_HD Motion<Real> operator()(int element, int point) const {
    return motion_of(to_primitive(state_at(a, element, point), a.gas));
  }
};

/// Returns the gradient at point m of the element's own polynomials. motion(element, point): of its points.
template <class C, class Real, class Motions>
HALFSTEP_HD MotionGradient<Real> own_gradient(const C& c, const HexahedraView<Real>& mesh, int element, int m,
                                              const Motions& motion) {
  MotionGradient<Real> gradient{};
  for (int d = 0; d < c.dimensions; ++d) {
    const int i = index_along(c, d, m), first = m - i * stride_along(c, d);
    Motion<Real> slope{};
    for (int j = 0; j < c.n; ++j)
      add_multiple(slope, Real(own_slope(c, i, j)), motion(element, point_on_line(c, d, first, j)));
    add_along(gradient, mesh.inverse_jacobian_at(c, element, m), mesh.metric_at(c, element, m, d), slope);
  }
  return gradient;
}

/// Returns the polynomial through the motion of the points that end at a face point.
template <class Real, class C, class Motions>
HALFSTEP_HD Motion<Real> motion_at_end(const C& c, const FacePoint& f, const Motions& motion) {
  const int first = first_of_line(c, f.axis(), f.point);
  Motion<Real> end{};
  for (int j = 0; j < c.n; ++j)
    add_multiple(end, Real(end_value(c, f.side(), j)),
                 motion(f.element, point_on_line(c, f.axis(), first, j)));
  return end;
}

/// Returns the motion of the gas at a wall: a slip wall takes the normal velocity away, and one that is not
/// adiabatic has a temperature.
template <class Real>
HALFSTEP_HD Motion<Real> motion_at_wall(const HexahedraStage<Real>& s, const SidePoint& at,
                                        const Motion<Real>& inside, const FaceFrame<Real>& frame) {
  const bool sticks = at.kind == Boundary::no_slip;
  const int upper = at.side % 2;
  Vector<Real> velocity{{inside.velocity[0], inside.velocity[1], inside.velocity[2]}};
  if (sticks) velocity = s.wall_velocity[upper];
  Motion<Real> own = inside;
  if (sticks && s.wall_temperature[upper] > Real(0)) own.temperature = s.wall_temperature[upper];
  const Real normal = dot(velocity, frame.normal);
  for (int c = 0; c < 3; ++c) own.velocity[c] = velocity.of[c] - normal * frame.normal.of[c];
  return own;
}

/// Returns the common motion at a face point: the mean of both sides, or a wall's. `on_sides`: the face may
/// be on a side of the mesh.
template <bool on_sides = true, class C, class Real, class Ends>
HALFSTEP_HD Motion<Real> common_motion(const C& c, const HexahedraStage<Real>& s, const FacePoint& own,
                                       const Ends& ends) {
  const FacePoint other = s.mesh.across(c, own);
  const Primitive<Real> inside = ends(own);
  const Motion<Real> here = motion_of(inside);
  Motion<Real> there;
  if (!on_sides || other.element >= 0) {
    there = motion_of(ends(other));
  } else {
    const FaceFrame<Real> frame = outward_frame(c, s.mesh, own);
    const SidePoint at = side_at(c, s, own);
    if (is_wall(at.kind)) return motion_at_wall(s, at, here, frame);
    there = motion_of(frame.out_of(state_beyond(*s.rules, at, frame.into(inside), frame)));
  }
  Motion<Real> mean{};
  add_multiple(mean, Real(0.5), here);
  add_multiple(mean, Real(0.5), there);
  return mean;
}

/// Returns a - b: the step from an element's own polynomial to the common motion at a face point.
template <class Real>
HALFSTEP_HD Motion<Real> difference(Motion<Real> a, const Motion<Real>& b) {
  add_multiple(a, Real(-1), b);
  return a;
}

/// Returns the gradient at point m that sees the common motion at all faces. step(face point): from the own
/// polynomial to the common motion there. It counts with the face's area, area(face point), not with J a^d at
/// the point, so that the gradient is the adjoint of the divergence: else elements that are bent are not
/// stable.
template <class C, class Real, class Steps, class Areas>
HALFSTEP_HD MotionGradient<Real> corrected_gradient(const C& c, int element, int m, Real inverse_jacobian,
                                                    MotionGradient<Real> own, const Steps& step,
                                                    const Areas& area) {
  for (int d = 0; d < c.dimensions; ++d)
    for (int side = 0; side < 2; ++side) {
      const FacePoint f{element, 2 * d + side, end_of_line(c, d, m)};
      add_along(own, Real(correction_slope(c, side, index_along(c, d, m))) * inverse_jacobian, area(f),
                step(f));
    }
  return own;
}

/// The factor of a face's own lifting, which has to be large enough for the stress to take energy away. An
/// element has two faces across each axis, so 2 is just enough where its Jacobian is constant, and what is
/// above that is for those that vary.
inline constexpr double kPenalty = 3;
/// The largest eigenvalue of a second derivative with this penalty, in units of the inverse square of the
/// width of an element's first point: found of lines of elements, 15.0, 19.6, 22.4, 24.2 and 25.4 of degrees
/// 1 to 5.
inline constexpr double kLargestEigenvalue = 25.5;

/// The own gradient of an element at a face point, and how much a step there adds to it.
template <class Real>
struct GradientAtFace {
  MotionGradient<Real> own{};
  Real lift = 0;

  /// Adds point j of the line that ends at the face. `of_point`: own_gradient() there.
  template <class C>
  HALFSTEP_HD void add(const C& c, int side, int j, const MotionGradient<Real>& of_point,
                       Real inverse_jacobian) {
    add_multiple(own, Real(end_value(c, side, j)), of_point);
    lift = fma(Real(own_lift(c, side, j)), inverse_jacobian, lift);
  }
};

/// gradient(element, point): own_gradient() of its points.
template <class C, class Real, class Gradients>
HALFSTEP_HD GradientAtFace<Real> gradient_at_face(const C& c, const HexahedraView<Real>& mesh,
                                                  const FacePoint& f, const Gradients& gradient) {
  const int first = first_of_line(c, f.axis(), f.point);
  GradientAtFace<Real> at_face;
  for (int j = 0; j < c.n; ++j) {
    const int m = point_on_line(c, f.axis(), first, j);
    at_face.add(c, f.side(), j, gradient(f.element, m), mesh.inverse_jacobian_at(c, f.element, m));
  }
  return at_face;
}

/// Returns what flows out of an element through a point of a face on that side of it, by its own gradient
/// there, which sees the common motion at this face alone. `area`: J a^d there.
template <class Real>
HALFSTEP_HD ViscousFlux<Real> own_viscous_flux(const TransportLaw<Real>& law, int side,
                                               const Vector<Real>& area, const Motion<Real>& common,
                                               const Motion<Real>& step, GradientAtFace<Real> at_face) {
  add_along(at_face.own, Real(kPenalty) * at_face.lift, area, step);
  return viscous_flux_across(at_face.own, common, law, (side == 0 ? Real(-1) : Real(1)) * area);
}

/// Returns what flows out of an element through a point of a side: a slip wall has neither friction nor heat
/// flux, an adiabatic one no heat flux.
template <class C, class Real>
HALFSTEP_HD ViscousFlux<Real> viscous_flux_at_side(const C& c, const HexahedraStage<Real>& s,
                                                   const FacePoint& f, const Motion<Real>& common,
                                                   ViscousFlux<Real> own) {
  const SidePoint at = side_at(c, s, f);
  const Vector<Real> force{{own.momentum[0], own.momentum[1], own.momentum[2]}};
  if (at.kind == Boundary::reflecting) {
    const FaceFrame<Real> frame = outward_frame(c, s.mesh, f);
    const Vector<Real> normal = dot(force, frame.normal) * frame.normal;
    return {{normal.of[0], normal.of[1], normal.of[2]}, Real(0)};
  }
  if (at.kind == Boundary::no_slip && !(s.wall_temperature[at.side % 2] > Real(0)))
    own.energy = dot({{common.velocity[0], common.velocity[1], common.velocity[2]}}, force);
  return own;
}

/// Returns what flows out of the left element of a face: half the difference of both elements' own fluxes, or
/// a side's. common(face point): the motion there; outflow(face point): own_viscous_flux(). `on_sides`: the
/// face may be on a side of the mesh.
template <bool on_sides = true, class C, class Real, class Common, class Outflow>
HALFSTEP_HD ViscousFlux<Real> common_viscous_flux(const C& c, const HexahedraStage<Real>& s,
                                                  const FaceOfTwo<Real>& face, const Common& common,
                                                  const Outflow& outflow) {
  const ViscousFlux<Real> left = outflow(face.left);
  if (on_sides && face.right.element < 0)
    return viscous_flux_at_side(c, s, face.left, common(face.left), left);
  ViscousFlux<Real> half{};
  add_multiple(half, Real(0.5), left);
  add_multiple(half, Real(-0.5), outflow(face.right));
  return half;
}

}  // namespace halfstep
