// A deck written out with every value.
#pragma once

#include <string>

#include "app/deck/table.hpp"

namespace halfstep {

/// YAML text of `values` (by full dotted name) in the order of `table`. parse_deck() reads the same values
/// back.
std::string resolved_deck(const std::vector<DeckParameter>& table, const Values& values);

}  // namespace halfstep
