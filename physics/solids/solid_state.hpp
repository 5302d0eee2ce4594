// The state of a cell inside a body, near its surface: a ghost cell of the body. It follows from the gas at a
// probe, a point in the gas on the normal of the surface through the cell's middle (Mittal et al. 2008,
// "A versatile sharp interface immersed boundary method for incompressible flows with complex boundaries").
// At the surface gas that follows a curve presses on it with rho u^2 / R (Dadone & Grossman 2004, "Ghost-cell
// method for inviscid two-dimensional flows on Cartesian grids").
#pragma once

#include "physics/gas/eos.hpp"
#include "physics/mesh/ghosts.hpp"
#include "physics/mesh/layout.hpp"
#include "physics/solids/around_probe.hpp"
#include "physics/solids/edge_state.hpp"
#include "physics/solids/solid_cell.hpp"

namespace halfstep {

/// Returns v . H v, H the second derivatives of the distance.
template <class Real>
HALFSTEP_HD Real bending_along(const float (&bend)[6], const Real (&v)[3]) {
  const Real along_axes =
      Real(bend[0]) * v[0] * v[0] + Real(bend[1]) * v[1] * v[1] + Real(bend[2]) * v[2] * v[2];
  return along_axes +
         Real(2) * (Real(bend[3]) * v[0] * v[1] + Real(bend[4]) * v[0] * v[2] + Real(bend[5]) * v[1] * v[2]);
}

/// The gas at a probe, or the mixture of two, and the derivative of its energy per pressure along the normal.
template <class Real>
struct GasAtProbe {
  IdealGas<Real> gas;
  Real slope = 0;
  Real fraction = 0;  ///< of the second gas
};

/// Finds the gas at the probe. `around`: as AroundProbe.
template <class Real, class Around>
HALFSTEP_HD GasAtProbe<Real> gas_at_probe(const BoundaryConditions<Real>& rules, const Around& around,
                                          const SolidCell& c) {
  const Gases<Real> gases = in_precision<Real>(rules.gases);
  if (!rules.layout.two_gases) return {gases.first};
  const AtProbe<Real> fraction = at_probe<Real>(around, kFields + rules.layout.scalars(), c);
  return {gases.mixed(fraction.value), (gases.second - gases.first.energy_per_pressure) * fraction.slope,
          fraction.value};
}

/// Returns the derivatives of the primitive variables of the state `q` from those of the conserved ones.
/// Where two gases of one pressure meet, the energy has a derivative that is not the pressure's.
template <class Real>
HALFSTEP_HD Primitive<Real> primitive_slopes(const Primitive<Real>& q, const Conserved<Real>& slope,
                                             const GasAtProbe<Real>& at) {
  const Real volume = reciprocal(q.density);
  const auto of_velocity = [&](Real momentum, Real velocity) {
    return (momentum - velocity * slope.density) * volume;
  };
  const Real along = q.u * slope.mu + q.v * slope.mv + q.w * slope.mw;
  const Real half_square = Real(0.5) * (q.u * q.u + q.v * q.v + q.w * q.w);
  return {slope.density, of_velocity(slope.mu, q.u), of_velocity(slope.mv, q.v), of_velocity(slope.mw, q.w),
          pressure_per_energy(at.gas) *
              (slope.energy - along + half_square * slope.density - q.pressure * at.slope)};
}

/// What is at a probe, and its derivatives along the normal.
template <class Real>
struct Probed {
  Primitive<Real> q, slope;
};

/// Returns the state in a ghost cell beyond a wall that gas slips along. `velocity`: of the wall. The
/// velocity through the wall is continued linearly through 0 there, the pressure with the gradient that turns
/// the gas along the wall and bears its weight, velocity along it and entropy with their own gradients where
/// these are those of a smooth flow.
template <class Real>
HALFSTEP_HD Primitive<Real> beyond_slip_wall(const SolidCell& c, const Real (&velocity)[3], Real weight,
                                             const Probed<Real>& probe, const IdealGas<Real>& gas) {
  const Primitive<Real>& q = probe.q;
  const Real n[3] = {Real(c.normal[0]), Real(c.normal[1]), Real(c.normal[2])};
  const Real relative[3] = {q.u - velocity[0], q.v - velocity[1], q.w - velocity[2]};
  const Real slope[3] = {probe.slope.u, probe.slope.v, probe.slope.w};
  const Real through = relative[0] * n[0] + relative[1] * n[1] + relative[2] * n[2];
  const Real slope_through = slope[0] * n[0] + slope[1] * n[1] + slope[2] * n[2];
  const Real way = Real(c.depth) + Real(c.height);
  const Real ratio = reversed_share(quotient(Real(c.depth), Real(c.height)), through, q, gas);
  Real along[3], slope_along[3], follows[3];
  for (int axis = 0; axis < 3; ++axis) {
    along[axis] = relative[axis] - through * n[axis];
    slope_along[axis] = slope[axis] - slope_through * n[axis];
    follows[axis] = velocity[axis] + along[axis];
  }
  const Real per_density = quotient(way, q.density), per_pressure = quotient(way, q.pressure);
  const Real shear2 = square(slope_along[0]) + square(slope_along[1]) + square(slope_along[2]);
  const Real change2 = square(per_density * probe.slope.density) +
                       square(per_pressure * probe.slope.pressure) + way * per_pressure * q.density * shear2;
  const Real smooth = reciprocal(Real(1) + square(Real(100) * change2));  // 1/2 where they change by a tenth
  const Real rise = q.density * (bending_along(c.bend, follows) + weight);  // dp / dn
  const Real gain = positive_sum(-resolved(per_pressure * rise));
  const Real of_entropy =
      per_density * probe.slope.density - quotient(per_pressure * probe.slope.pressure, gas.gamma);
  Real own[3];
  for (int axis = 0; axis < 3; ++axis)
    own[axis] = velocity[axis] + along[axis] - ratio * through * n[axis] - smooth * way * slope_along[axis];
  return {q.density * positive_sum(quotient(gain - Real(1), gas.gamma) - smooth * of_entropy), own[0], own[1],
          own[2], gain * q.pressure};
}

/// Returns the state in a ghost cell beyond a wall that gas sticks to. `velocity`: of the wall. Velocity and
/// temperature are continued linearly through those of the wall.
template <class Real>
HALFSTEP_HD Primitive<Real> beyond_no_slip_wall(const SolidCell& c, const Real (&velocity)[3], Real weight,
                                                Real held /* temperature; 0: adiabatic */,
                                                const Primitive<Real>& q, const IdealGas<Real>& gas) {
  const Real through = (q.u - velocity[0]) * Real(c.normal[0]) + (q.v - velocity[1]) * Real(c.normal[1]) +
                       (q.w - velocity[2]) * Real(c.normal[2]);
  const Real way = Real(c.depth) + Real(c.height);
  const Real ratio = reversed_share(quotient(Real(c.depth), Real(c.height)), through, q, gas);
  const Real rise = q.density * (bending_along(c.bend, velocity) + weight);
  const Real gain = positive_sum(-resolved(quotient(way * rise, q.pressure)));
  const Real of_probe = quotient(q.pressure, q.density);
  const Real temperature =
      held > Real(0) ? held * positive_sum(ratio * quotient(held - of_probe, held)) : of_probe;
  const auto beyond = [&](Real at_wall, Real at_probe) { return at_wall - ratio * (at_probe - at_wall); };
  return {quotient(gain * q.pressure, temperature), beyond(velocity[0], q.u), beyond(velocity[1], q.v),
          beyond(velocity[2], q.w), gain * q.pressure};
}

/// The flow's fields at a probe, and their derivatives along the normal.
template <class Real>
struct FlowAtProbe {
  Conserved<Real> value, slope;
};

/// Interpolates the flow at the probe. `around`: as AroundProbe.
template <class Real, class Around>
HALFSTEP_HD FlowAtProbe<Real> flow_at_probe(const Around& around, const SolidCell& c) {
  const auto field = [&](int f) { return at_probe<Real>(around, f, c); };
  const AtProbe<Real> of[kFields] = {field(0), field(1), field(2), field(3), field(4)};
  return {{of[0].value, of[1].value, of[2].value, of[3].value, of[4].value},
          {of[0].slope, of[1].slope, of[2].slope, of[3].slope, of[4].slope}};
}

/// Returns the flow in a ghost cell of a body, from that at its probe.
template <class Real, class Around>
HALFSTEP_HD Primitive<Real> beyond_wall(const BoundaryConditions<Real>& rules, const Wall& wall,
                                        const SolidCell& c, const Around& around,
                                        const FlowAtProbe<Real>& probe, const GasAtProbe<Real>& at) {
  double x[3];
  find_centre(rules, c.at[0], c.at[1], c.at[2], x);
  Point foot{};
  double weight = 0;
  for (int axis = 0; axis < 3; ++axis) {
    foot[axis] = x[axis] + double(c.depth) * double(c.normal[axis]);
    weight += rules.gravity[axis] * double(c.normal[axis]);
  }
  const Point moves = wall.velocity_at(foot);
  const Real velocity[3] = {Real(moves[0]), Real(moves[1]), Real(moves[2])};
  if (c.at_edge) return beyond_edge<Real>(rules, wall, velocity, c, around, at.gas);
  const Primitive<Real> q = to_primitive(probe.value, at.gas);
  return wall.slip ? beyond_slip_wall<Real>(c, velocity, Real(weight),
                                            {q, primitive_slopes(q, probe.slope, at)}, at.gas)
                   : beyond_no_slip_wall(c, velocity, Real(weight), Real(wall.temperature), q, at.gas);
}

/// Fills a ghost cell of a body in the state `u`, and returns the flow's part of what it holds then. Mass
/// fractions and the volume fraction are those of the probe. `around`: as AroundProbe; `probe`: the flow at
/// the probe.
template <class Real, class Around>
HALFSTEP_HD Conserved<Real> fill_solid_cell(const BoundaryConditions<Real>& rules, const Wall* walls,
                                            const SolidCell& c, const Around& around,
                                            const FlowAtProbe<Real>& probe, Real* u) {
  const Layout& l = rules.layout;
  const GasAtProbe<Real> at = gas_at_probe<Real>(rules, around, c);
  const Primitive<Real> own = beyond_wall(rules, walls[c.body], c, around, probe, at);
  const Conserved<Real> filled = to_conserved(own, at.gas);
  store(l, u, c.at[0], c.at[1], c.at[2], filled);
  for (int s = 0; s < l.scalars(); ++s)
    scalar(l, u, s, c.at[0], c.at[1], c.at[2]) =
        quotient(own.density * at_probe<Real>(around, kFields + s, c).value, probe.value.density);
  if (l.two_gases) scalar(l, u, l.scalars(), c.at[0], c.at[1], c.at[2]) = at.fraction;
  return filled;
}

/// Returns the state `q` at rest: that of all deep cells. They hold nothing that flows.
template <class Real>
HALFSTEP_HD Conserved<Real> at_rest(const Primitive<Real>& q, const IdealGas<Real>& gas) {
  return {q.density, 0, 0, 0, internal_energy(q.pressure, gas)};
}

/// Gives a deep cell its state.
template <class Real>
HALFSTEP_HD void fill_deep_cell(const Layout& l, const CellPlace& c, const Conserved<Real>& rest, Real* u) {
  store(l, u, c[0], c[1], c[2], rest);
  for (int s = 0; s < l.carried(); ++s) scalar(l, u, s, c[0], c[1], c[2]) = 0;
}

}  // namespace halfstep
