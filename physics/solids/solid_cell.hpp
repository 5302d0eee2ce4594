// The state of a cell inside a body, near its surface: a ghost cell of the body. It follows from the gas at a
// probe, a point in the gas on the normal of the surface through the cell's middle (Mittal et al. 2008,
// "A versatile sharp interface immersed boundary method for incompressible flows with complex boundaries").
// At the surface gas that follows a curve presses on it with rho u^2 / R (Dadone & Grossman 2004, "Ghost-cell
// method for inviscid two-dimensional flows on Cartesian grids").
#pragma once

#include <array>
#include <cstdint>

#include "physics/gas/eos.hpp"
#include "physics/mesh/ghosts.hpp"
#include "physics/mesh/layout.hpp"
#include "physics/solids/body.hpp"

namespace halfstep {

using CellPlace = std::array<int, 3>;

/// A ghost cell of a body. Lengths are those of the mesh; single precision is far finer than the cells.
struct SolidCell {
  int at[3] = {};            ///< the cell, in its block
  std::int8_t base[3] = {};  ///< from it to the lowest of the cells around the probe
  std::uint8_t body = 0;     ///< its number
  float share[3] = {};       ///< of the upper of those cells along each axis; 0: the lower alone counts
  float normal[3] = {};      ///< of the surface, out of the body
  float depth = 0;           ///< of the cell's middle below the surface
  float height = 0;          ///< of the probe above the surface; not less than the depth where that can be
  float bend[6] = {};        ///< second derivatives of the distance at the surface: xx, yy, zz, xy, xz, yz
};

/// Interpolates a field at the probe, linearly along each axis. A uniform field keeps its bits.
template <class Real>
HALFSTEP_HD Real at_probe(const Layout& l, const Real* field, const SolidCell& c) {
  const Real* const p = field + l.index(c.at[0] + c.base[0], c.at[1] + c.base[1], c.at[2] + c.base[2]);
  const Real x(c.share[0]), y(c.share[1]), z(c.share[2]);
  const std::int64_t up_x = x > Real(0) ? l.stride[0] : 0, up_y = y > Real(0) ? l.stride[1] : 0,
                     up_z = z > Real(0) ? l.stride[2] : 0;
  const auto between = [](Real low, Real high, Real share) { return fma(share, high - low, low); };
  const auto along_x = [&](const Real* q) { return between(q[0], q[up_x], x); };
  const auto in_plane = [&](const Real* q) { return between(along_x(q), along_x(q + up_y), y); };
  return between(in_plane(p), in_plane(p + up_z), z);
}

/// Returns v . H v, H the second derivatives of the distance.
template <class Real>
HALFSTEP_HD Real bending_along(const float (&bend)[6], const Real (&v)[3]) {
  const Real along_axes =
      Real(bend[0]) * v[0] * v[0] + Real(bend[1]) * v[1] * v[1] + Real(bend[2]) * v[2] * v[2];
  return along_axes +
         Real(2) * (Real(bend[3]) * v[0] * v[1] + Real(bend[4]) * v[0] * v[2] + Real(bend[5]) * v[1] * v[2]);
}

/// Returns 1 + x for x > 0, else a positive number that agrees with it to the second order.
template <class Real>
HALFSTEP_HD Real positive_sum(Real x) {
  return x > Real(0) ? Real(1) + x : reciprocal(Real(1) - x);
}

/// Returns the state in a ghost cell of a body whose probe is in the state `q`. `moves`: the velocity of the
/// wall there. What is 0 at the wall is continued linearly through it; the pressure has there the gradient
/// that turns the gas along the wall and bears its weight.
template <class Real>
HALFSTEP_HD Primitive<Real> state_in_solid(const SolidCell& c, const Wall& wall, const Point& moves,
                                           const double (&gravity)[3], const Primitive<Real>& q,
                                           const IdealGas<Real>& gas) {
  const Real n[3] = {Real(c.normal[0]), Real(c.normal[1]), Real(c.normal[2])};
  const Real of_wall[3] = {Real(moves[0]), Real(moves[1]), Real(moves[2])};
  const Real relative[3] = {q.u - of_wall[0], q.v - of_wall[1], q.w - of_wall[2]};
  const Real through = relative[0] * n[0] + relative[1] * n[1] + relative[2] * n[2];
  const Real ratio = quotient(Real(c.depth), Real(c.height));
  Real own[3], follows[3];  // the velocity in the cell; that of the gas along the wall
  for (int axis = 0; axis < 3; ++axis) {
    const Real along = relative[axis] - through * n[axis];
    own[axis] = of_wall[axis] + (wall.slip ? along - ratio * through * n[axis] : -ratio * relative[axis]);
    follows[axis] = of_wall[axis] + (wall.slip ? along : Real(0));
  }
  const Real weight = Real(gravity[0]) * n[0] + Real(gravity[1]) * n[1] + Real(gravity[2]) * n[2];
  const Real rise = q.density * (bending_along(c.bend, follows) + weight);  // dp / dn
  const Real gain = positive_sum(quotient(-Real(c.depth + c.height) * rise, q.pressure));
  const Real pressure = gain * q.pressure;
  if (wall.slip)  // the entropy of the probe
    return {q.density * (Real(1) + quotient(gain - Real(1), gas.gamma)), own[0], own[1], own[2], pressure};
  if (wall.temperature <= 0) return {gain * q.density, own[0], own[1], own[2], pressure};
  const Real of_probe = quotient(q.pressure, q.density), held = Real(wall.temperature);
  const Real temperature = held * positive_sum(ratio * quotient(held - of_probe, held));
  return {quotient(pressure, temperature), own[0], own[1], own[2], pressure};
}

/// The ghost cells of bodies and the other cells inside them, in memory of the backend.
struct SolidCellsView {
  const SolidCell* near = nullptr;
  std::int64_t near_count = 0;
  const CellPlace* deep = nullptr;
  std::int64_t deep_count = 0;
  const Wall* walls = nullptr;  ///< of each body
};

/// Fills a ghost cell of a body in the state `u`. Mass fractions are those of the probe.
template <class Real>
HALFSTEP_HD void fill_solid_cell(const BoundaryConditions<Real>& rules, const Wall* walls, const SolidCell& c,
                                 Real* u) {
  const Layout& l = rules.layout;
  const IdealGas<Real> gas = in_precision<Real>(rules.gases).first;
  const auto field = [&](int f) { return at_probe(l, u + f * l.field_stride, c); };
  const Conserved<Real> at{field(0), field(1), field(2), field(3), field(4)};
  double x[3];
  find_centre(rules, c.at[0], c.at[1], c.at[2], x);
  const Wall& wall = walls[c.body];
  const Point surface{x[0] + double(c.depth) * double(c.normal[0]),
                      x[1] + double(c.depth) * double(c.normal[1]),
                      x[2] + double(c.depth) * double(c.normal[2])};
  const Primitive<Real> own =
      state_in_solid(c, wall, wall.velocity_at(surface), rules.gravity, to_primitive(at, gas), gas);
  store(l, u, c.at[0], c.at[1], c.at[2], to_conserved(own, gas));
  for (int s = 0; s < l.scalars(); ++s)
    scalar(l, u, s, c.at[0], c.at[1], c.at[2]) = quotient(own.density * field(kFields + s), at.density);
}

/// Leaves a deep cell as it was before the stage.
template <class Real>
HALFSTEP_HD void keep_deep_cell(const Layout& l, const CellPlace& c, const Real* in, Real* out) {
  const std::int64_t at = l.index(c[0], c[1], c[2]);
  for (int f = 0; f < l.fields; ++f) out[at + f * l.field_stride] = in[at + f * l.field_stride];
}

/// Brings a deep cell of the state `u` to rest.
template <class Real>
HALFSTEP_HD void bring_to_rest(const Layout& l, const CellPlace& c, const IdealGas<Real>& gas, Real* u) {
  const Primitive<Real> q = to_primitive(load(l, u, c[0], c[1], c[2]), gas);
  const Conserved<Real> rest{q.density, 0, 0, 0, internal_energy(q.pressure, gas)};
  if (q.u != 0 || q.v != 0 || q.w != 0) store(l, u, c[0], c[1], c[2], rest);
}

}  // namespace halfstep
