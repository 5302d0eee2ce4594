// The step controller: dt, the halving ladder, regrowth, landing on output times. Pure logic on a small
// struct, so it can be tested without a GPU and can live on one.
#pragma once

#include <cmath>
#include <cstdint>

#include "runtime/device/host_device.hpp"

namespace halfstep {

struct StepLimits {
  double end = 0;              ///< simulation time at which the run ends
  std::int64_t max_steps = 0;  ///< 0 = no limit
  double cfl = 0.4;            ///< dt = cfl / signal rate ...
  double fixed_dt = 0;         ///< ... unless this is > 0; then it alone is the ceiling
  double output_every = 0;     ///< simulation time; 0 = off. Output times are k * output_every
  double cfl_limit = 0;        ///< a finished step whose dt * signal rate exceeds this is rejected; 0 = off
  int max_halvings = 8;        ///< consecutive rejections of one step
  int regrow_after = 4;        ///< accepted steps after which dt doubles again
};

/// All of the controller's memory; a checkpoint holds it.
struct StepState {
  double time = 0;
  std::int64_t step = 0;         ///< accepted steps
  std::int64_t next_output = 1;  ///< k of the next output time
  int level = 0;                 ///< dt = ceiling / 2^level
  int accepted_at_level = 0;     ///< accepted steps since the last change of level
  int halvings = 0;              ///< rejections of the present step
};

struct StepPlan {
  double dt = 0;
  double time_after = 0;  ///< exactly the target when the step lands
  bool lands_on_output = false;
  bool lands_on_end = false;
};

/// The next attempt at the present step. `signal_rate`: max over cells of sum_d (|u_d| + c) / dx_d at U^n.
HALFSTEP_HD StepPlan plan_step(const StepState& state, const StepLimits& limits, double signal_rate) {
  // Steps within this of their target land on it: round-off must not leave a sliver behind.
  constexpr double sliver = 1e-10;
  StepPlan plan;
  const double ceiling = limits.fixed_dt > 0 ? limits.fixed_dt : limits.cfl / signal_rate;
  double target = limits.end;
  bool output = false;
  if (limits.output_every > 0) {
    const double next = static_cast<double>(state.next_output) * limits.output_every;
    if (next <= limits.end * (1 + sliver)) {
      output = true;
      target = next < limits.end * (1 - sliver) ? next : limits.end;
    }
  }
  const int first_level = state.level - state.halvings;  // the level of the step's first attempt
  const double first = std::ldexp(ceiling, -first_level);
  const double remaining = target - state.time;
  const bool first_lands = first * (1 + sliver) >= remaining;
  plan.dt = std::ldexp(first_lands ? remaining : first, -state.halvings);
  const bool lands = first_lands && state.halvings == 0;
  plan.time_after = lands ? target : state.time + plan.dt;
  plan.lands_on_output = lands && output;
  plan.lands_on_end = lands && target >= limits.end;
  return plan;
}

/// The k of the first output time after `time`, for a run that is taken up there.
HALFSTEP_HD std::int64_t next_output_after(double time, double output_every) {
  return static_cast<std::int64_t>(std::floor(time / output_every * (1 + 1e-10))) + 1;
}

HALFSTEP_HD void accept_step(StepState& state, const StepLimits& limits, const StepPlan& plan) {
  state.time = plan.time_after;
  state.step += 1;
  state.halvings = 0;
  if (plan.lands_on_output) state.next_output += 1;
  if (state.level > 0 && ++state.accepted_at_level >= limits.regrow_after) {
    state.level -= 1;
    state.accepted_at_level = 0;
  }
}

/// Halves. False when the step has been rejected max_halvings times already, or dt would vanish beside the
/// time.
HALFSTEP_HD bool reject_step(StepState& state, const StepLimits& limits, const StepPlan& plan) {
  if (state.halvings >= limits.max_halvings) return false;
  if (state.time + 0.5 * plan.dt == state.time) return false;
  state.halvings += 1;
  state.level += 1;
  state.accepted_at_level = 0;
  return true;
}

/// Whether the finished step broke its own estimate: waves now cross more of a cell than the limit allows.
HALFSTEP_HD bool overruns(const StepLimits& limits, const StepPlan& plan, double signal_rate) {
  return limits.cfl_limit > 0 && plan.dt * signal_rate > limits.cfl_limit;
}

HALFSTEP_HD bool run_finished(const StepState& state, const StepLimits& limits) {
  return state.time >= limits.end || (limits.max_steps > 0 && state.step >= limits.max_steps);
}

}  // namespace halfstep
