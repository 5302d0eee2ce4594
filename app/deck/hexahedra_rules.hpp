// The rules of decks with a mesh of hexahedra.
#pragma once

#include "app/deck/diagnostic.hpp"
#include "app/deck/validate.hpp"

namespace halfstep {

/// Makes the hexahedra that mesh.map describes, if it does. Reports a map that makes no mesh, and what they
/// cannot be beside.
void set_hexahedra(ValidatedDeck& deck, Diagnostics& errors);

/// Throws DeckError for a problem with hexahedra, which no solver has yet.
void refuse_hexahedra(const Problem& problem);

}  // namespace halfstep
