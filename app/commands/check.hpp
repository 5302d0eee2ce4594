// `halfstep check`: is the deck valid, what does it mean, how much memory does it need.
#pragma once

#include <string>
#include <vector>

namespace halfstep {

/// Prints the resolved deck, with the memory as comments, so that what it prints is a deck. Throws DeckError.
int check(const std::string& deck, const std::vector<std::string>& overrides);

}  // namespace halfstep
