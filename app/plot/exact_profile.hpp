// The exact solution along a one-dimensional flow, for plots.
#pragma once

#include "app/base/json.hpp"
#include "app/deck/config.hpp"

namespace halfstep {

/// Returns "position", "density", "velocity_x", "velocity_y", "velocity_z" and "pressure" as averages over
/// cells small enough for a smooth curve. Null if the flow has more dimensions or no exact solution at
/// `time`.
Json exact_profile(const RunConfig& config, double time);

}  // namespace halfstep
