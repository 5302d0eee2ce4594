// Which cells lie in bodies, for what looks at all cells: checks, sums, statistics.
#pragma once

#include <cstdint>

#include "physics/mesh/ghosts.hpp"
#include "physics/mesh/layout.hpp"

namespace halfstep {

/// Which cells of a block lie in bodies: a byte for each, x fastest. Null: none does.
struct SolidMask {
  const std::uint8_t* inside = nullptr;

  HALFSTEP_HD bool has(const Layout& l, int i, int j, int k) const {
    return inside && inside[(std::int64_t{k} * l.cells[1] + j) * l.cells[0] + i] != 0;
  }
};

/// Whether a cell, or the one that a ghost cell copies, lies in a body. Where there are bodies, cells of
/// other ranks count as such: they are looked at there.
template <class Real>
HALFSTEP_HD bool is_solid(const SolidMask& mask, const BoundaryConditions<Real>& rules, int i, int j, int k) {
  if (!mask.inside) return false;
  int at[3];
  bool mirrored[3];
  if (ghost_source(rules, i, j, k, at, mirrored) != GhostSource::cell) return false;
  return !rules.layout.holds(at[0], at[1], at[2]) || mask.has(rules.layout, at[0], at[1], at[2]);
}

}  // namespace halfstep
