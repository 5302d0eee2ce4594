// The faces that a remedy makes first order: those of the flagged cells and of their neighbours.
#pragma once

#include <cstdint>

#include "physics/mesh/ghosts.hpp"

namespace halfstep {

/// Whether diagnosis flagged the cell. `mask`: the flags in the layout `rules.flags`; nullptr: none is
/// flagged. A ghost cell is flagged like the cell it copies, so that the mask needs no ghosts but those of
/// other ranks, and both sides of a periodic face agree; a ghost cell that copies none is never flagged.
template <class Real>
HALFSTEP_HD bool flagged(const BoundaryConditions<Real>& rules, const std::uint8_t* mask, int i, int j,
                         int k) {
  int at[3];
  bool mirrored[3];
  if (!mask || ghost_source(rules, i, j, k, at, mirrored) != GhostSource::cell) return false;
  return mask[rules.flags.index(at[0], at[1], at[2])] != 0;
}

/// Whether `holds(i, j, k)` is true for the cell or for one of its face neighbours on the active axes.
template <class Holds>
HALFSTEP_HD bool here_or_beside(const Layout& l, int i, int j, int k, const Holds& holds) {
  bool found = holds(i, j, k);
  for (int axis = 0; axis < 3; ++axis)
    if (l.ghosts[axis] > 0)
      for (int s = -1; s <= 1; s += 2)
        found = found || holds(i + (axis == 0) * s, j + (axis == 1) * s, k + (axis == 2) * s);
  return found;
}

/// Whether all faces of the cell are first order: it is flagged, or beside a flagged cell.
template <class Real>
HALFSTEP_HD bool has_first_order_faces(const BoundaryConditions<Real>& rules, const std::uint8_t* mask, int i,
                                       int j, int k) {
  return here_or_beside(rules.layout, i, j, k,
                        [&](int x, int y, int z) { return flagged(rules, mask, x, y, z); });
}

/// Whether the cell has at least one first-order face, so that its update changes.
template <class Real>
HALFSTEP_HD bool has_first_order_face(const BoundaryConditions<Real>& rules, const std::uint8_t* mask, int i,
                                      int j, int k) {
  return here_or_beside(rules.layout, i, j, k,
                        [&](int x, int y, int z) { return has_first_order_faces(rules, mask, x, y, z); });
}

/// The first-order faces for replay_cell() and diagnose_cell(): those of cells that has_first_order_faces().
template <class Real>
struct FirstOrderFaces {
  const BoundaryConditions<Real>& rules;
  const std::uint8_t* mask;

  HALFSTEP_HD bool operator()(int i, int j, int k, int axis, int side) const {
    const int s = side == 0 ? -1 : 1;
    return has_first_order_faces(rules, mask, i, j, k) ||
           has_first_order_faces(rules, mask, i + (axis == 0) * s, j + (axis == 1) * s, k + (axis == 2) * s);
  }
};

}  // namespace halfstep
