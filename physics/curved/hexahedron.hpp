// A stage of one hexahedron: the divergence at its points, their update and check. What is stored for speed
// comes through function objects, so that the replay of a point computes it anew by the same functions.
#pragma once

#include "physics/curved/integrated_face.hpp"
#include "physics/curved/split_form.hpp"
#include "physics/curved/viscous_element.hpp"
#include "physics/elements/element.hpp"
#include "runtime/stepping/ladder.hpp"

namespace halfstep {

/// Returns J a^d . F of a state: the flux through a surface of constant xi_d.
template <class Real>
HALFSTEP_HD Conserved<Real> inviscid_flux_across(const Conserved<Real>& u, const Vector<Real>& across,
                                                 const IdealGas<Real>& gas) {
  const Primitive<Real> q = to_primitive(u, gas);
  const Real through = dot({{q.u, q.v, q.w}}, across);
  return {u.density * through, fma(q.pressure, across.of[0], u.mu * through),
          fma(q.pressure, across.of[1], u.mv * through), fma(q.pressure, across.of[2], u.mw * through),
          (u.energy + q.pressure) * through};
}

template <class Real>
HALFSTEP_HD Conserved<Real> inviscid_flux_across(const Conserved<Real>& u, const AlongAxis<Real>& across,
                                                 const IdealGas<Real>& gas) {
  const Primitive<Real> q = to_primitive(u, gas);
  const Real through = dot(Vector<Real>{{q.u, q.v, q.w}}, across);
  const auto pushed = [&](int c, Real momentum) {
    return c == across.axis ? fma(q.pressure, across.length, momentum * through) : momentum * through;
  };
  return {u.density * through, pushed(0, u.mu), pushed(1, u.mv), pushed(2, u.mw),
          (u.energy + q.pressure) * through};
}

/// Adds what the flux at the points of the line through point m along axis d adds to the divergence times J
/// there. flux(point, d): J a^d . F at points.
template <class Real, class C, class Sum, class Flux>
HALFSTEP_HD void add_slope_along(const C& c, int d, int m, const Flux& flux, Sum& sum) {
  const int i = index_along(c, d, m), first = m - i * stride_along(c, d);
  for (int j = 0; j < c.n; ++j)
    add_multiple(sum, Real(slope_without_ends(c, i, j)), flux(point_on_line(c, d, first, j), d));
}

/// Returns what the viscous flux at an element's own points adds to the divergence times J at point m.
template <class Real, class C, class Flux>
HALFSTEP_HD ViscousFlux<Real> viscous_divergence_at(const C& c, int m, const Flux& flux) {
  ViscousFlux<Real> sum{};
  for (int d = 0; d < c.dimensions; ++d) add_slope_along<Real>(c, d, m, flux, sum);
  return sum;
}

/// Returns the divergence times J at point m, from flux(point, d), J a^d . F at points, and what flows out
/// through faces, outflow(face point).
template <class Real, class C, class Flux, class Outflow>
HALFSTEP_HD Conserved<Real> divergence_at(const C& c, int element, int m, const Flux& flux,
                                          const Outflow& outflow) {
  Conserved<Real> sum{};
  for (int d = 0; d < c.dimensions; ++d) {
    const int i = index_along(c, d, m), s = end_of_line(c, d, m);
    add_slope_along<Real>(c, d, m, flux, sum);
    // The lower face's outflow is against xi_d.
    add_multiple(sum, Real(-correction_slope(c, 0, i)), outflow(FacePoint{element, 2 * d, s}));
    add_multiple(sum, Real(correction_slope(c, 1, i)), outflow(FacePoint{element, 2 * d + 1, s}));
  }
  return sum;
}

/// Returns the divergence times J at point m of first order: each point stands for a cell as wide as its
/// weight, with Rusanov's flux between neighbours. The areas between them are those at which the polynomials
/// J a^d keep a free stream: A. Hennemann et al., J. Comput. Phys. 426 (2021) 109935, eq. B.53.
template <class C, class Real, class Outflow>
HALFSTEP_HD Conserved<Real> first_order_divergence(const C& c, const StageArguments<Real>& a,
                                                   const HexahedraView<Real>& mesh, int element, int m,
                                                   const Outflow& outflow) {
  Conserved<Real> sum{};
  for (int d = 0; d < c.dimensions; ++d) {
    const int i = index_along(c, d, m), stride = stride_along(c, d), first = m - i * stride,
              s = end_of_line(c, d, m);
    const FacePoint lower{element, 2 * d, s}, upper{element, 2 * d + 1, s};
    Vector<Real> across = mesh.area_at(c, lower);
    Conserved<Real> below = Real(-1) * outflow(lower);
    for (int p = 0; p <= i; ++p) {
      for (int j = 0; j < c.n; ++j) {  // to the area above point p
        const Vector<Real> own = mesh.metric_at(c, element, first + j * stride, d);
        const Real share = Real(weight(c, p) * own_slope(c, p, j));
        for (int k = 0; k < 3; ++k) across.of[k] = fma(share, own.of[k], across.of[k]);
      }
      if (p < i - 1) continue;
      Conserved<Real> above;
      if (p < c.degree) {
        const FaceFrame<Real> frame(across);
        const auto state = [&](int point) {
          return frame.into(to_primitive(state_at(a, element, first + point * stride), a.gas));
        };
        above = frame.through(Rusanov::flux(state(p), state(p + 1), a.gas));
      } else {
        above = outflow(upper);
      }
      if (p == i) add_multiple(sum, Real(inverse_weight(c, i)), above - below);
      below = above;
    }
  }
  return sum;
}

/// Returns the CFL rate of a point with the state q: of the velocity along the gradients of xi, in a cell as
/// wide as the point's weights. `law`: of a viscous gas.
template <class C, class Real>
HALFSTEP_HD Real rate_at(const C& c, const HexahedraView<Real>& mesh, int element, int m,
                         const Primitive<Real>& q, const IdealGas<Real>& gas, const TransportLaw<Real>& law) {
  const Real inverse = mesh.inverse_jacobian_at(c, element, m);
  Real along[3] = {}, widths[3] = {};
  for (int d = 0; d < 3; ++d) {
    if (d >= c.dimensions) break;
    const auto across = mesh.metric_at(c, element, m, d);
    const Real length = square_root(dot(across, across));
    along[d] = quotient(dot(Vector<Real>{{q.u, q.v, q.w}}, across), length);
    widths[d] = length * inverse * Real(inverse_weight(c, index_along(c, d, m)));
  }
  return cfl_rate(Primitive<Real>{q.density, along[0], along[1], along[2], q.pressure}, widths, gas, law,
                  Real(kLargestEigenvalue));
}

/// Checks the state u of a point, as check_cell() that of a stage's output.
template <class C, class Real>
HALFSTEP_HD bool check_point(const C& c, const StageArguments<Real>& a, const HexahedraView<Real>& mesh,
                             const TransportLaw<Real>& law, int element, int m, const Conserved<Real>& u,
                             Real& rate) {
  if (!a.wants_rate) return is_admissible(u);
  const Primitive<Real> q = to_primitive(u, a.gas);
  rate = rate_at(c, mesh, element, m, q, a.gas, law);
  return is_admissible(u) & positive_and_finite(q.pressure);
}

/// Returns the update of a point, whose input is u, from the divergence times J.
template <class C, class Real>
HALFSTEP_HD Conserved<Real> updated_at(const C& c, const StageArguments<Real>& a,
                                       const HexahedraView<Real>& mesh, Real dt, int element, int m,
                                       const Conserved<Real>& u, const Conserved<Real>& divergence) {
  const Conserved<Real> start = a.start ? load(a.layout, a.start, m, element, 0) : Conserved<Real>{};
  return updated_point(a, dt, start, u, mesh.inverse_jacobian_at(c, element, m) * divergence);
}

/// The flags of hexahedra, each at its first point, and what of an element is first order.
struct FlaggedHexahedra {
  const std::uint8_t* mask;  ///< nullptr: none is flagged
  FlagLayout layout;
  Remedy remedy;

  HALFSTEP_HD bool is_flagged(int element) const {
    return mask && element >= 0 && mask[layout.index(0, element, 0)] != 0;
  }
  /// Whether the element is scaled towards its average.
  HALFSTEP_HD bool is_scaled(int element) const { return remedy == Remedy::scaling && is_flagged(element); }
  /// Whether all of the element is first order: it is flagged, or beside a flagged one.
  template <class C, class Real>
  HALFSTEP_HD bool is_first_order(const C& c, const HexahedraView<Real>& mesh, int element) const {
    bool found = is_flagged(element);
    for (int face = 0; mask && element >= 0 && face < c.faces; ++face)
      found = found || is_flagged(mesh.neighbour(c, element, face).element);
    return found;
  }
  template <class C, class Real>
  HALFSTEP_HD FirstOrderParts parts(const C& c, const HexahedraView<Real>& mesh, int element) const {
    FirstOrderParts parts;
    if (!mask || remedy == Remedy::scaling) return parts;
    parts.inside = is_first_order(c, mesh, element);
    for (int face = 0; face < c.faces; ++face)
      parts.face[face / 2][face % 2] =
          parts.inside || is_first_order(c, mesh, mesh.neighbour(c, element, face).element);
    return parts;
  }
};

/// What a stage of hexahedra is computed from where nothing is stored: a replay, and elements that a remedy
/// makes first order, which have no viscous terms.
template <class C, class Real>
struct ComputedAnew {
  const C& c;
  const StageArguments<Real>& a;
  const HexahedraStage<Real>& s;
  FirstOrderParts parts;

  HALFSTEP_HD FaceOfTwo<Real> face(const FacePoint& f) const {
    return face_of_two(c, a, s, f, ExtrapolatedStates<C, Real>{c, a}, AnyRiemannFlux<Real>{s.riemann},
                       parts.face[f.axis()][f.side()]);
  }
  HALFSTEP_HD Motion<Real> common(const FacePoint& f) const {
    return common_motion(c, s, f, ExtrapolatedStates<C, Real>{c, a});
  }
  HALFSTEP_HD Motion<Real> step(const FacePoint& f, const Motion<Real>& to) const {
    return difference(to, motion_at_end<Real>(c, f, MotionOfPoints<Real>{a}));
  }
  HALFSTEP_HD MotionGradient<Real> gradient(int element, int m) const {
    return own_gradient(c, s.mesh, element, m, MotionOfPoints<Real>{a});
  }
  HALFSTEP_HD_COLD ViscousFlux<Real> viscous_outflow(const FacePoint& f) const {
    const Motion<Real> to = common(f);
    return own_viscous_flux(s.transport, f.side(), s.mesh.area_at(c, f), to, step(f, to),
                            gradient_at_face(c, s.mesh, f, [&](int e, int m) { return gradient(e, m); }));
  }
  /// Returns the viscous part of what flows out of the left element of a face.
  HALFSTEP_HD ViscousFlux<Real> viscous_flux(const FaceOfTwo<Real>& both) const {
    return common_viscous_flux(
        c, s, both, [&](const FacePoint& of) { return common(of); },
        [&](const FacePoint& of) { return viscous_outflow(of); });
  }
  /// Returns what flows out through a face point.
  HALFSTEP_HD_COLD Conserved<Real> operator()(const FacePoint& f) const {
    const FaceOfTwo<Real> both = face(f);
    Conserved<Real> out = both.frame.through(both.record.flux);
    if (s.dealiasing == Dealiasing::over_integration && both.right.element >= 0 && !both.record.first_order) {
      const IntegratedFlux<Real> integrated =
          integrated_flux_at(c, a, s, both.left, ExtrapolatedStates<C, Real>{c, a});
      if (integrated.is_good) out = integrated.out;
    }
    if (s.is_viscous && !both.record.first_order) add_multiple(out, Real(1), viscous_flux(both));
    return (both.is_left(f) ? Real(1) : Real(-1)) * out;
  }
  HALFSTEP_HD_COLD ViscousFlux<Real> viscous_flux_at(int element, int m, int d) const {
    const MotionGradient<Real> g = corrected_gradient(
        c, element, m, s.mesh.inverse_jacobian_at(c, element, m), gradient(element, m),
        [&](const FacePoint& at) { return step(at, common(at)); },
        [&](const FacePoint& at) { return s.mesh.area_at(c, at); });
    return viscous_flux_across(g, MotionOfPoints<Real>{a}(element, m), s.transport,
                               s.mesh.metric_at(c, element, m, d));
  }
  HALFSTEP_HD Conserved<Real> over_integrated_flux_at(int element, int m, int d) const {
    const auto state = [&](int p) { return state_at(a, element, p); };
    return flux_across(projected_flux_at<Real>(c, *s.fine, a.gas, m, state), state(m),
                       s.mesh.metric_at(c, element, m, d));
  }
  HALFSTEP_HD Conserved<Real> inviscid_divergence(int element, int m) const {
    if (s.dealiasing == Dealiasing::none)
      return divergence_at<Real>(
          c, element, m,
          [&](int p, int d) {
            return inviscid_flux_across(state_at(a, element, p), s.mesh.metric_at(c, element, p, d), a.gas);
          },
          *this);
    if (s.dealiasing == Dealiasing::over_integration)
      return divergence_at<Real>(
          c, element, m, [&](int p, int d) { return over_integrated_flux_at(element, p, d); }, *this);
    const auto state = [&](int e, int p) { return to_primitive(state_at(a, e, p), a.gas); };
    const auto end = [&](const FacePoint& f) { return primitive_at_end<Real>(c, f, state); };
    const SplitForm split{c, s.mesh, a.gas, state, end};
    return split.divergence(element, m, [&](const FacePoint& f) { return split.excess(f, (*this)(f)); });
  }
  HALFSTEP_HD Conserved<Real> divergence(int element, int m) const {
    if (parts.inside) return first_order_divergence(c, a, s.mesh, element, m, *this);
    Conserved<Real> sum = inviscid_divergence(element, m);
    if (s.is_viscous)
      add_multiple(sum, Real(1), viscous_divergence_at<Real>(c, m, [&](int p, int d) {
                     return viscous_flux_at(element, p, d);
                   }));
    return sum;
  }
};

/// Returns a face's record with its states and flux as a record of cells has them: along x, y and z, then
/// rotated to the axis.
template <class Real>
HALFSTEP_HD FaceRecord<Real> record_across(int axis, const FaceOfTwo<Real>& face) {
  FaceRecord<Real> record = face.record;
  record.left = rotated(face.frame.out_of(record.left), axis);
  record.right = rotated(face.frame.out_of(record.right), axis);
  record.flux = rotated(reciprocal(face.frame.area) * face.frame.through(record.flux), axis);
  return record;
}

/// Recomputes the update of a point, with the faces of its element at which the lines through it end. The
/// left state of a face is that of the element with the lower number, out of which the normal points.
template <class C, class Real>
HALFSTEP_HD CellRecord<Real> replay_point(const C& c, const StageArguments<Real>& a,
                                          const HexahedraStage<Real>& s, int element, int m,
                                          const FirstOrderParts& parts) {
  const ComputedAnew<C, Real> anew{c, a, s, parts};
  CellRecord<Real> record{};
  for (int d = 0; d < c.dimensions; ++d) {
    for (int side = 0; side < 2; ++side)
      record.face[d][side] = record_across(d, anew.face({element, 2 * d + side, end_of_line(c, d, m)}));
    for (int p = -kMaxLayers; p <= kMaxLayers; ++p) {
      const int own = index_along(c, d, m), i = own + p < 0 ? 0 : own + p > c.degree ? c.degree : own + p;
      record.line[d].q[p + kMaxLayers] =
          rotated(to_primitive(state_at(a, element, m + (i - own) * stride_along(c, d)), a.gas), d);
    }
  }
  record.before = state_at(a, element, m);
  record.after = updated_at(c, a, s.mesh, a.dt, element, m, record.before, anew.divergence(element, m));
  record.stored = load(a.layout, a.out, m, element, 0);
  return record;
}

}  // namespace halfstep
