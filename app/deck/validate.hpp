// Validation of a YAML tree against the parameter table, with every error at its place.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/deck/document.hpp"
#include "app/deck/table.hpp"

namespace halfstep {

/// A scalar whose mass fraction a state gives.
struct NamedScalar {
  std::string block, name;  ///< the full name of the state's block, and the scalar's
  Place place;
};

/// A deck's values, defaults included, and their places.
struct ValidatedDeck {
  const CaseInfo* info = nullptr;  ///< nullptr when case.name is missing or wrong
  std::vector<DeckParameter> table;
  RunConfig config;                           ///< members set by the table's rows
  std::map<std::string, const Node*> given;   ///< values given by the deck, in its Document
  std::map<std::string, Place> block_places;  ///< keys of the blocks given by the deck
  std::vector<NamedScalar> named_scalars;     ///< in states, declared or not
  NamedNumbers names;                         ///< what expressions may name; NaN where the deck has it wrong
  std::set<std::string> wrong;                ///< names that are missing or have an error of their own
  Place start;                                ///< start of the deck

  /// Whether all these parameters have usable values.
  bool sound(const std::vector<std::string>& names) const;
  /// Returns the place of the value or block, or of the innermost given block around it.
  Place place_of(const std::string& name) const;
  Place place_of_item(const std::string& name, std::size_t item) const;
};

/// Validates the tree; `root` is nullptr after a syntax error.
ValidatedDeck validate(const Node* root, const SourceText& deck, Diagnostics& errors);

}  // namespace halfstep
