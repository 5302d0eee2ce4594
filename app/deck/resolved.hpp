// The resolved deck, written out with every value.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace halfstep {

/// Returns `values`, pairs of full dotted name and spelling, as YAML text. parse_deck() reads the same values
/// back.
std::string resolved_deck(const std::vector<std::pair<std::string, std::string>>& values);

/// Returns `values` as a block on one line: {key: value, block: {key: value}}.
std::string flow_block(const std::vector<std::pair<std::string, std::string>>& values);

}  // namespace halfstep
