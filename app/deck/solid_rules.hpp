// The rules for bodies in the flow.
#pragma once

#include "app/deck/validate.hpp"

namespace halfstep {

/// Puts the bodies of the deck into the problem. Reports at their places entries that make no body, and
/// bodies that lie outside of the mesh or fill it.
void set_solids(ValidatedDeck& deck, Diagnostics& errors);

/// Refuses what knows no bodies beside them.
void check_solids(const ValidatedDeck& deck, Diagnostics& errors);

}  // namespace halfstep
