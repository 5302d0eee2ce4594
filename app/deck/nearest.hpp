// "Did you mean ...?": the valid name a misspelt one was probably meant to be.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halfstep {

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (optimal string
/// alignment, Damerau 1964).
int edit_distance(std::string_view a, std::string_view b);

/// The candidate closest to `name`, the first of equals, letter case ignored; none when more than a third of
/// the letters would have to change.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates);

/// "; did you mean 'X'?", or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace halfstep
