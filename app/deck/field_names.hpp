// The names that dumps, pictures and checkpoints give to the fields of a flow.
#pragma once

#include <string>
#include <vector>

namespace halfstep {

/// Names what pictures draw of a dump, beside the names of scalars.
inline const std::vector<std::string> kDrawnFields = {"density",    "velocity",    "velocity_x", "velocity_y",
                                                      "velocity_z", "pressure",    "mach",       "vorticity",
                                                      "schlieren",  "temperature", "entropy"};

/// Names what dumps have of bodies: 0 in the gas or the body's number + 1, and the distance from the nearest.
inline const std::vector<std::string> kSolidFields = {"solid", "distance"};

/// Adds names of dumps, checkpoints and expressions.
inline const std::vector<std::string> kOtherFields = {
    "momentum", "momentum_x", "momentum_y", "momentum_z", "energy", "mass_fraction", "time", "second_gas"};

}  // namespace halfstep
