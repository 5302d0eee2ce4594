// What `run` and `check` tell of the bodies in the flow.
#pragma once

#include <string>
#include <vector>

#include "physics/solver/problem.hpp"

namespace halfstep {

/// Returns how many bodies there are, and how many cells they have; of a problem with bodies.
std::string extent_of_solids(const Problem& problem);

/// Returns a sentence for each kind of places where the mesh is too coarse for the bodies.
std::vector<std::string> remarks_on_solids(const Problem& problem);

}  // namespace halfstep
