// The time loop. It knows solvers and observers only by the calls that drive() lists, and no physics.
#pragma once

#include <cstdint>

#include "runtime/stepping/controller.hpp"

namespace halfstep {

enum class DriveEnd { finished, stopped, exhausted };

/// An observer that requests and does nothing, to derive from. Every observer must define rejected() itself.
struct QuietObserver {
  bool wants_totals(std::int64_t) const { return false; }
  bool rests_after(std::int64_t) const { return false; }
  bool reads_after(std::int64_t) const { return false; }
  bool wants_rest() const { return false; }
  bool wants_to_stop() const { return false; }
  bool stops_between_slices() const { return false; }
  void launched() const {}
  void settled() const {}
  void accepted(const StepPlan&, const auto&) const {}
  void stood_still(const StepPlan&) const {}
  void at_rest() const {}
  void read() const {}
};

/// Advances `state` to the end of the run, with up to `depth` attempts launched before the first is awaited.
/// Keeps `rate`, the CFL rate of U^n, and `epoch`, that of the last attempt, up to date.
///
/// Solver: resume(limits, state, rate) plans from that state and voids everything launched before.
/// launch(attempt) queues an attempt at the next step, planned from the result of the previous attempt; it
/// does nothing if that was rejected or landed on an output time or the end. advance() runs the next slice of
/// the oldest attempt, if it has slices, and returns whether it can be awaited. await() returns the result of
/// the oldest attempt, whose state becomes U^n if it is accepted. diagnose() returns what can cure a rejected
/// attempt, diagnosis() what is wrong with it. Attempt: made from {epoch, step, number, remedy,
/// wants_totals}.
///
/// Observer: wants_totals(step), rests_after(step), reads_after(step), wants_rest(), wants_to_stop().
/// launched() is called when attempts are under way, for what need not hold them back. stops_between_slices()
/// is called in the middle of a step, where U^n and the attempt's progress may be read. settled() is called
/// at the end of every attempt. accepted(plan, verdict) follows and then, where no attempt is under way,
/// at_rest(), or after a step for which reads_after() holds, with at most one under way, read(); or
/// rejected(plan, diagnosis, redo) with the next plan or nullptr as `redo`; or stood_still(plan) if dt was
/// too short for the time to advance.
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
    return ahead == 0 ||
           (ahead < depth && !observer.rests_after(last) && !(ahead > 1 && observer.reads_after(last - 1)) &&
            !observer.wants_rest() && (limits.max_steps == 0 || last < limits.max_steps));
  };
  const auto launch = [&] {
    for (; may_launch(); ++ahead) {
      const std::int64_t step = state.step + ahead + 1;
      const bool retry = ahead == 0;  // of the current step if it has been tried before
      solver.launch(Attempt{++epoch, step, retry ? state.rejections + 1 : 1,
                            retry ? state.remedy : Remedy::none, observer.wants_totals(step)});
    }
  };

  resume();
  while (!run_finished(state, limits)) {
    if (ahead == 0 && observer.wants_to_stop()) return DriveEnd::stopped;
    launch();
    observer.launched();
    while (!solver.advance())
      if (observer.stops_between_slices()) return DriveEnd::stopped;
    const auto verdict = solver.await();
    observer.settled();
    --ahead;

    if (verdict.accepted) {
      accept_step(state, limits, verdict.plan);
      rate = verdict.cfl_rate;
      if (rests_after(verdict.plan, state, limits)) resume();
      observer.accepted(verdict.plan, verdict);
      if (ahead == 0)
        observer.at_rest();
      else if (observer.reads_after(state.step))
        observer.read();
    } else if (stands_still(state, verdict.plan)) {
      resume();  // or what the observer asks for now would be void too
      observer.stood_still(verdict.plan);
      return DriveEnd::exhausted;
    } else {
      const Cure cure = solver.diagnose();
      const bool redo = reject_step(state, limits, verdict.plan, cure);
      const StepPlan next = plan_step(state, limits, rate);
      resume();
      if (redo) launch();  // before the report, which can wait
      observer.rejected(verdict.plan, solver.diagnosis(), redo ? &next : nullptr);
      if (!redo) return DriveEnd::exhausted;
    }
  }
  return DriveEnd::finished;
}

}  // namespace halfstep
