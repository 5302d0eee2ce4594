// The elements of a remedy: those with a flagged point, which are scaled or, with their neighbours, made
// first order.
#pragma once

#include "physics/elements/element.hpp"
#include "physics/mesh/ghosts.hpp"
#include "runtime/stepping/ladder.hpp"

namespace halfstep {

/// The flags of elements: of each at its first point. An element of ghost cells is flagged where it is a
/// periodic image or another rank's; else it copies the element beside it, whose own flag makes their face
/// first order.
template <class Real>
struct FlaggedElements {
  const BoundaryConditions<Real>& rules;
  const std::uint8_t* mask;  ///< in the layout `rules.flags`; nullptr: none is flagged
  Remedy remedy;

  HALFSTEP_HD bool is_flagged(const Element& e) const {
    int at[3];
    bool mirrored[3];
    const auto& [i, j, k] = e.first;
    if (!mask || is_beyond_side(e) || ghost_source(rules, i, j, k, at, mirrored) != GhostSource::cell)
      return false;
    return mask[rules.flags.index(at[0], at[1], at[2])] != 0;
  }
  /// Whether it lies beyond a side of the domain that is not periodic. Those around a ghost element may be
  /// further away than tables of the mesh reach.
  HALFSTEP_HD bool is_beyond_side(const Element& e) const {
    bool found = false;
    for (int axis = 0; axis < 3; ++axis) {
      if (e.first[axis] >= 0 && e.first[axis] < rules.layout.cells[axis]) continue;
      const Boundary kind = rules.boundary[axis][e.first[axis] < 0 ? 0 : 1];
      found = found || (kind != Boundary::periodic && kind != Boundary::exchanged);
    }
    return found;
  }
  /// Whether the element is scaled towards its average.
  HALFSTEP_HD bool is_scaled(const Element& e) const { return remedy == Remedy::scaling && is_flagged(e); }
  /// Whether all of the element is first order: it is flagged, or beside a flagged one.
  HALFSTEP_HD bool is_first_order(const Element& e) const {
    bool found = is_flagged(e);
    for (int axis = 0; axis < 3; ++axis)
      for (int side = 0; side < 2 && e.points[axis] > 1; ++side)
        found = found || is_flagged(e.beyond(axis, side));
    return found;
  }
  /// Returns what of an element is first order: a face is if the element on one of its sides is.
  HALFSTEP_HD FirstOrderParts parts(const Element& e) const {
    FirstOrderParts parts;
    if (!mask || remedy == Remedy::scaling) return parts;
    parts.inside = is_first_order(e);
    for (int axis = 0; axis < 3; ++axis)
      for (int side = 0; side < 2 && e.points[axis] > 1; ++side)
        parts.face[axis][side] = parts.inside || is_first_order(e.beyond(axis, side));
    return parts;
  }
};

}  // namespace halfstep
