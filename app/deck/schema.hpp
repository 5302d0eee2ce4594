// The JSON Schema of decks, for editors.
#pragma once

#include <string>

namespace halfstep {

/// Returns the JSON Schema (draft 7) of decks with every registered case; ends with an end-of-line.
std::string deck_schema();

}  // namespace halfstep
