// What inflow boundaries let in: the same for all time, and maybe faster than all there is inside.
#pragma once

#include "physics/face_flux.hpp"
#include "physics/fields.hpp"
#include "physics/ghosts.hpp"
#include "physics/stage.hpp"

namespace halfstep {

/// The largest signal rate of the ghost cells that are held, 0 where there are none. `extended`: the initial
/// state with its ghosts; `a`: of any stage.
template <class Real>
double inflow_rate(const GhostRules<Real>& rules, const StageArguments<Real>& a, const Fields& extended) {
  const Layout& l = rules.layout;
  const GhostCells ghosts(l);
  Real largest = 0;
  for (std::int64_t n = 0; n < ghosts.count(); ++n) {
    int i, j, k, at[3];
    bool mirrored[3];
    ghosts.cell(l, n, i, j, k);
    if (ghost_source(rules, i, j, k, at, mirrored) != GhostSource::held) continue;
    const std::int64_t row = std::int64_t{k + l.ghosts[2]} * (l.cells[1] + 2 * l.ghosts[1]) + j + l.ghosts[1];
    const auto from = static_cast<std::size_t>(row * (l.cells[0] + 2 * l.ghosts[0]) + i + l.ghosts[0]);
    const auto& u = extended.conserved;
    const Conserved<Real> c{Real(u[0][from]), Real(u[1][from]), Real(u[2][from]), Real(u[3][from]),
                            Real(u[4][from])};
    largest = larger(signal_rate(to_primitive(c, a.gas), a.inverse_dx, a.gas), largest);
  }
  return double(largest);
}

}  // namespace halfstep
