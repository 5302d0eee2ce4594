// The rules for sponges.
#pragma once

#include "app/deck/validate.hpp"

namespace halfstep {

/// Puts the sponges of the deck into the problem. Reports at their places shapes without an edge in the mesh.
/// Rates and targets are checked where the cells are found (Sponges::cells()).
void set_sponges(ValidatedDeck& deck, Diagnostics& errors);

}  // namespace halfstep
