// The cells that the sponges of a problem relax: those in bodies hold no gas.
#pragma once

#include <vector>

#include "physics/solids/solid_cell.hpp"
#include "physics/solids/solid_mask.hpp"
#include "physics/solver/problem.hpp"

namespace halfstep {

/// Returns the cells in sponges and outside of bodies, in the mesh's order. Throws as Sponges::cells().
inline std::vector<SpongeCell> sponge_cells(const Problem& problem) {
  std::vector<SpongeCell> cells = problem.sponges->cells();
  if (!problem.has_solids()) return cells;
  const SolidMask mask{problem.solids->cells().mask.data()};
  const Layout layout = layout_of(problem);
  std::erase_if(cells, [&](const SpongeCell& c) { return mask.has(layout, c.i, c.j, c.k); });
  return cells;
}

}  // namespace halfstep
