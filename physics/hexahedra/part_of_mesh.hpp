// The part of a mesh of hexahedra that one of several ranks has.
#pragma once

#include "physics/hexahedra/hexahedra.hpp"
#include "runtime/exchange/graph_cut.hpp"

namespace halfstep {

/// Returns which elements share a face; each is a row of the mesh of their points.
exchange::RowGraph graph_of(const Hexahedra& mesh);

/// Returns a rank's own elements, then those near them, which count as elements of the part, too. Beyond
/// faces of near elements may be far ones, which have numbers behind theirs and nothing else, and no sides.
Hexahedra part_of(const Hexahedra& mesh, const exchange::RowsOfRank& rows);

}  // namespace halfstep
