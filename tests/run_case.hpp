// A deck run in this process and without files: a solver under the program's own driver.
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
#include "physics/initial.hpp"
#include "physics/solver.hpp"
#include "runtime/stepping/driver.hpp"

namespace halfstep {

using Overrides = std::vector<std::string>;

/// Conserved fields, `f` of every cell of the mesh.
template <class F>
Fields fields_of_cells(const Mesh& mesh, F f) {
  Fields fields;
  for (auto& field : fields.conserved) field.reserve(mesh.cell_count());
  for (int k = 0; k < mesh.cells[2]; ++k)
    for (int j = 0; j < mesh.cells[1]; ++j)
      for (int i = 0; i < mesh.cells[0]; ++i) {
        const Conserved<double> c = f(mesh.cell(i, j, k));
        const double values[kFields] = {c.density, c.mu, c.mv, c.mw, c.energy};
        for (int n = 0; n < kFields; ++n) fields.conserved[n].push_back(values[n]);
      }
  return fields;
}

/// One rejected attempt and what was said of it.
struct Rejection {
  SoftError error;
  Replay replay;
  std::int64_t step = 0;  ///< accepted steps before the attempt
  double dt = 0;
};

/// `inputs/DECK.yaml` with `overrides`. Public members are the run; change `limits` before running, nothing
/// else.
class CaseRun {
 public:
  explicit CaseRun(const std::string& deck, const Overrides& overrides = {}, int threads = 1,
                   const std::string& backend = "host")
      : CaseRun(load_deck(HALFSTEP_SOURCE_DIR "/inputs/" + deck + ".yaml", overrides), threads, backend) {}
  explicit CaseRun(RunConfig of, int threads = 1, const std::string& backend = "host")
      : config(std::move(of)), limits(config.limits) {
    solver = make_solver(config.problem, backend, threads);
    ghosts_ =
        extended_initial_fields(*config.flow_case, mesh(), gas(), layers(), config.problem.has_reactant);
    begin_from(interior_of(ghosts_, mesh(), layers()));
  }

  /// U^n := `fields` at the run's present time; everything else about the run stays.
  void begin_from(const Fields& fields) {
    solver->set_state(fields, ghosts_, state.time);
    rate = solver->signal_rate();
  }

  /// Goes on to the end, or until `steps` steps are accepted.
  DriveEnd run(std::int64_t steps = std::numeric_limits<std::int64_t>::max()) {
    Observer observer(*this, steps);
    return drive<Attempt>(*solver, observer, limits, std::min(config.depth, solver->max_depth()), state, rate,
                          epoch);
  }
  /// Takes up `other` where it was stopped between two slices.
  void go_on_from(CaseRun& other) {
    state = other.state;
    epoch = other.epoch - 1;  // the attempt under way will be launched again
    repaired_faces = other.repaired_faces;
    rejections = other.rejections;
    begin_from(other.fields());
    rate = other.rate;
    solver->set_progress(other.solver->get_progress());
  }

  /// One attempt of length dt at the next step, under the controller's limits but for `cfl_limit`: with 0 it
  /// is accepted if nothing is raised, with the least positive number it never is.
  Verdict attempt(double dt, double cfl_limit) {
    StepLimits one = limits;
    one.fixed_dt = dt;
    one.end = std::numeric_limits<double>::max();
    one.output_every = 0;
    one.cfl_limit = cfl_limit;
    solver->resume(one, state, rate);
    solver->launch({++epoch, state.step + 1});
    return solver->await();
  }
  /// Goes on to the end; throws if it does not come to it.
  CaseRun& finish() {
    if (run() != DriveEnd::finished)
      throw std::runtime_error("'" + config.title + "' gave up in step " + std::to_string(state.step + 1) +
                               ": " + std::string(name_of(rejections.back().error.kind)));
    return *this;
  }

  /// Of the attempt that attempt() has seen rejected.
  SoftError diagnose() {
    solver->diagnose();
    return solver->diagnosis().error;
  }

  Fields fields() const {
    Fields all;
    solver->get_state(all);
    return all;
  }
  /// Of "density", "velocity" or "pressure" against the exact solution now.
  Norms error(const std::string& field) const {
    for (const auto& [name, norms] : exact_error(fields(), *config.flow_case, mesh(), gas(), state.time))
      if (name == field) return norms;
    throw std::logic_error("no such field: " + field);
  }

  const Mesh& mesh() const { return config.problem.mesh; }
  IdealGas<double> gas() const { return {config.problem.gamma}; }
  int layers() const { return ghost_layers(config.problem.scheme.reconstruction); }

  RunConfig config;
  StepLimits limits;
  std::unique_ptr<Solver> solver;
  StepState state;
  double rate = 0;
  std::uint64_t epoch = 0;
  std::vector<StepPlan> steps;  ///< accepted
  std::vector<Rejection> rejections;
  std::vector<Verdict> remedied;  ///< accepted steps that took a remedy
  std::int64_t repaired_faces = 0;
  std::int64_t slices = 0;             ///< but the last of each attempt
  std::int64_t stop_after_slices = 0;  ///< 0: never; counted from the start of run()
  bool wants_totals = false;           ///< after every step, in `totals`
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
    void accepted(const StepPlan& plan, const Verdict& verdict) {
      of.steps.push_back(plan);
      of.repaired_faces += verdict.repaired_faces;
      if (verdict.totals) of.totals.push_back(*verdict.totals);
      if (verdict.remedy != Remedy::none) of.remedied.push_back(verdict);
    }
    void rejected(const StepPlan& plan, const Diagnosis& diagnosis, const StepPlan*) {
      of.rejections.push_back({diagnosis.error, diagnosis.replay, of.state.step, plan.dt});
    }
  };

  Fields ghosts_;
};

/// Whether two states agree in every bit (no state here holds NaN or a signed zero that matters).
inline bool identical(const Fields& a, const Fields& b) {
  return a.conserved == b.conserved && a.reactant == b.reactant;
}

}  // namespace halfstep
