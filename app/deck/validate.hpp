// A YAML tree against the table of parameters: values, and every error at its place.
#pragma once

#include <map>
#include <set>
#include <string>

#include "app/deck/document.hpp"
#include "app/deck/table.hpp"

namespace halfstep {

/// What a deck says, every default filled in.
struct ValidatedDeck {
  const CaseInfo* info = nullptr;       ///< nullptr when case.name is missing or wrong
  Values values;                        ///< by full dotted name
  std::map<std::string, Place> places;  ///< of the values (lists: see item_places) that the deck gives
  std::map<std::string, std::vector<Place>> item_places;
  std::map<std::string, Place> block_places;  ///< of the keys of the blocks that the deck gives
  std::set<std::string> wrong;                ///< names with an error of their own, or missing
  Place start;                                ///< of the deck

  /// Whether all these have usable values.
  bool sound(const std::vector<std::string>& names) const;
  /// Of the value or block, or of the innermost block around it that the deck gives.
  Place place_of(const std::string& name) const;
  Place place_of_item(const std::string& name, std::size_t item) const;
};

/// `root` is nullptr after a syntax error.
ValidatedDeck validate(const Node* root, const SourceText& deck, Diagnostics& errors);

}  // namespace halfstep
