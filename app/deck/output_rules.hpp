// The rules for the list `outputs`.
#pragma once

#include "app/deck/validate.hpp"

namespace halfstep {

/// Reports at their places outputs that cannot be written: names that clash with each other or with other
/// files, none or impossible times, points outside the domain.
void check_outputs(const ValidatedDeck& deck, Diagnostics& errors);

}  // namespace halfstep
