// A deck of inputs/ run in this process and without files, and what it came to.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/deck/config.hpp"
#include "physics/measure/growth_rate.hpp"
#include "physics/solver.hpp"

namespace halfstep {

/// What runs it: as the options of `halfstep run`.
struct Machine {
  std::string backend = "auto";
  int threads = 0;  ///< 0: as many as are useful
};

/// Looks at U^n at time 0, `every`, 2 `every`, ... and at the end of the run.
struct Probe {
  double every = 0;  ///< simulation time
  std::function<double(const RunConfig&, Solver&)> value;
};

struct DeckRun {
  RunConfig config;
  std::string backend;  ///< that it ran on: "host" or "cuda"
  Fields fields;        ///< at the end
  double time = 0;
  std::int64_t steps = 0, rejections = 0, repaired_faces = 0;
  std::int64_t floored_cells = 0;
  std::int64_t remedied_steps = 0;  ///< accepted under a remedy
  Totals before, after;             ///< at the start and at the end
  std::vector<Sample> samples;      ///< of the probe
  double seconds = 0;               ///< of wall time
  std::string gave_up;              ///< the kind of soft error that ended the run; empty: it is at its end

  const Mesh& mesh() const { return config.problem.mesh; }
  IdealGas<double> gas() const { return {config.problem.gamma}; }
  bool has_exact() const { return config.has_exact(time); }
};

/// inputs/DECK.yaml, which the program carries, with "block.key=value" in their order. Throws DeckError where
/// they do not make a deck, std::runtime_error where the machine cannot run it.
DeckRun run_deck(const std::string& deck, const std::vector<std::string>& overrides, const Machine& machine,
                 const std::optional<Probe>& probe = {});

}  // namespace halfstep
