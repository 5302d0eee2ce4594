// Rules that involve several parameters.
#pragma once

#include "app/deck/validate.hpp"

namespace halfstep {

/// Makes the case of `deck.config` if all its inputs are valid, and reports every rule that the deck breaks.
/// A rule is checked only if the values it involves are valid by themselves. `read_file`: as in load_deck().
void apply_rules(ValidatedDeck& deck, const FieldReader& read_file, Diagnostics& errors);

}  // namespace halfstep
