// A soft error in words: a line for an attempt that was rejected, a page for one that ended the run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/output/events.hpp"
#include "physics/mesh.hpp"
#include "physics/soft_errors.hpp"
#include "runtime/stepping/ladder.hpp"

namespace halfstep {

/// "negative pressure -0.0034 in cell (12, 0, 0) at (0.0488, 0.5, 0.5), stage 2 of step 13; 5 cells flagged"
std::string describe(const SoftError& error, const AttemptInfo& attempt, const Mesh& mesh);

/// One line: what, where and when, and what the next attempt does about it. `cells`: the flagged ones, around
/// which `remedy` puts first-order fluxes.
std::string describe_rejection(const SoftError& error, const AttemptInfo& attempt, const Mesh& mesh,
                               double next_dt, Remedy remedy = Remedy::none, std::int64_t cells = 0);

/// What the ladder did before it gave up.
struct Exhaustion {
  double first_dt = 0;           ///< of the step's first attempt
  int halvings = 0;              ///< with the last remedy
  int level = 0;                 ///< halvings that earlier steps left behind
  std::vector<Remedy> remedies;  ///< tried beyond a smaller dt, in their order
  Remedy last_remedy = Remedy::none;  ///< that the deck allows
  std::string checkpoint;        ///< path of the file to restart from
  bool same_dt = false;          ///< the first redo kept its dt
};

/// Several lines: where, what and why, the states around, what was tried, what to do next.
std::string explain(const SoftError& error, const Replay& replay, const AttemptInfo& attempt,
                    const Mesh& mesh, const Exhaustion& exhaustion);

/// Of a run that ends because dt is lost in the round-off of the time.
std::string explain_standstill(const AttemptInfo& attempt, double signal_rate, const std::string& checkpoint);

}  // namespace halfstep
