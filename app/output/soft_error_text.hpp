// A soft error in words: a line for an attempt that was rejected, a page for one that ended the run.
#pragma once

#include <string>
#include <vector>

#include "app/output/events.hpp"
#include "physics/mesh.hpp"
#include "physics/soft_errors.hpp"

namespace halfstep {

/// "negative pressure -0.0034 in cell (12, 0, 0) at (0.0488, 0.5, 0.5), stage 2 of step 13; 5 cells flagged"
std::string describe(const SoftError& error, const AttemptInfo& attempt, const Mesh& mesh);

/// One line: what, where and when, and the next dt.
std::string describe_rejection(const SoftError& error, const AttemptInfo& attempt, const Mesh& mesh,
                               double next_dt);

/// What the ladder did before it gave up.
struct Exhaustion {
  double first_dt = 0;  ///< of the step's first attempt
  int halvings = 0;
  std::vector<std::string> rungs;  ///< taken beyond halving: "first_order", "floor"
  std::string checkpoint;          ///< path of the file to restart from
};

/// Several lines: where, what and why, the states around, what was tried, what to do next.
std::string explain(const SoftError& error, const Replay& replay, const AttemptInfo& attempt,
                    const Mesh& mesh, const Exhaustion& exhaustion);

}  // namespace halfstep
