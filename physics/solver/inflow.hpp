// The CFL rate of inflow boundaries: constant in time, and possibly larger than that of the interior.
#pragma once

#include "physics/flux/face_flux.hpp"
#include "physics/mesh/ghosts.hpp"
#include "physics/mesh/state_rows.hpp"
#include "physics/stage/stage.hpp"

namespace halfstep {

/// Returns the largest CFL rate of the inflow ghost cells among `count` rows of the initial state from
/// `first` on; 0 where there are none. `a`: the arguments of any stage.
template <class Real>
double inflow_rate(const BoundaryConditions<Real>& rules, const StageArguments<Real>& a, std::int64_t first,
                   std::int64_t count, const RowPointers& values) {
  const Layout& l = rules.layout;
  const ExtendedRows rows(l);
  Real largest = 0;
  for (std::int64_t n = 0; n < count; ++n) {
    const std::int64_t row = first + n;
    for (std::int64_t x = 0; x < rows.length; ++x) {
      if (rows.inside(row) && x == l.ghosts[0]) x += l.cells[0];  // skips the cells of the domain
      if (x == rows.length) break;
      int at[3];
      bool mirrored[3];
      const int i = static_cast<int>(x) - l.ghosts[0];
      if (ghost_source(rules, i, rows.j(row), rows.k(row), at, mirrored) != GhostSource::held) continue;
      const std::int64_t from = n * rows.length + x;
      const Conserved<Real> c{Real(values[0][from]), Real(values[1][from]), Real(values[2][from]),
                              Real(values[3][from]), Real(values[4][from])};
      const IdealGas<Real> gas = l.two_gases ? a.gases().mixed(Real(values[l.fields - 1][from])) : a.gas;
      const InverseWidths<Real> widths = a.inverse_widths(i, rows.j(row), rows.k(row));
      largest = max(cfl_rate(to_primitive(c, gas), widths.along, gas), largest);
    }
  }
  return double(largest);
}

}  // namespace halfstep
