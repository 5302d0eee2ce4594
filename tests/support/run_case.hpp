// Runs a deck in this process and without files: a solver under the program's own driver.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/deck/deck.hpp"
#include "app/run/backend.hpp"
#include "physics/accuracy/norms.hpp"
#include "physics/cases/initial_state.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/solver/solver.hpp"
#include "runtime/stepping/driver.hpp"
#include "tests/support/cells.hpp"

namespace halfstep {

using Overrides = std::vector<std::string>;

inline Overrides with(Overrides all, const Overrides& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Returns conserved fields with the state f(cell) in every cell of the mesh.
template <class F>
Fields fields_of_cells(const Mesh& mesh, F f) {
  Fields fields;
  for (auto& field : fields.conserved) field.reserve(mesh.cell_count());
  for_every_cell(mesh, [&](const auto& cell) { append(fields, f(box_of(mesh, cell))); });
  return fields;
}

/// A rejected attempt and its diagnosis.
struct Rejection {
  SoftError error;
  Replay replay;
  std::int64_t step = 0;  ///< accepted steps before the attempt
  double dt = 0;
};

/// A run of `inputs/DECK.yaml` with `overrides`. The public members show its state; only `limits` may be
/// changed, before running.
class CaseRun {
 public:
  explicit CaseRun(const std::string& deck, const Overrides& overrides = {}, int threads = 1,
                   const std::string& backend = "host")
      : CaseRun(load_deck(HALFSTEP_SOURCE_DIR "/inputs/" + deck + ".yaml", overrides), threads, backend) {}
  explicit CaseRun(RunConfig of, int threads = 1, const std::string& backend = "host")
      : CaseRun(of, make_solver(of.problem, backend, threads)) {}
  CaseRun(RunConfig of, std::unique_ptr<Solver> by)
      : config(std::move(of)), limits(config.limits), solver(std::move(by)) {
    ghosts_ =
        extended_initial_fields(*config.flow_case, mesh(), config.problem.gases(), layers(), config.scalars);
    begin_from(interior_of(ghosts_, mesh(), layers()));
  }

  /// Sets U^n to `fields` at the run's present time; everything else about the run stays.
  void begin_from(const Fields& fields) {
    solver->set_state(fields, ghosts_, state.time);
    rate = solver->cfl_rate();
  }

  /// Runs to the end, or until `steps` steps are accepted.
  DriveEnd run(std::int64_t steps = std::numeric_limits<std::int64_t>::max()) {
    Observer observer(*this, steps);
    return drive<Attempt>(*solver, observer, limits, std::min(config.depth, solver->max_depth()), state, rate,
                          epoch);
  }
  /// Continues `other` from the step that it has come to.
  void go_on_from(const CaseRun& other) {
    state = other.state;
    epoch = other.epoch;
    begin_from(other.fields());
    rate = other.rate;
  }
  /// Resumes `other` where it was stopped between two slices.
  void restore(CaseRun& other) {
    go_on_from(other);
    epoch -= 1;  // the attempt under way will be launched again
    repaired_faces = other.repaired_faces;
    rejections = other.rejections;
    budget = other.budget;
    solver->set_progress(other.solver->get_progress());
  }

  /// Makes one attempt of length dt at the next step, under the controller's limits but for `cfl_limit`. With
  /// `cfl_limit` 0 it is accepted if nothing is raised, with the least positive number it never is.
  AttemptResult attempt(double dt, double cfl_limit) {
    StepLimits one = limits;
    one.fixed_dt = dt;
    one.end = std::numeric_limits<double>::max();
    one.output_every = 0;
    one.cfl_limit = cfl_limit;
    solver->resume(one, state, rate);
    solver->launch({++epoch, state.step + 1});
    return solver->await();
  }
  /// Runs to the end; throws std::runtime_error if the run gives up before.
  CaseRun& finish() {
    if (run() != DriveEnd::finished)
      throw std::runtime_error("'" + config.title + "' gave up in step " + std::to_string(state.step + 1) +
                               ": " + std::string(name_of(rejections.back().error.kind)));
    return *this;
  }

  /// Diagnoses the rejected result of attempt().
  SoftError diagnose() {
    solver->diagnose();
    return solver->diagnosis().error;
  }

  Fields fields() const {
    Fields all;
    solver->get_state(all);
    return all;
  }
  /// Returns the error of "density", "velocity" or "pressure" against the exact solution now. Throws
  /// std::logic_error for any other field.
  Norms error(const std::string& field) const {
    for (const auto& [name, norms] : exact_error(fields(), *config.flow_case, mesh(), gas(), state.time))
      if (name == field) return norms;
    throw std::logic_error("no such field: " + field);
  }

  const Mesh& mesh() const { return config.problem.mesh; }
  IdealGas<double> gas() const { return {config.problem.gamma}; }
  int layers() const { return layers_of(config.problem); }

  RunConfig config;
  StepLimits limits;
  std::unique_ptr<Solver> solver;
  StepState state;
  double rate = 0;
  std::uint64_t epoch = 0;
  std::vector<StepPlan> steps;  ///< accepted
  std::vector<Rejection> rejections;
  std::vector<AttemptResult> remedied;  ///< accepted steps that took a remedy
  std::int64_t repaired_faces = 0;
  SpongeSums sponged;
  FloorSums floored;
  Budget budget;
  std::int64_t slices = 0;             ///< slices of all attempts, without the last of each
  std::int64_t stop_after_slices = 0;  ///< counted from the start of run(); 0: never
  bool wants_totals = false;           ///< computes `totals` after every step
  std::vector<Totals> totals;

 private:
  struct Observer : QuietObserver {
    Observer(CaseRun& of, std::int64_t stop_at) : of(of), stop_at(stop_at) {}
    CaseRun& of;
    std::int64_t stop_at;
    std::int64_t slices_of_run = 0;

    bool wants_totals(std::int64_t) const { return of.wants_totals; }
    bool rests_after(std::int64_t step) const { return step == stop_at; }
    bool wants_to_stop() const { return of.state.step >= stop_at; }
    bool stops_between_slices() {
      of.slices += 1;
      return ++slices_of_run == of.stop_after_slices;
    }
    void accepted(const StepPlan& plan, const AttemptResult& verdict) {
      of.steps.push_back(plan);
      of.repaired_faces += verdict.repaired_faces;
      merge(of.sponged, verdict.sponged);
      merge(of.floored, verdict.floored);
      merge(of.budget, verdict.budget);
      if (verdict.totals) of.totals.push_back(*verdict.totals);
      if (verdict.remedy != Remedy::none) of.remedied.push_back(verdict);
    }
    void rejected(const StepPlan& plan, const Diagnosis& diagnosis, const StepPlan*) {
      of.rejections.push_back({diagnosis.error, diagnosis.replay, of.state.step, plan.dt});
    }
  };

  Fields ghosts_;
};

/// Returns a deck's run at its end, or after `steps` steps.
inline CaseRun finished(const std::string& deck, const Overrides& overrides = {}) {
  CaseRun run(deck, overrides);
  run.finish();
  return run;
}
inline CaseRun stepped(std::int64_t steps, const std::string& deck, const Overrides& overrides = {},
                       int threads = 1) {
  CaseRun run(deck, overrides, threads);
  run.run(steps);
  return run;
}

inline Primitive<double> primitive_of_cell(const Fields& fields, std::size_t n, const IdealGas<double>& gas) {
  const auto& c = fields.conserved;
  return to_primitive(Conserved<double>{c[0][n], c[1][n], c[2][n], c[3][n], c[4][n]}, gas);
}

/// Whether two states agree in every bit (no state here holds NaN or a signed zero that matters).
inline bool identical(const Fields& a, const Fields& b) {
  return a.conserved == b.conserved && a.scalars == b.scalars;
}
inline bool identical(const Budget& a, const Budget& b) {
  bool same = true;
  for_parts(a, b, [&](const Conserved<double>& c, const Conserved<double>& d) {
    same = same && c.density == d.density && c.mu == d.mu && c.mv == d.mv && c.mw == d.mw &&
           c.energy == d.energy;
  });
  return same;
}

}  // namespace halfstep
