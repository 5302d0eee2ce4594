// docs/deck.md, the reference of all deck parameters.
#pragma once

#include <string>

namespace halfstep {

/// Returns the page as Markdown, generated from the table that the parser uses.
std::string deck_reference();

}  // namespace halfstep
