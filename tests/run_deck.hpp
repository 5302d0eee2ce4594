// A deck run in this process, without files, on either backend.
#pragma once

#include <string>
#include <vector>

#include "app/deck/deck.hpp"
#include "app/run/backend.hpp"
#include "physics/initial.hpp"
#include "runtime/stepping/driver.hpp"

namespace halfstep {

struct DeckRun {
  RunConfig config;
  DriveEnd end = DriveEnd::finished;
  StepState state;
  Fields fields;
  Totals initial, final;
  std::int64_t repaired_faces = 0;
  std::vector<SoftError> errors;  ///< one a rejected attempt
  std::vector<Replay> replays;
  std::vector<double> rates;      ///< signal rate after every accepted step

  double l1_density() const {
    return exact_error(fields, *config.flow_case, config.problem.mesh, {config.problem.gamma}, state.time)[0].second.l1;
  }
};

/// `deck`: the name of a file in inputs/, without .yaml.
inline DeckRun run_deck(const std::string& deck, const std::vector<std::string>& overrides, const std::string& backend = "host",
                        int threads = 0) {
  DeckRun run;
  run.config = load_deck(std::string(HALFSTEP_SOURCE_DIR) + "/inputs/" + deck + ".yaml", overrides);
  const Problem& problem = run.config.problem;
  const int layers = ghost_layers(problem.scheme.reconstruction);
  const Fields extended = extended_initial_fields(*run.config.flow_case, problem.mesh, {problem.gamma}, layers);
  const auto solver = make_solver(problem, backend, threads);
  solver->set_state(interior_of(extended, problem.mesh, layers), extended, 0);
  run.initial = solver->totals();

  struct Observer {
    DeckRun& run;
    Solver& solver;
    void accepted(const StepPlan&, const Verdict& verdict) {
      run.repaired_faces += verdict.repaired_faces;
      run.rates.push_back(verdict.signal_rate);
    }
    void rejected(const StepPlan&, const SoftError& error, const StepPlan*) {
      run.errors.push_back(error);
      run.replays.push_back(solver.replay(error));
    }
    bool wants_to_stop() const { return false; }
  } observer{run, *solver};
  double rate = solver->signal_rate();
  std::uint64_t epoch = 0;
  run.end = drive<Attempt>(*solver, observer, run.config.limits, run.state, rate, epoch);
  solver->get_state(run.fields);
  run.final = solver->totals();
  return run;
}

}  // namespace halfstep
