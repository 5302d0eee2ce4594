// Rules that involve several parameters.
#pragma once

#include "app/deck/validate.hpp"

namespace halfstep {

/// Makes the case of `deck.config` if all its inputs are valid, and reports every rule that the deck breaks.
/// A rule is checked only if the values it involves are valid by themselves.
void apply_rules(ValidatedDeck& deck, Diagnostics& errors);

}  // namespace halfstep
