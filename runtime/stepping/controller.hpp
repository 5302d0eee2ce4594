// The step controller: dt, the ladder of remedies, regrowth, landing on output times. Pure logic on a small
// struct, so it can be tested without a GPU and lives on one where steps are queued ahead of the host.
#pragma once

#include <cmath>
#include <cstdint>

#include "runtime/device/host_device.hpp"
#include "runtime/stepping/ladder.hpp"

namespace halfstep {

struct StepLimits {
  double end = 0;              ///< simulation time at which the run ends
  std::int64_t max_steps = 0;  ///< 0 = no limit
  double cfl = 0.4;            ///< dt = cfl / signal rate ...
  double fixed_dt = 0;         ///< ... unless this is > 0; then it alone is the ceiling
  double output_every = 0;     ///< simulation time; 0 = off. Output times are k * output_every
  double cfl_limit = 0;        ///< a finished step whose dt * signal rate exceeds this is rejected; 0 = off
  int max_halvings = 8;        ///< of dt in a row, before the next remedy
  int regrow_after = 4;        ///< accepted steps after which dt doubles again
  bool redo_same_dt = false;   ///< the first redo of a step takes its dt again: for transient faults
  Remedy last_remedy = Remedy::none;  ///< tried before giving up
};

/// All of the controller's memory; a checkpoint holds it.
struct StepState {
  double time = 0;
  std::int64_t step = 0;              ///< accepted steps
  std::int64_t next_output = 1;       ///< k of the next output time
  int level = 0;                      ///< dt of a step's first attempt = ceiling / 2^level
  int accepted_at_level = 0;          ///< accepted steps since the last change of level
  int rejections = 0;                 ///< of the present step
  int halvings = 0;                   ///< of the present step's dt
  bool mendable = false;              ///< a failure of the present step was one that remedies may cure
  Remedy remedy = Remedy::none;       ///< of the present attempt
  Remedy last_helped = Remedy::none;  ///< the last remedy that made a step
  int remembered = 0;                 ///< accepted steps for which it is still the first choice
};

struct StepPlan {
  double dt = 0;
  double time_after = 0;  ///< exactly the target when the step lands
  bool lands_on_output = false;
  bool lands_on_end = false;
};

/// a b, rounded, whatever is done with it: contracted with an addition it would give other bits on the device
/// than on the host.
HALFSTEP_HD double rounded_product(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dmul_rn(a, b);
#else
  double product = a * b;
  asm("" : "+m"(product));
  return product;
#endif
}

/// The next attempt at the present step. `signal_rate`: max over cells of sum_d (|u_d| + c) / dx_d at U^n.
HALFSTEP_HD StepPlan plan_step(const StepState& state, const StepLimits& limits, double signal_rate) {
  // Steps within this of their target land on it: round-off must not leave a sliver behind.
  constexpr double sliver = 1e-10;
  StepPlan plan;
  const double asked = limits.fixed_dt > 0 ? limits.fixed_dt : limits.cfl / signal_rate;
  const double ceiling = asked < limits.end ? asked : limits.end;  // what is halved is a length of the run
  double target = limits.end;
  bool output = false;
  if (limits.output_every > 0) {
    const double next = rounded_product(static_cast<double>(state.next_output), limits.output_every);
    if (next <= limits.end * (1 + sliver)) {
      output = true;
      target = next < limits.end * (1 - sliver) ? next : limits.end;
    }
  }
  const double first = std::ldexp(ceiling, -state.level);
  const double remaining = target - state.time;
  const bool first_lands = first * (1 + sliver) >= remaining;
  plan.dt = std::ldexp(first_lands ? remaining : first, -state.halvings);
  const bool lands = first_lands && state.halvings == 0;
  plan.time_after = lands ? target : state.time + plan.dt;
  plan.lands_on_output = lands && output;
  plan.lands_on_end = lands && target >= limits.end;
  return plan;
}

/// Whether a step of `dt` is lost in the round-off of `time`, below one unit in its last place; or NaN.
HALFSTEP_HD bool vanishes(double time, double dt) { return !(time + 0.5 * dt > time); }

/// Whether the attempt cannot be accepted, whatever it comes to: time would stand still.
HALFSTEP_HD bool stands_still(const StepState& state, const StepPlan& plan) {
  return !plan.lands_on_output && !plan.lands_on_end && vanishes(state.time, plan.dt);
}

/// The k of the first output time after `time`, for a run that is taken up there.
HALFSTEP_HD std::int64_t next_output_after(double time, double output_every) {
  return static_cast<std::int64_t>(std::floor(time / output_every * (1 + 1e-10))) + 1;
}

/// The present step as if it had not been tried: what a run goes on with that takes it up again.
HALFSTEP_HD StepState at_first_attempt(StepState state) {
  state.rejections = state.halvings = 0;
  state.mendable = false;
  state.remedy = Remedy::none;
  return state;
}

HALFSTEP_HD void accept_step(StepState& state, const StepLimits& limits, const StepPlan& plan) {
  state.time = plan.time_after;
  state.step += 1;
  if (plan.lands_on_output) state.next_output += 1;
  if (state.remedy != Remedy::none) {
    state.last_helped = state.remedy;
    state.remembered = limits.regrow_after;
    if (state.halvings == 0) state.level = 0;  // shorter steps were not what helped
  } else if (state.remembered > 0) {
    state.remembered -= 1;
  }
  if (state.halvings > 0) {
    const int level = state.level + state.halvings;
    state.level = level < limits.max_halvings ? level : limits.max_halvings;
    state.accepted_at_level = 0;
  }
  state = at_first_attempt(state);
  if (state.level > 0 && ++state.accepted_at_level >= limits.regrow_after) {
    state.level -= 1;
    state.accepted_at_level = 0;
  }
}

/// Chooses the next attempt at the step: the same dt, half of it, or the next remedy. False when nothing is
/// left to try.
///
/// Shorter steps come first, down to ceiling / 2^max_halvings and no further, as dt would collapse in a
/// vacuum that fails at any dt. A first step from a Courant number alone is halved as long as it overruns, until
/// dt is lost beside the length of the run: the signal rate of U^0 knows nothing of the waves that its jumps
/// send out. For some steps after one that took a remedy the next failure gets it at once. A remedy begins at
/// the dt of the step's first attempt; a step that failed in no way that remedies cure has none.
HALFSTEP_HD bool reject_step(StepState& state, const StepLimits& limits, const StepPlan& plan, Cure cure) {
  const bool of_dt = cure == Cure::shorter_step;
  state.rejections += 1;
  state.mendable = state.mendable || !of_dt;
  if (limits.redo_same_dt && state.rejections == 1) return true;
  const bool from_memory =
      state.remedy == Remedy::none && state.remembered > 0 && !of_dt && limits.last_remedy != Remedy::none;
  const double halved = 0.5 * plan.dt;
  const bool of_first_step = state.step == 0 && of_dt && limits.fixed_dt <= 0 && limits.max_halvings > 0 &&
                             !vanishes(limits.end, halved);
  const bool may_halve = state.level + state.halvings < limits.max_halvings || of_first_step;
  if (cure != Cure::remedy && !from_memory && may_halve && !vanishes(state.time, halved)) {
    state.halvings += 1;
    return true;
  }
  if (state.remedy >= limits.last_remedy || !state.mendable) return false;
  const bool remembers_floor = state.last_helped == Remedy::floor && limits.last_remedy == Remedy::floor;
  state.remedy =
      state.remedy == Remedy::none && !(from_memory && remembers_floor) ? Remedy::first_order : Remedy::floor;
  state.halvings = 0;
  return true;
}

/// Whether the finished step broke its own estimate: waves now cross more of a cell than the limit allows.
HALFSTEP_HD bool overruns(const StepLimits& limits, const StepPlan& plan, double signal_rate) {
  return limits.cfl_limit > 0 && plan.dt * signal_rate > limits.cfl_limit;
}

HALFSTEP_HD bool run_finished(const StepState& state, const StepLimits& limits) {
  return state.time >= limits.end || (limits.max_steps > 0 && state.step >= limits.max_steps);
}

/// What steps are planned from, kept where the state is stepped.
struct StepControl {
  StepLimits limits;
  StepState state;
  double signal_rate = 0;  ///< of U^n
  StepPlan plan;           ///< of the attempt under way
};

HALFSTEP_HD StepControl step_control(const StepLimits& limits, const StepState& state, double signal_rate) {
  return {limits, state, signal_rate, plan_step(state, limits, signal_rate)};
}

/// Ends the attempt under way. `raised`: it met a soft error; `signal_rate`: of the state it made;
/// `inflow_rate`: of what boundaries let in, which the next step has to be short enough for. Whether it is
/// accepted; if so the next step is planned.
HALFSTEP_HD bool settle(StepControl& control, bool raised, double signal_rate, double inflow_rate = 0) {
  if (raised || stands_still(control.state, control.plan) ||
      overruns(control.limits, control.plan, signal_rate))
    return false;
  accept_step(control.state, control.limits, control.plan);
  control.signal_rate = signal_rate > inflow_rate ? signal_rate : inflow_rate;
  control.plan = plan_step(control.state, control.limits, control.signal_rate);
  return true;
}

/// Whether a run rests after an accepted step: U^n is wanted as it is.
HALFSTEP_HD bool rests_after(const StepPlan& plan, const StepState& after, const StepLimits& limits) {
  return plan.lands_on_output || run_finished(after, limits);
}

}  // namespace halfstep
