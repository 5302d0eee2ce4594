// The cells that sponges relax: those in bodies are filled after them, and must not count in what they add.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/solids/solid_cell.hpp"
#include "physics/solids/solid_mask.hpp"
#include "physics/solver/problem.hpp"

namespace halfstep {

/// Returns the cells of the problem's sponges that lie in no body, in the mesh's order.
inline std::vector<SpongeCell> sponge_in_gas(const Problem& problem) {
  std::vector<SpongeCell> cells = problem.sponges->cells();
  if (!problem.has_solids()) return cells;
  const Layout layout = layout_of(problem);
  const SolidMask solids{problem.solids->cells().mask.data()};
  std::erase_if(cells, [&](const SpongeCell& c) { return solids.has(layout, c.i, c.j, c.k); });
  return cells;
}

}  // namespace halfstep
