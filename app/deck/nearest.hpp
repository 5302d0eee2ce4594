// Suggestions for misspelt names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halfstep {

/// Returns the number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`
/// (optimal string alignment, Damerau 1964).
int edit_distance(std::string_view a, std::string_view b);

/// Returns the candidate closest to `name`, ignoring case, the first one of equals; nothing if more than a
/// third of the letters would have to change.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates);

/// Returns "; did you mean 'X'?", or "" without a candidate.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace halfstep
