// A solver whose state is cut into blocks, one for each rank. The first rank drives it as it would drive any
// other solver: each call is told to the other ranks, which make the same call to the solvers of their
// blocks. So one driver decides, and all ranks do the same in the same order.
#pragma once

#include <exception>
#include <functional>
#include <memory>

#include "physics/mesh/block.hpp"
#include "physics/ranks/ranked_snapshot.hpp"
#include "physics/solver/solver.hpp"

namespace halfstep {

/// Returns the solver of all ranks, on the first of them. `block`: the solver of its own block. `whole`: the
/// problem of the whole mesh. The others must be in serve_first_rank() until the solver is destroyed.
std::unique_ptr<Solver> make_ranked_solver(std::unique_ptr<Solver> block, const Problem& whole,
                                           const Split& split);

/// What a rank other than the first does beside solving.
struct RankDuties {
  std::function<void()> between;                    ///< before each call of the first rank
  BlockWork carry_out;                              ///< in a thread of its own
  std::function<void(const std::exception&)> fail;  ///< ends all ranks, which may wait for this one
  /// Returns the rows of this rank's block of the initial state, with the state of boundaries at that time.
  std::function<std::unique_ptr<StateRows>(double time)> initial_state;
};

/// Makes the calls of the first rank's solver to the solver of this rank's block, until that is destroyed.
void serve_first_rank(Solver& block, const Split& split, const RankDuties& duties);

}  // namespace halfstep
