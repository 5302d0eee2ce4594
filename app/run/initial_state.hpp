// The state a run starts from, and whether the run's precision can hold it.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "app/deck/config.hpp"
#include "app/deck/diagnostic.hpp"
#include "physics/state_survey.hpp"

namespace halfstep {

/// Throws DeckError, which names the place and `where` the deck is, where a state, the initial one or that of a
/// checkpoint, has a pressure that its precision cannot hold, inside the mesh or let in by a boundary.
void expect_held(const StateSurvey& survey, const RunConfig& config, const std::string& where);

/// As expect_held(), and for initial densities beyond what the precision can multiply and pressures that the
/// stages' check of a cell would refuse; not for checkpoints, whose states passed it on the backend that made them.
void expect_can_begin(const StateSurvey& survey, const RunConfig& config, const std::string& where);

/// A sentence each for the pressure of the initial state and for that which boundaries let in, where rounding
/// may change them by more than 1e-3.
std::vector<std::string> remarks_on_rounding(const StateSurvey& survey, const Problem& problem);

/// The initial state, looked at without a solver. Throws DeckError as expect_can_begin() does, and for an unphysical
/// one.
StateSurvey survey_of_initial_state(const RunConfig& config, const std::string& where);

/// The error of a case whose initial state is unphysical.
DeckError unphysical_state(const std::invalid_argument& error, const std::string& where);

}  // namespace halfstep
