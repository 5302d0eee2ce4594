// Steps that a deck has rejected, whatever the flow does.
#pragma once

#include <string>

#include "app/deck/config.hpp"

namespace halfstep {

/// Remarks, lines of a comment each, on a time step or a limit for spikes that the initial state breaks
/// already, and on schemes that are unstable at every time step. "" where there is nothing to be said. Looks
/// at some thousands of cells, so that it says too little rather than too much.
std::string remarks_on_steps(const RunConfig& config);

}  // namespace halfstep
