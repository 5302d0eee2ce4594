// Warnings about decks whose steps are bound to be rejected.
#pragma once

#include <string>

#include "app/deck/config.hpp"

namespace halfstep {

/// Returns remarks, as YAML comment lines, on a time step or spike limit that the initial state already
/// violates, and on schemes that are unstable at every time step; "" if there are none. Samples some
/// thousands of cells, so that it may miss a violation but never invents one.
std::string remarks_on_steps(const RunConfig& config);

}  // namespace halfstep
