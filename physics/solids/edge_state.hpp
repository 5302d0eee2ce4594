// The state of a near cell at an edge of a body, such as the corner of a step. It is the ghost cell of
// several walls at once, one along each axis that has gas beside it, but has one state. What a wall's gas
// notices of a ghost cell is, to the first order, the acoustic wave that comes out of it, u -+ p / (rho c).
// So the cell has the pressure and density of one of the walls' own ghost cells, and a velocity through each
// wall with which the wave to its gas is that of the wall's own: hardly anything passes any of them. It is
// the wall of the highest pressure, because there slopes that reach over the edge are limited most.
#pragma once

#include "physics/gas/eos.hpp"
#include "physics/mesh/ghosts.hpp"
#include "physics/solids/around_probe.hpp"
#include "physics/solids/body.hpp"
#include "physics/solids/solid_cell.hpp"

namespace halfstep {

/// Returns 1 + x for x > 0, else a positive number that agrees with it to the second order.
template <class Real>
HALFSTEP_HD Real positive_sum(Real x) {
  return x > Real(0) ? Real(1) + x : reciprocal(Real(1) - x);
}

/// Returns a small change x to the third order, and less and less of a large one, which cells do not resolve.
template <class Real>
HALFSTEP_HD Real resolved(Real x) {
  return quotient(x, Real(1) + square(Real(2) * x));
}

/// Returns the share of the velocity through a wall that is reversed in a ghost cell: depth over height of
/// the probe, where that is less than 1 the more the faster the gas is. For it is linear through 0 at the
/// wall in a flow that cells resolve, but gas that meets the wall faster than sound would not notice it then.
template <class Real>
HALFSTEP_HD Real reversed_share(Real ratio, Real through, const Primitive<Real>& q,
                                const IdealGas<Real>& gas) {
  const Real mach2 = quotient(q.density * square(through), gas.gamma * q.pressure);
  return ratio + max(Real(0), Real(1) - ratio) * quotient(mach2, Real(1) + mach2);
}

/// Returns the gas at the probe of a wall of a cell at an edge, of two gases its own mixture. `around`: as
/// AroundProbe.
template <class Real, class Around>
HALFSTEP_HD Primitive<Real> gas_at_wall(const BoundaryConditions<Real>& rules, const Around& around,
                                        const SolidCell& c, int axis, int wall) {
  const auto field = [&](int f) { return at_wall<Real>(around, f, c, axis, wall); };
  const Gases<Real> gases = in_precision<Real>(rules.gases);
  const IdealGas<Real> gas =
      rules.layout.two_gases ? gases.mixed(field(kFields + rules.layout.scalars())) : gases.first;
  return to_primitive(Conserved<Real>{field(0), field(1), field(2), field(3), field(4)}, gas);
}

/// Returns the way along an axis from the probe of a wall to the cell.
template <class Real>
HALFSTEP_HD double way_from_probe(const BoundaryConditions<Real>& rules, const SolidCell& c, int axis) {
  const int beside = c.at[axis] + c.step[axis];
  const double way = distance_between(rules, axis, beside, c.at[axis]);
  if (!(c.share[axis] > 0)) return way;  // there may be no next cell
  return way - double(c.share[axis]) * distance_between(rules, axis, beside, beside + c.step[axis]);
}

/// Returns the state in a ghost cell at an edge. `velocity`: of the walls; `gas`: the mean mixture before
/// them. Each wall's own ghost cell continues the velocity through it linearly through 0, and has the
/// pressure of its gas and its weight.
template <class Real, class Around>
HALFSTEP_HD Primitive<Real> beyond_edge(const BoundaryConditions<Real>& rules, const Wall& wall,
                                        const Real (&velocity)[3], const SolidCell& c, const Around& around,
                                        const IdealGas<Real>& gas) {
  Primitive<Real> before[3] = {}, q{};
  for (int axis = 0, n = 0; axis < 3; ++axis) {
    if (c.step[axis] == 0) continue;
    Primitive<Real>& own = before[axis] = gas_at_wall<Real>(rules, around, c, axis, n++);
    const Real weight = own.density * Real(rules.gravity[axis] * way_from_probe(rules, c, axis));
    own.pressure *= positive_sum(resolved(quotient(weight, own.pressure)));
    if (own.pressure > q.pressure) q = own;
  }
  const auto impedance = [&](const Primitive<Real>& of) {
    return sqrt(gas.gamma * of.pressure * of.density);
  };
  const Real per_impedance = reciprocal(impedance(q));
  const Real along[3] = {q.u, q.v, q.w};
  Real own[3];
  for (int axis = 0; axis < 3; ++axis) {
    const Primitive<Real>& of_wall = before[axis];
    const Real through = (axis == 0 ? of_wall.u : axis == 1 ? of_wall.v : of_wall.w) - velocity[axis];
    const Real jump = Real(c.step[axis]) * (of_wall.pressure - q.pressure);
    own[axis] = c.step[axis] != 0
                    ? velocity[axis] +
                          per_impedance * (jump - reversed_share(Real(c.slope[axis]), through, of_wall, gas) *
                                                      impedance(of_wall) * through)
                : wall.slip ? along[axis]
                            : Real(2) * velocity[axis] - along[axis];
  }
  if (!wall.slip && wall.temperature > 0) {
    const Real held = Real(wall.temperature), of_gas = quotient(q.pressure, q.density);
    q.density = quotient(q.pressure, held * positive_sum(quotient(held - of_gas, held)));
  }
  return {q.density, own[0], own[1], own[2], q.pressure};
}

}  // namespace halfstep
