// The state a run starts from, and whether the run's precision can hold it.
#pragma once

#include <string>
#include <vector>

#include "app/deck/config.hpp"
#include "physics/fields.hpp"

namespace halfstep {

/// With its ghost cells. Throws DeckError, which names the place and `where` the deck is, for an unphysical
/// one.
Fields initial_state(const RunConfig& config, const std::string& where);

/// Throws DeckError where a state is none that the run could go on with: a density or a pressure that its
/// precision cannot hold.
void expect_held(const Fields& interior, const RunConfig& config, const std::string& where);

/// A sentence each for the pressure of the initial state and for that which boundaries let in, where rounding
/// may change them by more than 1e-3.
std::vector<std::string> remarks_on_rounding(const Fields& interior, const Fields& extended,
                                             const Problem& problem);

}  // namespace halfstep
