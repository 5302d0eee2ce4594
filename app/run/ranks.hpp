// Runs of several ranks: the first one runs the program and tells the others what to solve.
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "app/deck/config.hpp"
#include "physics/solver/solver.hpp"
#include "runtime/exchange/decomposition.hpp"

namespace halfstep {

/// What the command line says of ranks and of the solvers of each.
struct RankOptions {
  std::string backend = "auto";  ///< auto, cuda or host
  int threads = 0;               ///< of each rank's host backend; 0 = as many as are useful
  bool share_devices = false;    ///< ranks may share a device
};

/// Returns the number of ranks of this run.
int rank_count();
/// Returns how many of them are on the first one's machine.
int ranks_on_first_machine();

/// Returns the cut of the deck's mesh into blocks for ranks: mesh.ranks, or the one that exchanges least;
/// that of curved elements is by METIS. Throws UsageError if the mesh cannot be cut so.
exchange::Decomposition cut_of(const RunConfig& config, int ranks);

/// Returns the solver of a deck over all ranks; of one rank, that of the whole mesh. On the first rank.
/// Throws UsageError where there are too few devices or too few cells for the ranks.
std::unique_ptr<Solver> make_solver(const RunConfig& config, const RankOptions& options);

/// Serves the first rank until that ends, on all others, and returns its exit code. Errors end all ranks,
/// with a message that names this one and its machine.
int serve_as_rank();

/// Takes signals that were sent to other ranks for signals to this one, the first.
void take_signals_of_ranks();

/// Whether SIGUSR1 has asked the first rank for a checkpoint since the last call. What several ranks got
/// within a second is one request.
bool take_checkpoint_signal();

/// Ends all ranks at once with kFailed, after a message that names this one and its machine. With one rank it
/// does nothing.
void fail_all_ranks(const std::exception& error);

/// Tells the other ranks, at the end of the first, that nothing is left to solve. After an internal error
/// (kFailed) it ends them at once, whatever they wait for.
void end_ranks(int exit_code);

}  // namespace halfstep
