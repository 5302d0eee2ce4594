// The rules for sponges.
#pragma once

#include "app/deck/validate.hpp"

namespace halfstep {

/// Puts the sponges of the deck into the problem. Reports at their places shapes without an edge in the mesh,
/// and rates and targets that are none of a sponge. Looks at equally spaced cells of a large mesh.
void set_sponges(ValidatedDeck& deck, Diagnostics& errors);

}  // namespace halfstep
