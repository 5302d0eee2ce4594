// The time loop. It knows solvers and observers by what they can do, and nothing of what is solved.
#pragma once

#include <cstdint>

#include "runtime/stepping/controller.hpp"

namespace halfstep {

enum class DriveEnd { finished, stopped, exhausted };

/// Wants nothing and does nothing; an observer that derives from it says what it does want. What to do about
/// a rejection every observer has to say.
struct QuietObserver {
  bool wants_totals(std::int64_t) const { return false; }
  bool rests_after(std::int64_t) const { return false; }
  bool wants_rest() const { return false; }
  bool wants_to_stop() const { return false; }
  bool stops_between_slices() const { return false; }
  void settled() const {}
  void accepted(const StepPlan&, const auto&) const {}
  void stood_still(const StepPlan&) const {}
  void at_rest() const {}
};

/// Advances `state` to the end of the run, with up to `depth` attempts launched before the first of them is
/// looked at. `rate`: the signal rate of U^n, `epoch`: of the last attempt; both are kept up to date.
///
/// Solver: resume(limits, state, rate) plans from there and voids what was launched before; launch(attempt)
/// queues an attempt at the next step, planned where the one before it leaves the run, that does nothing if
/// the one before it was rejected or landed on an output time or the end; advance() -> whether the attempt
/// under way is ready to be awaited, or has more slices to come; await() -> verdict of the oldest
/// one, whose state is U^n from then on if it was accepted; diagnose() -> what can cure a rejected one,
/// diagnosis() -> what is wrong with it. Attempt: made from {epoch, step, number, remedy, wants_totals}.
/// Observer: wants_totals(step), rests_after(step), wants_rest(), wants_to_stop(); stops_between_slices() in
/// the middle of a step, where U^n and the attempt's progress may be read; settled() at the end of every
/// attempt, then accepted(plan, verdict), at_rest() where U^n may be read, rejected(plan, diagnosis, redo)
/// with redo the next plan or nullptr; stood_still(plan) where dt was too short for the time to advance.
template <class Attempt, class Solver, class Observer>
DriveEnd drive(Solver& solver, Observer& observer, const StepLimits& limits, int depth, StepState& state,
               double& rate, std::uint64_t& epoch) {
  int ahead = 0;  // attempts launched and not yet awaited
  const auto resume = [&] {
    solver.resume(limits, state, rate);
    ahead = 0;
  };
  const auto may_launch = [&] {
    const std::int64_t last = state.step + ahead;
    return ahead == 0 || (ahead < depth && !observer.rests_after(last) && !observer.wants_rest() &&
                          (limits.max_steps == 0 || last < limits.max_steps));
  };
  const auto launch = [&] {
    for (; may_launch(); ++ahead) {
      const std::int64_t step = state.step + ahead + 1;
      const bool retry = ahead == 0;  // of the present step, as far as there were attempts at it
      solver.launch(Attempt{++epoch, step, retry ? state.rejections + 1 : 1,
                            retry ? state.remedy : Remedy::none, observer.wants_totals(step)});
    }
  };

  resume();
  while (!run_finished(state, limits)) {
    if (ahead == 0 && observer.wants_to_stop()) return DriveEnd::stopped;
    launch();
    while (!solver.advance())
      if (observer.stops_between_slices()) return DriveEnd::stopped;
    const auto verdict = solver.await();
    observer.settled();
    --ahead;

    if (verdict.accepted) {
      accept_step(state, limits, verdict.plan);
      rate = verdict.signal_rate;
      if (rests_after(verdict.plan, state, limits)) resume();
      observer.accepted(verdict.plan, verdict);
      if (ahead == 0) observer.at_rest();
    } else if (stands_still(state, verdict.plan)) {
      resume();  // so that what is asked for now is not void as well
      observer.stood_still(verdict.plan);
      return DriveEnd::exhausted;
    } else {
      const Cure cure = solver.diagnose();
      const bool redo = reject_step(state, limits, verdict.plan, cure);
      const StepPlan next = plan_step(state, limits, rate);
      resume();
      if (redo) launch();  // the report can wait, the redo need not
      observer.rejected(verdict.plan, solver.diagnosis(), redo ? &next : nullptr);
      if (!redo) return DriveEnd::exhausted;
    }
  }
  return DriveEnd::finished;
}

}  // namespace halfstep
