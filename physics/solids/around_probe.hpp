// The gas around the probe of a near cell, and what it is at the probe.
#pragma once

#include <cstdint>

#include "physics/base/arithmetic.hpp"
#include "physics/mesh/layout.hpp"
#include "physics/solids/solid_cell.hpp"

namespace halfstep {

/// A field at a probe, and its derivative along the normal.
template <class Real>
struct AtProbe {
  Real value, slope;
};

/// The rows of two cells along x around a probe, in a field: the first cells of those that differ by the step
/// along y in their bit 0, by that along z in bit 1, and the step to the second ones. Of a cell at an edge,
/// the two cells of gas beside it along its first axis, then those along the second; of three walls, the cell
/// beside it along each axis.
struct RowsAroundProbe {
  std::int64_t first[4], next;

  HALFSTEP_HD RowsAroundProbe(const Layout& l, const SolidCell& c) : next(c.at_edge ? 0 : c.step[0]) {
    const std::int64_t at = l.index(c.at[0] + c.base[0], c.at[1] + c.base[1], c.at[2] + c.base[2]);
    if (c.at_edge) {
      put_beside(l, c, at);
      return;
    }
    const std::int64_t y = c.step[1] * l.stride[1], z = c.step[2] * l.stride[2];
    for (int row = 0; row < 4; ++row) first[row] = at + (row & 1 ? y : 0) + (row & 2 ? z : 0);
  }

 private:
  HALFSTEP_HD void put_beside(const Layout& l, const SolidCell& c, std::int64_t at) {
    const bool has_two = c.walls() == 2;
    for (std::int64_t& one : first) one = at;
    for (int axis = 0, row = 0; axis < 3; ++axis) {
      if (c.step[axis] == 0) continue;
      const std::int64_t step = c.step[axis] * l.stride[axis];
      first[row++] = at + step;
      if (has_two) first[row++] = at + (c.share[axis] > 0 ? 2 : 1) * step;
    }
  }
};

/// The values of a field in a row of two cells.
template <class Real>
struct RowOfTwo {
  Real first, second;
};

/// The fields around the probe of a cell in a state.
template <class Real>
struct AroundProbe {
  const Real* u;
  std::int64_t field_stride;
  RowsAroundProbe rows;

  HALFSTEP_HD AroundProbe(const Layout& l, const SolidCell& c, const Real* state)
      : u(state), field_stride(l.field_stride), rows(l, c) {}
  HALFSTEP_HD RowOfTwo<Real> operator()(int field, int row) const {
    const Real* const first = u + field * field_stride + rows.first[row];
    return {first[0], first[rows.next]};
  }
};

/// Returns a field at the probe of a wall of a cell at an edge, the one across `axis`. `wall`: its number.
template <class Real, class Around>
HALFSTEP_HD Real at_wall(const Around& around, int field, const SolidCell& c, int axis, int wall) {
  if (c.walls() > 2) return around(field, wall).first;
  const Real beside = around(field, 2 * wall).first;
  return fma(Real(c.share[axis]), around(field, 2 * wall + 1).first - beside, beside);
}

/// Returns the mean of a field over the walls of a cell at an edge. A uniform field keeps its bits.
template <class Real, class Around>
HALFSTEP_HD Real mean_of_walls(const Around& around, int field, const SolidCell& c) {
  Real first = 0, more = 0;
  for (int axis = 0, wall = 0; axis < 3; ++axis) {
    if (c.step[axis] == 0) continue;
    const Real own = at_wall<Real>(around, field, c, axis, wall);
    if (wall++ == 0) first = own;
    more += own - first;
  }
  return first + quotient(more, Real(c.walls()));
}

/// Interpolates a field at the probe, linearly along each axis; of a cell at an edge takes the mean over
/// its walls. A uniform field keeps its bits. `around`: as AroundProbe.
template <class Real, class Around>
HALFSTEP_HD AtProbe<Real> at_probe(const Around& around, int field, const SolidCell& c) {
  if (c.at_edge) return {mean_of_walls<Real>(around, field, c), Real(0)};
  // What the fields around the probe are, and how they grow, along x, then in planes of x and y.
  struct Line {
    Real value, growth[3];
  };
  const auto joined = [&](const Line& near, const Line& far, int axis) {
    const Real share(c.share[axis]);
    const auto between = [&](Real low, Real high) { return fma(share, high - low, low); };
    Line line{between(near.value, far.value),
              {between(near.growth[0], far.growth[0]), between(near.growth[1], far.growth[1]), Real(0)}};
    line.growth[axis] = far.value - near.value;
    return line;
  };
  const auto along_x = [&](int row) {
    const RowOfTwo<Real> cells = around(field, row);
    return joined(Line{cells.first, {}}, Line{cells.second, {}}, 0);
  };
  const auto in_plane = [&](int row) { return joined(along_x(row), along_x(row + 1), 1); };
  const Line all = joined(in_plane(0), in_plane(2), 2);
  return {all.value, Real(c.slope[0]) * all.growth[0] + Real(c.slope[1]) * all.growth[1] +
                         Real(c.slope[2]) * all.growth[2]};
}

}  // namespace halfstep
