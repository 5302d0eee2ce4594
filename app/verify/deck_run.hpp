// Running a deck of inputs/ in this process, without writing files.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/deck/config.hpp"
#include "app/output/budget_table.hpp"
#include "physics/accuracy/growth_rate.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/solver/solver.hpp"

namespace halfstep {

/// Backend options, as in `halfstep run`.
struct Machine {
  std::string backend = "auto";
  int threads = 0;  ///< 0: as many as are useful
};

/// A quantity of U^n, or two, sampled at time 0, `every`, 2 `every`, ... and at the end of the run.
struct Probe {
  double every = 0;  ///< simulation time
  std::function<double(const RunConfig&, Solver&)> value, second = {};
};

struct DeckRun {
  RunConfig config;
  std::string backend;  ///< backend used: "host" or "cuda"
  Fields fields;        ///< at the end
  double time = 0;
  std::int64_t steps = 0, rejections = 0, repaired_faces = 0;
  std::int64_t floored_cells = 0;
  std::int64_t remedied_steps = 0;              ///< steps accepted under a remedy
  Totals before, after;                         ///< at the start and at the end
  Explained explained;                          ///< of their difference; with budgets
  std::vector<Sample> samples, second_samples;  ///< values of the probe
  double seconds = 0;                           ///< wall time
  std::string gave_up;  ///< the kind of soft error that ended the run; empty if it reached its end

  const Mesh& mesh() const { return config.problem.mesh; }
  IdealGas<double> gas() const { return {config.problem.gamma}; }
  bool has_exact() const { return config.has_exact(time); }
};

/// Runs the embedded inputs/DECK.yaml with overrides "block.key=value" applied in order, curved elements on
/// the host. Throws DeckError if they do not make a valid deck, std::runtime_error if the machine cannot run
/// it.
DeckRun run_deck(const std::string& deck, const std::vector<std::string>& overrides, const Machine& machine,
                 const std::optional<Probe>& probe = {});

}  // namespace halfstep
