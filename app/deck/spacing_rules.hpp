// The rules for stretched axes.
#pragma once

#include "app/deck/validate.hpp"

namespace halfstep {

/// Puts the spacings of the deck's active axes into the mesh, whose cells and corners are valid. Reports at
/// their places those that the mesh cannot have.
void set_spacings(ValidatedDeck& deck, Diagnostics& errors);

/// Reports what is not there for the deck's mesh, if it is stretched.
void check_stretched(const ValidatedDeck& deck, Diagnostics& errors);

}  // namespace halfstep
