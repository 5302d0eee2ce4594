// The rules of decks with scheme.method: flux_reconstruction.
#pragma once

#include "app/deck/diagnostic.hpp"
#include "app/deck/validate.hpp"

namespace halfstep {

/// Makes the axes of elements. Reports a case or a mesh.spacing that cannot be theirs.
void set_elements(ValidatedDeck& deck, Diagnostics& errors);

/// Reports what elements do not have.
void check_elements(const ValidatedDeck& deck, Diagnostics& errors);

}  // namespace halfstep
