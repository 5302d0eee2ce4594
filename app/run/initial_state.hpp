// Checks that the run's precision can represent the state it starts from.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/deck/config.hpp"
#include "app/deck/diagnostic.hpp"
#include "physics/solver/state_survey.hpp"

namespace halfstep {

/// Throws DeckError if the precision cannot represent a pressure of the state (initial or from a checkpoint),
/// inside the mesh or at an inflow boundary. The error names the position and `where`, the deck's name.
void expect_held(const StateSurvey& survey, const RunConfig& config, const std::string& where);

/// Throws DeckError as expect_held() does, and for initial densities outside the precision's range or
/// pressures that the stages' admissibility check would reject. Not for checkpoints: their states passed that
/// check on the backend that wrote them.
void expect_can_begin(const StateSurvey& survey, const RunConfig& config, const std::string& where);

/// Returns one sentence each for the initial and the inflow pressure if rounding may change it by more than
/// 1e-3 (relative).
std::vector<std::string> remarks_on_rounding(const StateSurvey& survey, const Problem& problem);

/// Surveys the initial state without a solver. Throws DeckError as expect_can_begin() does, and for an
/// unphysical state.
StateSurvey survey_of_initial_state(const RunConfig& config, const std::string& where);

/// Throws DeckError with the first cell in which a sponge has no rate or no admissible target.
void expect_sponges(const Problem& problem, const std::string& where);

/// Makes that error from what Sponges::cells() throws.
DeckError unsound_sponge(const std::invalid_argument& error, const std::string& where);

/// Returns where the centre of a cell is: "at (x, y, z)".
std::string place_of(const std::array<int, 3>& cell, const Mesh& mesh);

/// Makes the error for a case whose initial state is unphysical.
DeckError unphysical_state(const std::invalid_argument& error, const std::string& where);

}  // namespace halfstep
