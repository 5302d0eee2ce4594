// The time loop. It knows solvers and observers by what they can do, and nothing of what is solved.
#pragma once

#include <cstdint>

#include "runtime/stepping/controller.hpp"

namespace halfstep {

enum class DriveEnd { finished, stopped, exhausted };

/// Advances `state` to the end of the run. `rate`: the signal rate of U^n, kept up to date.
///
/// Solver: launch(attempt), await() -> verdict, accept(), diagnose() -> error; Attempt is what launch()
/// takes, built from {epoch, time, dt}. Observer: accepted(plan, verdict), rejected(plan, error, next_plan or
/// nullptr), wants_to_stop().
template <class Attempt, class Solver, class Observer>
DriveEnd drive(Solver& solver, Observer& observer, const StepLimits& limits, StepState& state, double& rate,
               std::uint64_t& epoch) {
  while (!run_finished(state, limits)) {
    if (observer.wants_to_stop()) return DriveEnd::stopped;

    const StepPlan plan = plan_step(state, limits, rate);
    solver.launch(Attempt{++epoch, state.time, plan.dt});
    const auto verdict = solver.await();

    if (!verdict.raised && !overruns(limits, plan, verdict.signal_rate)) {
      solver.accept();
      accept_step(state, limits, plan);
      rate = verdict.signal_rate;
      observer.accepted(plan, verdict);
    } else {
      const auto error = solver.diagnose();
      const bool redo = error.depends_on_dt() && reject_step(state, limits, plan);
      const StepPlan next = plan_step(state, limits, rate);
      observer.rejected(plan, error, redo ? &next : nullptr);
      if (!redo) return DriveEnd::exhausted;
    }
  }
  return DriveEnd::finished;
}

}  // namespace halfstep
