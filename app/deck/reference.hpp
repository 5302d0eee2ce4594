// docs/deck.md: every parameter of a deck, for people.
#pragma once

#include <string>

namespace halfstep {

/// The page as Markdown, from the same table the parser reads.
std::string deck_reference();

}  // namespace halfstep
