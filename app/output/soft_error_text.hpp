// Messages on soft errors: one line for a rejected attempt, a page for one that ends the run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/output/events.hpp"
#include "physics/mesh/mesh.hpp"
#include "physics/recovery/soft_errors.hpp"
#include "runtime/stepping/ladder.hpp"

namespace halfstep {

/// Returns e.g. "negative pressure -0.0034 in cell (12, 0, 0) at (0.0488, 0.5, 0.5), stage 2 of step 13; 5
/// cells flagged".
std::string describe(const SoftError& error, const AttemptInfo& attempt, const Mesh& mesh);

/// Returns one line: the error, its place and time, and how the next attempt differs. `cells`: number of
/// flagged cells, around which `remedy` uses first-order fluxes.
std::string describe_rejection(const SoftError& error, const AttemptInfo& attempt, const Mesh& mesh,
                               double next_dt, Remedy remedy = Remedy::none, std::int64_t cells = 0);

/// The ladder's attempts before it was exhausted.
struct Exhaustion {
  double first_dt = 0;                ///< of the step's first attempt
  int halvings = 0;                   ///< with the last remedy
  int level = 0;                      ///< halvings left over from earlier steps
  std::vector<Remedy> remedies;       ///< tried besides a smaller dt, in order
  Remedy last_remedy = Remedy::none;  ///< allowed by the deck
  std::string checkpoint;             ///< path of the file to restart from
  bool same_dt = false;               ///< the first redo kept its dt
  bool in_elements = false;           ///< by flux reconstruction
};

/// Returns several lines: place, error and cause, the states around it, what was tried, what to do next.
std::string explain(const SoftError& error, const Replay& replay, const AttemptInfo& attempt,
                    const Mesh& mesh, const Exhaustion& exhaustion);

/// Returns the message for a run that ends because dt is lost in the round-off of the time.
std::string explain_standstill(const AttemptInfo& attempt, double cfl_rate, const std::string& checkpoint);

}  // namespace halfstep
