// The rules for the list `outputs`.
#pragma once

#include <string>

#include "app/deck/validate.hpp"

namespace halfstep {

/// Says that bins have no width, and what would give them one.
std::string without_width(const HistogramRequest& request);
inline constexpr const char* kWidthOfBins =
    "upper must be greater than lower; both 0 = the extrema of the state";

/// Reports at their places outputs that cannot be written: names that clash with each other or with other
/// files, none or impossible times, points outside the domain.
void check_outputs(const ValidatedDeck& deck, Diagnostics& errors);

}  // namespace halfstep
