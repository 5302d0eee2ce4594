#include "app/verify/deck_run.hpp"

#include <algorithm>
#include <chrono>

#include "app/base/embedded.hpp"
#include "app/deck/deck.hpp"
#include "app/run/ranks.hpp"
#include "physics/cases/initial_state.hpp"
#include "runtime/stepping/driver.hpp"

namespace halfstep {
namespace {

/// Counts remedies and rejections; keeps the last soft error.
struct Counting : QuietObserver {
  std::int64_t rejections = 0, repaired_faces = 0, floored_cells = 0, remedied_steps = 0;
  Explained explained;
  std::string last_error;

  void accepted(const StepPlan&, const AttemptResult& verdict) {
    repaired_faces += verdict.repaired_faces;
    floored_cells += verdict.floored.cells;
    merge(explained.budget, verdict.budget);
    merge(explained.floored, verdict.floored);
    merge(explained.sponged, verdict.sponged);
    remedied_steps += verdict.remedy != Remedy::none;
  }
  void rejected(const StepPlan&, const Diagnosis& diagnosis, const StepPlan*) {
    rejections += 1;
    last_error = name_of(diagnosis.error.kind);
  }
  void stood_still(const StepPlan&) { last_error = "time stands still"; }
};

}  // namespace

DeckRun run_deck(const std::string& deck, const std::vector<std::string>& overrides, const Machine& machine,
                 const std::optional<Probe>& probe) {
  const std::string path = "inputs/" + deck + ".yaml";
  const auto began = std::chrono::steady_clock::now();
  DeckRun run;
  run.config = parse_deck(std::string(embedded_text(path)), path, overrides);
  const Problem& problem = run.config.problem;
  const std::unique_ptr<Solver> solver = make_solver(run.config, {machine.backend, machine.threads});
  InitialState initial(*run.config.flow_case, run.config.scalars, problem.mesh, problem.gases());
  solver->set_state(initial, 0);
  run.before = solver->totals();

  StepState state;
  std::uint64_t epoch = 0;
  double rate = solver->cfl_rate();
  Counting observer;
  StepLimits limits = run.config.limits;
  const double end = limits.end;
  const auto advance = [&] {
    return drive<Attempt>(*solver, observer, limits, std::min(run.config.depth, solver->max_depth()), state,
                          rate, epoch) != DriveEnd::exhausted;
  };
  const auto look = [&] {
    run.samples.push_back({state.time, probe->value(run.config, *solver)});
    if (probe->second) run.second_samples.push_back({state.time, probe->second(run.config, *solver)});
  };
  bool goes_on = true;
  if (probe) {
    limits.output_every = 0;
    look();
    for (std::int64_t n = 1; goes_on && state.time < end; ++n) {
      limits.end = std::min(end, static_cast<double>(n) * probe->every);
      const std::int64_t before = state.step;
      goes_on = advance();
      look();
      if (state.step == before) break;  // the limit of steps is reached
    }
  } else {
    goes_on = advance();
  }

  run.backend = solver->backend();
  run.time = state.time;
  run.steps = state.step;
  run.rejections = observer.rejections;
  run.repaired_faces = observer.repaired_faces;
  run.floored_cells = observer.floored_cells;
  run.explained = observer.explained;
  run.remedied_steps = observer.remedied_steps;
  if (!goes_on) run.gave_up = observer.last_error;
  run.after = solver->totals();
  solver->get_state(run.fields);
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return run;
}

}  // namespace halfstep
