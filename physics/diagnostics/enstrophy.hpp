// The enstrophy of a cell.
#pragma once

#include "physics/base/select.hpp"
#include "physics/mesh/axis_tables.hpp"
#include "physics/mesh/layout.hpp"

namespace halfstep {

/// Returns rho |curl u|^2 / 2 of the cell (i, j, k) of `u`, per volume, with fourth-order central differences
/// along the active axes, and along stretched ones (q+ - q-) / (x+ - x-) between the middles of the two cells
/// beside it: of second order where widths change smoothly. Reads two layers around the cell, ghost cells
/// included. Those of a wall are mirror images, so that the shear at a no-slip wall is missing. `inverse_dx`:
/// along each axis that is not stretched.
template <class Real>
HALFSTEP_HD double enstrophy_density(const Layout& l, const Real* u, int i, int j, int k,
                                     const double* inverse_dx, const AxisTableViews<Real>& axes) {
  const std::int64_t at = l.index(i, j, k);
  const int cell[3] = {i, j, k};
  const auto velocity = [&](std::int64_t cell, int component) {
    return double(u[cell + (1 + component) * l.field_stride]) / double(u[cell]);
  };
  const auto derivative = [&](int component, int axis) {
    if (l.ghosts[axis] == 0) return 0.0;
    const std::int64_t step = l.stride[axis];
    const double near = velocity(at + step, component) - velocity(at - step, component);
    if (const double* const centers = axes[axis].center)
      return near / (centers[cell[axis] + 1] - centers[cell[axis] - 1]);
    const double far = velocity(at + 2 * step, component) - velocity(at - 2 * step, component);
    return (8 * near - far) * inverse_dx[axis] / 12;
  };
  const double x = derivative(2, 1) - derivative(1, 2), y = derivative(0, 2) - derivative(2, 0),
               z = derivative(1, 0) - derivative(0, 1);
  return 0.5 * double(u[at]) * (square(x) + square(y) + square(z));
}

}  // namespace halfstep
