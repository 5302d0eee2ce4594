// A stage of one hexahedron: the divergence at its points, their update and check. What is stored for speed
// comes through function objects, so that the replay of a point computes it anew by the same functions.
#pragma once

#include "physics/elements/element.hpp"
#include "physics/elements/viscous_element.hpp"
#include "physics/rhs/rhs_of_cell.hpp"

namespace halfstep {

/// Returns J a^d . F at a point of an element with the state u: the flux through a surface of constant xi_d.
template <class C, class Real>
HALFSTEP_HD Conserved<Real> inviscid_flux_across(C, const Conserved<Real>& u, const Real (&across)[3],
                                                 const IdealGas<Real>& gas) {
  const Primitive<Real> q = to_primitive(u, gas);
  const Real through = fma(q.w, across[2], fma(q.v, across[1], q.u * across[0]));
  return {u.density * through, fma(q.pressure, across[0], u.mu * through),
          fma(q.pressure, across[1], u.mv * through), fma(q.pressure, across[2], u.mw * through),
          (u.energy + q.pressure) * through};
}

/// Returns the divergence times J at point m, from flux(point, d), J a^d . F at points, and what flows out
/// through faces, outflow(face point).
template <class C, class Real, class Flux, class Outflow>
HALFSTEP_HD Conserved<Real> divergence_at(C, int element, int m, const Flux& flux, const Outflow& outflow) {
  const auto& of = operators<C::degree>();
  Conserved<Real> sum{};
  for (int d = 0; d < C::dimensions; ++d) {
    const int i = C::along(d, m), first = m - i * C::stride(d), s = C::face_point(d, m);
    for (int j = 0; j < C::n; ++j) add_multiple(sum, Real(of.C[i][j]), flux(first + j * C::stride(d), d));
    // The lower face's outflow is against xi_d.
    add_multiple(sum, Real(-of.g[0][i]), outflow(FacePoint{element, 2 * d, s}));
    add_multiple(sum, Real(of.g[1][i]), outflow(FacePoint{element, 2 * d + 1, s}));
  }
  return sum;
}

/// Returns the vector J a^d at a point.
template <class Real>
struct MetricVector {
  Real of[3];
};
template <class C, class Real>
HALFSTEP_HD MetricVector<Real> metric_vector(C c, const HexahedraView<Real>& mesh, int element, int m,
                                             int d) {
  const std::int64_t index = mesh.layout.index(m, element, 0);
  return {{mesh.metric_of(c, d, 0, index), mesh.metric_of(c, d, 1, index), mesh.metric_of(c, d, 2, index)}};
}

/// Returns the divergence times J at point m of first order: each point stands for a cell as wide as its
/// weight, with Rusanov's flux between neighbours. The areas between them are those at which the polynomials
/// J a^d keep a free stream: A. Hennemann et al., J. Comput. Phys. 426 (2021) 109935, eq. B.53.
template <class C, class Real, class Outflow>
HALFSTEP_HD Conserved<Real> first_order_divergence(C c, const StageArguments<Real>& a,
                                                   const HexahedraView<Real>& mesh, int element, int m,
                                                   const Outflow& outflow) {
  const auto& of = operators<C::degree>();
  Conserved<Real> sum{};
  for (int d = 0; d < C::dimensions; ++d) {
    const int i = C::along(d, m), first = m - i * C::stride(d), s = C::face_point(d, m);
    const FacePoint lower{element, 2 * d, s}, upper{element, 2 * d + 1, s};
    Real across[3] = {mesh.area_of(c, 0, lower), mesh.area_of(c, 1, lower), mesh.area_of(c, 2, lower)};
    Conserved<Real> below = Real(-1) * outflow(lower);
    for (int p = 0; p <= i; ++p) {  // to the areas above point p
      for (int j = 0; j < C::n; ++j) {
        const MetricVector<Real> own = metric_vector(c, mesh, element, first + j * C::stride(d), d);
        for (int k = 0; k < 3; ++k) across[k] = fma(Real(of.w[p] * of.D[p][j]), own.of[k], across[k]);
      }
      if (p < i - 1) continue;
      Conserved<Real> above;
      if (p < C::degree) {
        const FaceFrame<Real> frame(across);
        const auto state = [&](int point) {
          return frame.into(to_primitive(state_at(a, element, first + point * C::stride(d)), a.gas));
        };
        above = frame.through(Rusanov::flux(state(p), state(p + 1), a.gas));
      } else {
        above = outflow(upper);
      }
      if (p == i) add_multiple(sum, Real(1 / of.w[i]), above - below);
      below = above;
    }
  }
  return sum;
}

/// Returns the velocity along the gradients of xi at a point, and the inverse widths of the cell that it
/// stands for along them, as cfl_rate() takes them.
template <class C, class Real>
HALFSTEP_HD Real rate_at(C c, const HexahedraView<Real>& mesh, int element, int m, const Primitive<Real>& q,
                         const IdealGas<Real>& gas, const RhsTerms& terms) {
  const Real inverse = mesh.inverse_jacobian[mesh.layout.index(m, element, 0)];
  Real along[3] = {}, widths[3] = {};
  for (int d = 0; d < C::dimensions; ++d) {
    const MetricVector<Real> a = metric_vector(c, mesh, element, m, d);
    const Real length = square_root(FaceFrame<Real>::dot(a.of, a.of));
    const Real u[3] = {q.u, q.v, q.w};
    along[d] = quotient(FaceFrame<Real>::dot(u, a.of), length);
    widths[d] = length * inverse * Real(1 / operators<C::degree>().w[C::along(d, m)]);
  }
  return cfl_rate(Primitive<Real>{q.density, along[0], along[1], along[2], q.pressure}, widths, gas, terms);
}

/// Checks a point of a stage's output, as check_cell().
template <class C, class Real>
HALFSTEP_HD bool check_point(C c, const StageArguments<Real>& a, const HexahedraView<Real>& mesh, int element,
                             int m, Real& rate) {
  const Conserved<Real> u = load(a.layout, a.out, m, element, 0);
  if (!a.wants_rate) return is_admissible(u);
  const Primitive<Real> q = to_primitive(u, a.gas);
  rate = rate_at(c, mesh, element, m, q, a.gas, RhsTerms{});
  return is_admissible(u) & positive_and_finite(q.pressure);
}

/// Returns the update of a point from the divergence times J.
template <class Real>
HALFSTEP_HD Conserved<Real> updated_at(const StageArguments<Real>& a, const HexahedraView<Real>& mesh,
                                       Real dt, int element, int m, const Conserved<Real>& divergence) {
  const Conserved<Real> start =
      a.alpha != Real(0) ? load(a.layout, a.start, m, element, 0) : Conserved<Real>{};
  const Real inverse = mesh.inverse_jacobian[a.layout.index(m, element, 0)];
  return updated_point(a, dt, start, load(a.layout, a.in, m, element, 0), inverse * divergence);
}

/// The flags of hexahedra, each at its first point, and what of an element is first order.
struct FlaggedHexahedra {
  const std::uint8_t* mask;  ///< nullptr: none is flagged
  FlagLayout layout;

  HALFSTEP_HD bool is_flagged(int element) const {
    return mask && element >= 0 && mask[layout.index(0, element, 0)] != 0;
  }
  /// Whether all of the element is first order: it is flagged, or beside a flagged one.
  template <class C, class Real>
  HALFSTEP_HD bool is_first_order(C, const HexahedraView<Real>& mesh, int element) const {
    bool found = is_flagged(element);
    for (int face = 0; mask && element >= 0 && face < C::faces; ++face)
      found = found || is_flagged(mesh.beyond[std::int64_t{element} * C::faces + face].element);
    return found;
  }
  template <class C, class Real>
  HALFSTEP_HD FirstOrderParts parts(C c, const HexahedraView<Real>& mesh, int element) const {
    FirstOrderParts parts;
    if (!mask) return parts;
    parts.inside = is_first_order(c, mesh, element);
    for (int face = 0; face < C::faces; ++face)
      parts.face[face / 2][face % 2] =
          parts.inside ||
          is_first_order(c, mesh, mesh.beyond[std::int64_t{element} * C::faces + face].element);
    return parts;
  }
};

/// What a stage of hexahedra is computed from where nothing is stored: a replay, and elements that a remedy
/// makes first order, which have no viscous terms.
template <class C, class Real>
struct ComputedAnew {
  const StageArguments<Real>& a;
  const HexahedraStage<Real>& s;
  FirstOrderParts parts;

  HALFSTEP_HD Motion<Real> step(const FacePoint& f, Motion<Real>& common) const {
    common = common_motion(C{}, a, s, f, ExtrapolatedStates<C, Real>{a});
    return difference(common, motion_at_end(C{}, f, MotionOfPoints<Real>{a}));
  }
  HALFSTEP_HD MotionGradient<Real> gradient(int element, int m) const {
    return own_gradient(C{}, s.mesh, element, m, MotionOfPoints<Real>{a});
  }
  HALFSTEP_HD Conserved<Real> viscous_outflow_of(const FacePoint& f) const {
    Motion<Real> common;
    const Motion<Real> to_common = step(f, common);
    return own_viscous_flux(C{}, s, f, common, to_common, [&](int e, int m) { return gradient(e, m); });
  }
  /// Returns what flows out through a face point.
  HALFSTEP_HD Conserved<Real> operator()(const FacePoint& f) const {
    const bool first_order = parts.face[f.axis()][f.side()];
    const FaceOfTwo<Real> face = face_of_two(C{}, a, s, f, ExtrapolatedStates<C, Real>{a}, first_order);
    Conserved<Real> out = face.frame.through(face.record.flux);
    if (s.is_viscous && !first_order) {
      Motion<Real> common;
      step(face.left, common);
      add_multiple(out, Real(1), common_viscous_flux(C{}, s, face, common, [&](const FacePoint& of) {
                     return viscous_outflow_of(of);
                   }));
    }
    return (face.is_left(f) ? Real(1) : Real(-1)) * out;
  }
  HALFSTEP_HD Conserved<Real> flux(int element, int m, int d) const {
    const MetricVector<Real> across = metric_vector(C{}, s.mesh, element, m, d);
    const Conserved<Real> u = state_at(a, element, m);
    Conserved<Real> f = inviscid_flux_across(C{}, u, across.of, a.gas);
    if (!s.is_viscous) return f;
    const MotionGradient<Real> g =
        corrected_gradient(C{}, s.mesh, element, m, gradient(element, m), [&](const FacePoint& at) {
          Motion<Real> common;
          return step(at, common);
        });
    add_multiple(f, Real(1),
                 viscous_flux_across(g, motion_of(to_primitive(u, a.gas)), s.transport, across.of));
    return f;
  }
  HALFSTEP_HD Conserved<Real> divergence(int element, int m) const {
    if (parts.inside) return first_order_divergence(C{}, a, s.mesh, element, m, *this);
    return divergence_at<C, Real>(
        C{}, element, m, [&](int p, int d) { return flux(element, p, d); }, *this);
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
HALFSTEP_HD CellRecord<Real> replay_point(C, const StageArguments<Real>& a, const HexahedraStage<Real>& s,
                                          int element, int m, const FirstOrderParts& parts) {
  const ComputedAnew<C, Real> anew{a, s, parts};
  CellRecord<Real> record{};
  for (int d = 0; d < C::dimensions; ++d)
    for (int side = 0; side < 2; ++side)
      record.face[d][side] =
          record_across(d, face_of_two(C{}, a, s, FacePoint{element, 2 * d + side, C::face_point(d, m)},
                                       ExtrapolatedStates<C, Real>{a}, parts.face[d][side]));
  record.before = state_at(a, element, m);
  record.after = updated_at(a, s.mesh, a.dt, element, m, anew.divergence(element, m));
  record.stored = load(a.layout, a.out, m, element, 0);
  for (int d = 0; d < C::dimensions; ++d)
    for (int p = -kMaxLayers; p <= kMaxLayers; ++p) {
      const int i = C::along(d, m) + p, last = C::degree;
      const int point = m + ((i < 0 ? 0 : i > last ? last : i) - C::along(d, m)) * C::stride(d);
      record.line[d].q[p + kMaxLayers] = rotated(to_primitive(state_at(a, element, point), a.gas), d);
    }
  return record;
}

}  // namespace halfstep
