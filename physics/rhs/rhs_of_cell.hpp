// The right-hand-side terms of a stage, cell by cell: pure functions for host and device. The motion of all
// cells that the stencils reach is found first, beyond walls too, and from it the terms of a cell.
#pragma once

#include <array>

#include "physics/base/unrolled.hpp"
#include "physics/flux/face_flux.hpp"
#include "physics/gas/cfl_rate.hpp"
#include "physics/gas/rotate.hpp"
#include "physics/gas/transport.hpp"
#include "physics/rhs/rhs_terms.hpp"
#include "physics/rhs/viscous_flux.hpp"
#include "physics/stage/stage.hpp"

namespace halfstep {

/// The motion of a cell in memory: three velocities and the temperature, each an array as long as a field.
inline constexpr int kMotionFields = 4;

/// The arguments of a stage's right-hand-side terms, out = U_start + weight_in_start * dt * V(U_in), V
/// the terms' rate of change. The stage then starts from `out`.
template <class Real>
struct RhsArguments {
  StageArguments<Real> stage;  ///< the stage's without such terms, except `out`
  Real* motion;                ///< kMotionFields fields; only for a viscous gas
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

/// Returns a quantity's average in the cell `layer` layers behind a wall, extrapolated by the parabola
/// through its value `wall` at the wall and its averages in the two cells in front of it. Poiseuille's
/// parabola is reproduced exactly, and the derivative at the wall is of second order.
template <class Real>
HALFSTEP_HD Real behind_wall(Real wall, Real first, Real second, int layer /* 0 or 1 */) {
  const Real near = first - wall, far = second - wall;
  return wall + (layer == 0 ? Real(0.5) * far - Real(2.5) * near : Real(2.5) * far - Real(10.5) * near);
}

/// Returns the same in the layer next to the wall, on an axis whose second cell is `ratio` times as wide as
/// the first.
template <class Real>
HALFSTEP_HD Real behind_wall_of_stretched(Real wall, Real first, Real second, Real ratio) {
  const Real near = first - wall, far = second - wall;
  return wall - near + Real(2) * (far - (Real(2) + ratio) * near) / square(Real(1) + ratio);
}

/// Returns the motion of a cell inside or outside the mesh. Behind a slip wall it is the mirror image; behind
/// a no-slip wall it is extrapolated through the wall's velocity and temperature. (The state in those ghost
/// cells is the inviscid flow's: its mirror image, with hydrostatic pressure.) `axis`: the next axis whose
/// walls are treated.
template <int axis = 0, class Real>
HALFSTEP_HD Motion<Real> motion_at(const RhsArguments<Real>& a, std::array<int, 3> cell) {
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
    const Real* const inverse = a.stage.axes[axis].inverse_width;
    const auto behind = [&](Real wall, Real near, Real far) {
      return inverse ? behind_wall_of_stretched(wall, near, far, inverse[in_front(0)] / inverse[in_front(1)])
                     : behind_wall(wall, near, far, layer);
    };
    for (int d = 0; d < 3; ++d) {
      const Real wall = d == axis ? Real(0) : a.wall_velocity[side][d];
      motion.velocity[d] = behind(wall, motion.velocity[d], second.velocity[d]);
    }
    const Real wall = a.wall_temperature[side];
    motion.temperature = wall > Real(0) ? behind(wall, motion.temperature, second.temperature)
                         : layer == 0   ? motion.temperature
                                        : second.temperature;
    return motion;
  }
}

template <class Real>
HALFSTEP_HD void store_motion(const RhsArguments<Real>& a, int i, int j, int k) {
  const Motion<Real> motion = motion_at(a, {i, j, k});
  Real* to = a.motion + a.stage.layout.index(i, j, k);
  for (int d = 0; d < 3; ++d) to[d * a.stage.layout.field_stride] = motion.velocity[d];
  to[3 * a.stage.layout.field_stride] = motion.temperature;
}

/// Central differences of averages. For a face, v(0) is the cell above it and v(-1) the one below; for a
/// cell, v(0) is the cell itself. A derivative in the face's plane is found from differences in the cells
/// beside it, which are so computed once a cell.
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
  /// Returns the derivative at a face from the differences in the cells beside it.
  template <class Real, class Cells>
  HALFSTEP_HD static Real tangential(Real inverse_dx, const Cells& in_cell) {
    return Real(0.25) * inverse_dx * (in_cell(-1) + in_cell(0));
  }
};

/// Face and edge averages are found from cell averages to fourth order, so that linear terms with constant
/// coefficients are of fourth order in two and three dimensions, too.
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

/// Returns the number of cells on either side of a face that the differences use.
constexpr int reach_of(int order) { return order / 2; }

/// Returns the viscous flux through the lower face along `axis` of a cell, rotated. `wall`: the side of the
/// domain, if the face lies on a no-slip wall there; otherwise -1. `motion(field, n)`: the motion of the
/// cells beside the face; `in_cell(tangential, field, n)`: their differences along an active axis. The
/// expression is the same for both cells beside the face.
template <int order, bool is_stretched, class Real, class Fields, class Differences>
HALFSTEP_HD Conserved<Real> viscous_flux_between(const RhsArguments<Real>& a, int axis,
                                                 const std::array<int, 3>& cell, int wall,
                                                 const Fields& motion, const Differences& in_cell) {
  const int u = axis, v = axis == 0 ? 1 : 0, w = axis == 2 ? 1 : 2, t = 3;
  const auto of = [&](int field) HALFSTEP_INLINED {
    return [&motion, field](int n) HALFSTEP_INLINED { return motion(field, n); };
  };
  const auto along = [&](int tangential, int field) HALFSTEP_INLINED -> Real {
    if (a.stage.layout.ghosts[tangential] == 0) return Real(0);
    return Central<order>::tangential(
        is_stretched ? a.stage.inverse_span(tangential, cell[tangential]) : a.stage.inverse_dx[tangential],
        [&](int n) HALFSTEP_INLINED { return in_cell(tangential, field, n); });
  };
  const Real u_by_v = along(v, u), v_by_v = along(v, v), u_by_w = along(w, u), w_by_w = along(w, w);
  const auto by_normal = [&](int field) HALFSTEP_INLINED -> Real {
    const Real inverse = is_stretched ? a.stage.inverse_distance(axis, cell[axis]) : a.stage.inverse_dx[axis];
    return inverse * Central<order>::difference(of(field));
  };
  FaceVelocity<Real> velocity = {Central<order>::value(of(u)), Central<order>::value(of(v)),
                                 Central<order>::value(of(w))};
  // Between very different temperatures the interpolation may be negative.
  Real temperature = Central<order>::value(of(t));
  if (!(temperature > Real(0))) temperature = max(motion(t, -1), motion(t, 0));
  if (wall >= 0) {
    // Exactly, so that a wall at rest does no work.
    velocity = {Real(0), a.wall_velocity[wall][v], a.wall_velocity[wall][w]};
    if (a.wall_temperature[wall] > Real(0)) temperature = a.wall_temperature[wall];
  }
  return viscous_flux<Real>(
      {by_normal(u), by_normal(v), by_normal(w), by_normal(t), u_by_v, v_by_v, u_by_w, w_by_w}, velocity,
      a.transport.at(temperature));
}

/// Returns the side of the domain where the lower face along `axis` of a cell with index `n` lies on a
/// no-slip wall; -1 if it does not.
template <class Real>
HALFSTEP_HD int wall_below(const RhsArguments<Real>& a, int axis, int n) {
  const int side = n == 0 ? 0 : n == a.stage.layout.cells[axis] ? 1 : -1;
  return side >= 0 && a.boundary[axis][side] == Boundary::no_slip ? side : -1;
}

/// Adds to `divergence` the outflow of the cell with index `n` along `axis` through its faces there; the
/// fluxes are rotated.
template <bool is_stretched, class Real>
HALFSTEP_HD void add_outflow(Conserved<Real>& divergence, const RhsArguments<Real>& a, int axis, int n,
                             const Conserved<Real>& lower, const Conserved<Real>& upper) {
  const Real inverse = is_stretched ? a.stage.inverse_width(axis, n) : a.stage.inverse_dx[axis];
  divergence = divergence + inverse * unrotated(upper - lower, axis);
}

/// Stores the state that the stage starts from in one cell. `divergence`: of the viscous fluxes.
template <class Real>
HALFSTEP_HD void store_terms(const RhsArguments<Real>& a, Real dt, const Conserved<Real>& divergence, int i,
                             int j, int k) {
  const StageArguments<Real>& s = a.stage;
  const Conserved<Real> in = load(s.layout, s.in, i, j, k);
  const Conserved<Real> start = s.start ? load(s.layout, s.start, i, j, k) : Conserved<Real>{};
  const Real* g = a.gravity;
  const Real power = in.mu * g[0] + in.mv * g[1] + in.mw * g[2];
  const Conserved<Real> rate = {Real(0), in.density * g[0] - divergence.mu, in.density * g[1] - divergence.mv,
                                in.density * g[2] - divergence.mw, power - divergence.energy};
  store(s.layout, s.out, i, j, k, added_to_start(s, start, dt, rate));
  for (int n = 0; n < s.layout.carried(); ++n)
    scalar(s.layout, s.out, n, i, j, k) = s.start ? scalar(s.layout, s.start, n, i, j, k) : Real(0);
}

/// Returns the rate at which gravity changes a cell with the state `in`.
template <class Real>
HALFSTEP_HD Conserved<Real> rate_by_gravity(const Real (&g)[3], const Conserved<Real>& in) {
  return {Real(0), in.density * g[0], in.density * g[1], in.density * g[2],
          in.mu * g[0] + in.mv * g[1] + in.mw * g[2]};
}

/// Returns the rate at which a cell with the state `in` is driven. `acceleration`: the random one.
template <class Real>
HALFSTEP_HD Conserved<Real> rate_by_driving(const std::array<double, 3>& pressure_gradient,
                                            const std::array<double, 3>& acceleration,
                                            const Conserved<Real>& in) {
  const auto force = [&](int axis) {
    return in.density * Real(acceleration[axis]) - Real(pressure_gradient[axis]);
  };
  const Real x = force(0), y = force(1), z = force(2);
  return {Real(0), x, y, z, (in.mu * x + in.mv * y + in.mw * z) / in.density};
}

/// Adds what drives a cell over a stage to the state that the stage starts from. An inviscid gas has no such
/// state yet: it is stored first. `acceleration`: the random one.
template <class Real>
HALFSTEP_HD void drive(const RhsArguments<Real>& a, Real dt, const std::array<double, 3>& pressure_gradient,
                       const std::array<double, 3>& acceleration, int i, int j, int k) {
  const StageArguments<Real>& s = a.stage;
  if (!(a.transport.reference.viscosity > 0)) store_terms(a, dt, Conserved<Real>{}, i, j, k);
  const Conserved<Real> in = load(s.layout, s.in, i, j, k);
  const Conserved<Real> rate = rate_by_driving(pressure_gradient, acceleration, in);
  const Conserved<Real> start = load(s.layout, s.out, i, j, k);
  store(s.layout, s.out, i, j, k, added_to_start(s, start, dt, rate));
}

/// Returns the rate whose inverse is the longest stable step: the sum of the inviscid flow's and that of
/// diffusion by the larger of 4/3 nu and the thermal diffusivity. `eigenvalue`: the largest one of a second
/// derivative, in units of 1 / dx^2; along the negative real axis the integrators are stable up to 2.
template <class Real>
HALFSTEP_HD Real cfl_rate(const Primitive<Real>& q, const Real* inverse_dx, const IdealGas<Real>& gas,
                          const TransportLaw<Real>& law, Real eigenvalue) {
  const Real rate = cfl_rate(q, inverse_dx, gas);
  if (!(law.reference.viscosity > 0)) return rate;
  const Transport<Real> t = law.at(temperature(q));
  const Real momentum = Real(4) / Real(3) * t.viscosity, heat = pressure_per_energy(gas) * t.conductivity;
  const Real squares =
      inverse_dx[0] * inverse_dx[0] + inverse_dx[1] * inverse_dx[1] + inverse_dx[2] * inverse_dx[2];
  return rate + Real(0.5) * eigenvalue * squares * max(momentum, heat) / q.density;
}

/// Returns the same of difference quotients: their eigenvalues are at most 4 / dx^2, of fourth order 16/3 /
/// dx^2. Between no-slip walls they are larger (docs/numerics.md).
template <class Real>
HALFSTEP_HD Real cfl_rate(const Primitive<Real>& q, const Real* inverse_dx, const IdealGas<Real>& gas,
                          const RhsTerms& terms) {
  return cfl_rate(q, inverse_dx, gas, terms.transport.as<Real>(),
                  terms.viscous_order == 4 ? Real(16) / Real(3) : Real(4));
}

}  // namespace halfstep
