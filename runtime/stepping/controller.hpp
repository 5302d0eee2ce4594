// The step controller: dt, the ladder of remedies, regrowth of dt, landing on output times. Pure logic on a
// small struct, so it can be tested without a GPU and run on one, where steps are queued ahead of the host.
#pragma once

#include <cmath>
#include <cstdint>

#include "runtime/device/host_device.hpp"
#include "runtime/stepping/ladder.hpp"

namespace halfstep {

/// Times at which steps end besides those of StepLimits::output_every: the multiples of a few intervals.
struct LandingTimes {
  static constexpr int kMost = 8;
  int count = 0;
  double every[kMost] = {};  ///< simulation time, > 0
};

struct StepLimits {
  double end = 0;              ///< simulation time at which the run ends
  std::int64_t max_steps = 0;  ///< 0 = no limit
  double cfl = 0.4;            ///< dt = cfl / CFL rate ...
  double fixed_dt = 0;         ///< ... unless this is > 0; then it alone is the ceiling
  double output_every = 0;     ///< simulation time; 0 = off. Output times are k * output_every
  double cfl_limit = 1;        ///< a finished step whose dt * CFL rate exceeds this is rejected; 0 = off
  int max_halvings = 8;        ///< halvings of dt in a row before the next remedy
  int regrow_after = 4;        ///< accepted steps after which dt doubles again
  bool redo_same_dt = false;   ///< the first redo of a step keeps its dt, for transient faults
  Remedy first_remedy = Remedy::first_order;  ///< first one tried; Remedy::scaling in elements
  Remedy last_remedy = Remedy::first_order;   ///< last one tried before giving up
  LandingTimes landings = {};
};

/// The complete state of the controller, as a checkpoint stores it.
struct StepState {
  double time = 0;
  std::int64_t step = 0;              ///< accepted steps
  std::int64_t next_output = 1;       ///< k of the next output time
  int level = 0;                      ///< dt of a step's first attempt = ceiling / 2^level
  int accepted_at_level = 0;          ///< accepted steps since the last change of level
  int rejections = 0;                 ///< rejected attempts at the current step
  int halvings = 0;                   ///< halvings of the current step's dt
  bool mendable = false;              ///< a failure of the current step was one that remedies may cure
  Remedy remedy = Remedy::none;       ///< remedy of the current attempt
  Remedy last_helped = Remedy::none;  ///< remedy of the last step accepted with one
  int remembered = 0;                 ///< accepted steps for which last_helped stays the first choice
};

struct StepPlan {
  double dt = 0;
  double time_after = 0;  ///< exactly the target when the step lands
  bool lands_on_output = false;
  bool lands_on_end = false;
  bool lands_on_other = false;  ///< on one of StepLimits::landings

  HALFSTEP_HD bool lands() const { return lands_on_output || lands_on_end || lands_on_other; }
};

/// Returns a b, rounded even if the caller adds to it: contracted with an addition it would give different
/// bits on the device and on the host.
HALFSTEP_HD double rounded_product(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dmul_rn(a, b);
#else
  double product = a * b;
  asm("" : "+m"(product));
  return product;
#endif
}

/// A step that ends within this relative distance of its target lands on it: round-off leaves no tiny step.
inline constexpr double kSliver = 1e-10;

/// Whether `time` is at or after `target`, or before it by round-off alone: 0.3 has reached 3 * 0.1.
HALFSTEP_HD bool has_reached(double time, double target) {
  constexpr double round_off = 1e-15;  // relative; 3 half ulps come together
  return target <= time * (1 + round_off);
}

/// Returns the smallest multiple of `every` that `time` has not reached, as rounded_product() rounds it.
HALFSTEP_HD double next_multiple(double time, double every) {
  double k = std::floor(time / every);
  while (has_reached(time, rounded_product(k, every))) k += 1;
  return rounded_product(k, every);
}

/// Returns the time to land on: `target`, or the next of `landings` if that comes before. Where several times
/// differ by round-off alone, it is the last of them, so that no tiny step is between them.
HALFSTEP_HD double earliest(const LandingTimes& landings, double time, double target) {
  double first = target;
  for (int n = 0; n < landings.count; ++n) {
    const double next = next_multiple(time, landings.every[n]);
    first = next < first ? next : first;
  }
  double last = target <= first * (1 + kSliver) ? target : first;
  for (int n = 0; n < landings.count; ++n) {
    const double next = next_multiple(time, landings.every[n]);
    last = next > last && next <= first * (1 + kSliver) ? next : last;
  }
  return last;
}

/// Whether a step from `before` to `after` reached a multiple of `every`, > 0.
inline bool reaches_multiple(double every, double before, double after) {
  return has_reached(after, next_multiple(before, every));
}

/// Plans the next attempt at the current step. `cfl_rate`: the largest rate of U^n, so
/// that dt = cfl / cfl_rate.
HALFSTEP_HD StepPlan plan_step(const StepState& state, const StepLimits& limits, double cfl_rate) {
  StepPlan plan;
  const double asked = limits.fixed_dt > 0 ? limits.fixed_dt : limits.cfl / cfl_rate;
  const double ceiling = asked < limits.end ? asked : limits.end;  // so that halving shortens the step
  double target = limits.end;
  bool output = false;
  if (limits.output_every > 0) {
    const double next = rounded_product(static_cast<double>(state.next_output), limits.output_every);
    if (next <= limits.end * (1 + kSliver)) {
      output = true;
      target = next < limits.end * (1 - kSliver) ? next : limits.end;
    }
  }
  bool other = false;
  if (limits.landings.count > 0) {
    const double earlier = earliest(limits.landings, state.time, target);
    other = earlier < limits.end;
    output = output && target <= earlier;
    target = other ? earlier : limits.end;
  }
  const double first = std::ldexp(ceiling, -state.level);
  const double remaining = target - state.time;
  const bool first_lands = first * (1 + kSliver) >= remaining;
  plan.dt = std::ldexp(first_lands ? remaining : first, -state.halvings);
  const bool lands = first_lands && state.halvings == 0;
  plan.time_after = lands ? target : state.time + plan.dt;
  plan.lands_on_output = lands && output;
  plan.lands_on_end = lands && target >= limits.end;
  plan.lands_on_other = lands && other;
  return plan;
}

/// Whether `dt` is lost in the round-off of `time`, below one unit in its last place, or either is NaN.
HALFSTEP_HD bool vanishes(double time, double dt) { return !(time + 0.5 * dt > time); }

/// Whether the attempt cannot be accepted, whatever its result, because time would not advance.
HALFSTEP_HD bool stands_still(const StepState& state, const StepPlan& plan) {
  return !plan.lands() && vanishes(state.time, plan.dt);
}

/// Returns the index k of the first output time after `time`, for a run that resumes at `time`.
HALFSTEP_HD std::int64_t next_output_after(double time, double output_every) {
  return static_cast<std::int64_t>(std::floor(time / output_every * (1 + 1e-10))) + 1;
}

/// Returns the state with all attempts at the current step forgotten, from which a run restarts the step.
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
    if (state.halvings == 0) state.level = 0;  // shorter steps did not help
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

/// Returns the remedy after that of the failed attempt, or the one that has helped a step before.
HALFSTEP_HD Remedy next_remedy(const StepState& state, const StepLimits& limits, bool from_memory) {
  if (from_memory) {
    const Remedy last = state.last_helped < limits.last_remedy ? state.last_helped : limits.last_remedy;
    return last > limits.first_remedy ? last : limits.first_remedy;
  }
  if (state.remedy == Remedy::none) return limits.first_remedy;
  return state.remedy == Remedy::scaling ? Remedy::first_order : Remedy::floor;
}

/// Chooses the next attempt at the step: the same dt, half of it, or the next remedy. Returns false when
/// nothing is left to try.
///
/// Shorter steps come first, down to ceiling / 2^max_halvings and no further, because dt would collapse in a
/// vacuum that fails at any dt. The first step of a run with dt from the CFL number is halved as long as it
/// overruns, until dt vanishes beside the length of the run: the CFL rate of U^0 does not include the waves
/// that its jumps send out. For `regrow_after` steps after one that took a remedy, the next failure gets the
/// remedy at once. A remedy begins at the dt of the step's first attempt. It is tried only if a failure of
/// the step was one that remedies can cure.
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
  state.remedy = next_remedy(state, limits, from_memory);
  state.halvings = 0;
  return true;
}

/// Whether the finished step violated its own estimate: waves now cross more of a cell than the limit allows.
HALFSTEP_HD bool overruns(const StepLimits& limits, const StepPlan& plan, double cfl_rate) {
  return limits.cfl_limit > 0 && plan.dt * cfl_rate > limits.cfl_limit;
}

HALFSTEP_HD bool run_finished(const StepState& state, const StepLimits& limits) {
  return state.time >= limits.end || (limits.max_steps > 0 && state.step >= limits.max_steps);
}

/// The inputs of the step planner, kept where the state is advanced.
struct StepControl {
  StepLimits limits;
  StepState state;
  double cfl_rate = 0;  ///< CFL rate of U^n
  StepPlan plan;        ///< plan of the current attempt
};

HALFSTEP_HD StepControl step_control(const StepLimits& limits, const StepState& state, double cfl_rate) {
  return {limits, state, cfl_rate, plan_step(state, limits, cfl_rate)};
}

/// Ends the current attempt and returns whether it is accepted; if so, plans the next step. `raised`: the
/// attempt met a soft error; `cfl_rate`: CFL rate of its new state; `inflow_rate`: CFL rate of the inflow at
/// boundaries, which limits the next step too.
HALFSTEP_HD bool finish_attempt(StepControl& control, bool raised, double cfl_rate, double inflow_rate = 0) {
  if (raised || stands_still(control.state, control.plan) || overruns(control.limits, control.plan, cfl_rate))
    return false;
  accept_step(control.state, control.limits, control.plan);
  control.cfl_rate = cfl_rate > inflow_rate ? cfl_rate : inflow_rate;
  control.plan = plan_step(control.state, control.limits, control.cfl_rate);
  return true;
}

/// Whether a run pauses after an accepted step because U^n is needed as it is.
HALFSTEP_HD bool rests_after(const StepPlan& plan, const StepState& after, const StepLimits& limits) {
  return plan.lands() || run_finished(after, limits);
}

}  // namespace halfstep
