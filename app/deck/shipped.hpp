// The decks of inputs/. The program carries them, so that they run by name wherever it is installed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace halfstep {

struct ShippedDeck {
  std::string name;  ///< sod for inputs/sod.yaml
  std::string_view text;
};

/// Returns all shipped decks, sorted by name.
const std::vector<ShippedDeck>& shipped_decks();

/// Returns the deck of that name, or nullptr.
const ShippedDeck* find_shipped_deck(const std::string& name);

/// Returns the deck's title.
std::string title_of(const ShippedDeck& deck);

/// Returns the name of the deck's case.
std::string case_of(const ShippedDeck& deck);

/// Returns the text of the deck of that name. For the name of a case it is that of the first deck of the
/// case. A comment with every parameter of the case follows. Throws UsageError for any other name.
std::string deck_template(const std::string& name);

}  // namespace halfstep
