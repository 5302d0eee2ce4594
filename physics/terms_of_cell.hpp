// The explicit terms of a stage, cell by cell: pure functions for host and device. First the motion of all
// cells that the stencils reach, beyond walls too; then, from that, what the terms add to a cell.
#pragma once

#include <array>

#include "physics/explicit_terms.hpp"
#include "physics/face_flux.hpp"
#include "physics/stage.hpp"
#include "physics/unrolled.hpp"

namespace halfstep {

/// The motion of a cell in memory: three velocities and the temperature, each an array as long as a field.
inline constexpr int kMotionFields = 4;

/// What the explicit terms of a stage are computed from, and where they go:
/// out = keep * U_start + weight * dt * V(U_in), V the terms' rate of change. The stage then starts from
/// there.
template <class Real>
struct TermsArguments {
  StageArguments<Real> stage;  ///< of the stage without such terms, but for `out`
  Real* motion;                ///< kMotionFields fields; of a viscous gas only
  TransportLaw<Real> transport;
  Real gravity[3]{};
  Boundary boundary[3][2]{};
  Real wall_velocity[2][3]{};
  Real wall_temperature[2]{};  ///< 0: adiabatic
};

template <class Real>
struct Motion {
  Real velocity[3];
  Real temperature;
};

/// A quantity's average in the cell `layer` layers behind a wall, from its value there and its averages in
/// the two cells in front of it: those of the parabola that has all three. The parabola of Poiseuille's flow
/// is met exactly, and the derivative at the wall is of second order.
template <class Real>
HALFSTEP_HD Real behind_wall(Real wall, Real first, Real second, int layer /* 0 or 1 */) {
  const Real near = first - wall, far = second - wall;
  return wall + (layer == 0 ? Real(0.5) * far - Real(2.5) * near : Real(2.5) * far - Real(10.5) * near);
}

/// Of a cell of the mesh or beyond it. Behind a slip wall it is the mirror image; behind one that the gas
/// sticks to it is extrapolated through what the wall imposes. (The state in those ghost cells is the
/// inviscid flow's: its mirror image, with the pressure that bears the gas's weight.) `axis`: whose walls are
/// next.
template <int axis = 0, class Real>
HALFSTEP_HD Motion<Real> motion_at(const TermsArguments<Real>& a, std::array<int, 3> cell) {
  if constexpr (axis == 3) {
    const StageArguments<Real>& s = a.stage;
    const Primitive<Real> q = to_primitive(load(s.layout, s.in, cell[0], cell[1], cell[2]), s.gas);
    return {{q.u, q.v, q.w}, temperature(q)};
  } else {
    const int n = a.stage.layout.cells[axis], side = cell[axis] < 0 ? 0 : 1;
    const bool inside = cell[axis] >= 0 && cell[axis] < n;
    const int layer = side == 0 ? -1 - cell[axis] : cell[axis] - n;
    const bool slips = !inside && a.boundary[axis][side] == Boundary::reflecting;
    const bool sticks = !inside && a.boundary[axis][side] == Boundary::no_slip;
    const auto in_front = [&](int m) { return side == 0 ? m : n - 1 - m; };
    if (slips) cell[axis] = in_front(layer);
    if (sticks) cell[axis] = in_front(0);
    Motion<Real> motion = motion_at<axis + 1>(a, cell);
    if (slips) motion.velocity[axis] = -motion.velocity[axis];
    if (!sticks) return motion;
    cell[axis] = in_front(1);
    const Motion<Real> second = motion_at<axis + 1>(a, cell);
    for (int d = 0; d < 3; ++d) {
      const Real wall = d == axis ? Real(0) : a.wall_velocity[side][d];
      motion.velocity[d] = behind_wall(wall, motion.velocity[d], second.velocity[d], layer);
    }
    const Real wall = a.wall_temperature[side];
    motion.temperature = wall > Real(0) ? behind_wall(wall, motion.temperature, second.temperature, layer)
                         : layer == 0   ? motion.temperature
                                        : second.temperature;
    return motion;
  }
}

template <class Real>
HALFSTEP_HD void store_motion(const TermsArguments<Real>& a, int i, int j, int k) {
  const Motion<Real> motion = motion_at(a, {i, j, k});
  Real* to = a.motion + a.stage.layout.index(i, j, k);
  for (int d = 0; d < 3; ++d) to[d * a.stage.layout.field_stride] = motion.velocity[d];
  to[3 * a.stage.layout.field_stride] = motion.temperature;
}

/// Differences of averages over one cell's width. Of a face, v(0) is the cell above it and v(-1) the one
/// below; of a cell, v(0) is the cell itself. A derivative in the face's plane is found from differences
/// within the cells beside it, so that those can be found once a cell.
template <int order>
struct Central;

template <>
struct Central<2> {
  template <class Cells>
  HALFSTEP_HD static auto value(const Cells& v) {
    return decltype(v(0))(0.5) * (v(-1) + v(0));
  }
  template <class Cells>
  HALFSTEP_HD static auto difference(const Cells& v) {
    return v(0) - v(-1);
  }
  template <class Cells>
  HALFSTEP_HD static auto in_cell(const Cells& v) {
    return v(1) - v(-1);
  }
  /// The derivative at a face from those of the cells beside it.
  template <class Real, class Cells>
  HALFSTEP_HD static Real tangential(Real inverse_dx, const Cells& in_cell) {
    return Real(0.25) * inverse_dx * (in_cell(-1) + in_cell(0));
  }
};

/// With the averages over faces and edges that averages over cells determine to fourth order, so that of
/// linear terms with constant coefficients the order is the fourth in two and three dimensions, too.
template <>
struct Central<4> {
  template <class Cells>
  HALFSTEP_HD static auto value(const Cells& v) {
    return (7 * (v(-1) + v(0)) - (v(-2) + v(1))) * decltype(v(0))(1.0 / 12);
  }
  template <class Cells>
  HALFSTEP_HD static auto difference(const Cells& v) {
    return (15 * (v(0) - v(-1)) - (v(1) - v(-2))) * decltype(v(0))(1.0 / 12);
  }
  template <class Cells>
  HALFSTEP_HD static auto in_cell(const Cells& v) {
    return 8 * (v(1) - v(-1)) - (v(2) - v(-2));
  }
  template <class Real, class Cells>
  HALFSTEP_HD static Real tangential(Real inverse_dx, const Cells& in_cell) {
    return Real(1.0 / 12) * inverse_dx * value(in_cell);
  }
};

/// How many cells beside a face the differences reach.
constexpr int reach_of(int order) { return order / 2; }

/// Stress and heat through a face along `axis`, rotated. `wall`: the side of the domain, if the face lies on
/// a wall there that the gas sticks to; otherwise -1. `motion(field, n)`: of the cells beside the face;
/// `in_cell(tangential, field, n)`: their differences along a swept axis. The same expression for both cells
/// beside the face.
template <int order, class Real, class Fields, class Differences>
HALFSTEP_HD Conserved<Real> viscous_flux_between(const TermsArguments<Real>& a, int axis, int wall,
                                                 const Fields& motion, const Differences& in_cell) {
  const int u = axis, v = axis == 0 ? 1 : 0, w = axis == 2 ? 1 : 2, t = 3;
  const auto of = [&](int field) HALFSTEP_INLINED {
    return [&motion, field](int n) HALFSTEP_INLINED { return motion(field, n); };
  };
  const auto along = [&](int tangential, int field) HALFSTEP_INLINED -> Real {
    if (a.stage.layout.ghosts[tangential] == 0) return Real(0);
    return Central<order>::tangential(a.stage.inverse_dx[tangential],
                                      [&](int n) HALFSTEP_INLINED { return in_cell(tangential, field, n); });
  };
  const Real u_by_v = along(v, u), v_by_v = along(v, v), u_by_w = along(w, u), w_by_w = along(w, w);
  const auto by_normal = [&](int field) HALFSTEP_INLINED -> Real {
    return a.stage.inverse_dx[axis] * Central<order>::difference(of(field));
  };
  FaceVelocity<Real> velocity = {Central<order>::value(of(u)), Central<order>::value(of(v)),
                                 Central<order>::value(of(w))};
  // Between very different temperatures a parabola may go below zero.
  Real temperature = Central<order>::value(of(t));
  if (!(temperature > Real(0))) temperature = larger(motion(t, -1), motion(t, 0));
  if (wall >= 0) {
    // Exactly, so that a wall at rest does no work.
    velocity = {Real(0), a.wall_velocity[wall][v], a.wall_velocity[wall][w]};
    if (a.wall_temperature[wall] > Real(0)) temperature = a.wall_temperature[wall];
  }
  return viscous_flux<Real>(
      {by_normal(u), by_normal(v), by_normal(w), by_normal(t), u_by_v, v_by_v, u_by_w, w_by_w}, velocity,
      a.transport.at(temperature));
}

/// The side of the domain where the lower face along `axis` of a cell with index `n` lies on a wall that the
/// gas sticks to; -1 if it does not.
template <class Real>
HALFSTEP_HD int wall_below(const TermsArguments<Real>& a, int axis, int n) {
  const int side = n == 0 ? 0 : n == a.stage.layout.cells[axis] ? 1 : -1;
  return side >= 0 && a.boundary[axis][side] == Boundary::no_slip ? side : -1;
}

/// What flows out of a cell through its faces along `axis`, added to `divergence`; the fluxes are rotated.
template <class Real>
HALFSTEP_HD void add_outflow(Conserved<Real>& divergence, const TermsArguments<Real>& a, int axis,
                             const Conserved<Real>& lower, const Conserved<Real>& upper) {
  divergence = divergence + a.stage.inverse_dx[axis] * unrotated(upper - lower, axis);
}

/// Puts the terms of one cell where the stage starts from. `divergence`: of the viscous fluxes.
template <class Real>
HALFSTEP_HD void store_terms(const TermsArguments<Real>& a, Real dt, const Conserved<Real>& divergence, int i,
                             int j, int k) {
  const StageArguments<Real>& s = a.stage;
  const Conserved<Real> in = load(s.layout, s.in, i, j, k);
  const bool keeps = s.keep != Real(0);
  const Conserved<Real> start = keeps ? load(s.layout, s.start, i, j, k) : Conserved<Real>{};
  const Real* g = a.gravity;
  const Real power = in.mu * g[0] + in.mv * g[1] + in.mw * g[2];
  const Conserved<Real> rate = {Real(0), in.density * g[0] - divergence.mu, in.density * g[1] - divergence.mv,
                                in.density * g[2] - divergence.mw, power - divergence.energy};
  store(s.layout, s.out, i, j, k, s.keep * start + s.weight * dt * rate);
  if (s.layout.has_reactant())
    reactant(s.layout, s.out, i, j, k) = keeps ? s.keep * reactant(s.layout, s.start, i, j, k) : Real(0);
}

/// The rate whose inverse is the longest stable step: that of the inviscid flow, and that of diffusion by the
/// larger of 4/3 nu and the thermal diffusivity. A difference quotient of a second derivative has no
/// eigenvalue beyond 4 / dx^2, of fourth order none beyond 16/3 / dx^2 (beside walls that the gas sticks
/// to 5.2 and 6.2); along the negative real axis the integrators are stable up to 2.
template <class Real>
HALFSTEP_HD Real signal_rate(const Primitive<Real>& q, const Real* inverse_dx, const IdealGas<Real>& gas,
                             const ExplicitTerms& terms) {
  const Real rate = signal_rate(q, inverse_dx, gas);
  if (!(terms.transport.reference.viscosity > 0)) return rate;
  const Transport<Real> t = terms.transport.as<Real>().at(temperature(q));
  const Real momentum = Real(4) / Real(3) * t.viscosity, heat = (gas.gamma - Real(1)) * t.conductivity;
  const Real eigenvalue = terms.viscous_order == 4 ? Real(16) / Real(3) : Real(4);
  const Real squares =
      inverse_dx[0] * inverse_dx[0] + inverse_dx[1] * inverse_dx[1] + inverse_dx[2] * inverse_dx[2];
  return rate + Real(0.5) * eigenvalue * squares * larger(momentum, heat) / q.density;
}

}  // namespace halfstep
