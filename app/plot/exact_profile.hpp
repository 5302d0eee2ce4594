// The exact solution along a one-dimensional flow, for a picture.
#pragma once

#include "app/deck/config.hpp"
#include "app/output/json.hpp"

namespace halfstep {

/// "position", "density", "velocity_x", "velocity_y", "velocity_z", "pressure": averages over cells so small
/// that the curve looks smooth. Null where the flow has more dimensions or no exact solution is known at
/// `time`.
Json exact_profile(const RunConfig& config, double time);

}  // namespace halfstep
