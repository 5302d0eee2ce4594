// The rules for boundaries with values.
#pragma once

#include "app/deck/validate.hpp"

namespace halfstep {

/// Writes the values of the boundaries along active axes into problem.dirichlet. Reports at their places
/// values that lead to no admissible state between the start and time.end, or to one that the boundary cannot
/// have. Looks at the ghost cells nearest to the side, or at equally spaced ones of a large mesh.
void set_boundary_values(ValidatedDeck& deck, Diagnostics& errors);

}  // namespace halfstep
