// The order of a step's substeps, and the buffers that each reads and writes.
#pragma once

#include "physics/base/rounding.hpp"
#include "physics/flux/scheme.hpp"
#include "physics/stage/integrator.hpp"
#include "runtime/device/host_device.hpp"
#include "runtime/stepping/controller.hpp"

namespace halfstep {

/// The substeps of a step: its stages; with a source, half of the source, the stages, and the other half
/// (Strang 1968). Substeps count from 1.
struct Substeps {
  Integrator integrator = Integrator::ssprk3;
  bool has_source = false;

  HALFSTEP_HD constexpr int count() const { return stage_count(integrator) + (has_source ? 2 : 0); }
  HALFSTEP_HD bool is_source(int substep) const { return has_source && (substep == 1 || substep == count()); }
  /// Returns the stage that a substep is; for a half of the source, the adjacent stage.
  HALFSTEP_HD int stage(int substep) const {
    const int stage = has_source ? substep - 1 : substep, last = stage_count(integrator);
    return stage < 1 ? 1 : stage > last ? last : stage;
  }
  /// Returns the substep of a stage.
  int substep_of(int stage) const { return has_source ? stage + 1 : stage; }
};

static_assert(Substeps{Integrator::ssprk4, true}.count() <= kMostSubsteps, "each has dithers of its own");

/// Returns the time of a substep's output, at which the next substep or step uses it. `time`: t^n.
HALFSTEP_HD double output_time(const Substeps& substeps, int substep, double time, const StepPlan& plan) {
  const int next = substeps.has_source ? substep : substep + 1;  // the following stage
  if (next > stage_count(substeps.integrator)) return plan.time_after;
  return time + stage_weights(substeps.integrator, next).time * plan.dt;
}

/// Returns how far a stage goes in a step of length `dt`.
HALFSTEP_HD double stage_dt(const Substeps& substeps, double dt) {
  return dt / stages_in_step(substeps.integrator);
}

/// The buffers of the states at a step's time levels. No substep writes U^n, its own input or the state that
/// the stages start from, but for cells in bodies: a rejected attempt leaves them intact, accepting is a
/// change of index.
///
/// The states of successive steps take turns in the first buffers: between two steps the last `states` of
/// them are there. Behind these are one for stages, one for the first half of a source, and one for what the
/// last stage starts from, where that is another state.
struct TimeLevels {
  Substeps substeps;
  int start = 0;   ///< the buffer of U^n
  int states = 2;  ///< of successive steps, U^n included

  int buffers() const {
    return states + (substeps.has_source ? 2 : 1) + (has_middle(substeps.integrator) ? 1 : 0);
  }
  /// Returns the buffer of a substep's output: stages alternate, so that the last substep writes U^(n+1).
  int output(int substep) const {
    if (substep == 1 && substeps.has_source) return states + 1;
    return (substeps.count() - substep) % 2 == 0 ? (start + 1) % states : states;
  }
  int input(int substep) const { return substep == 1 ? start : output(substep - 1); }
  /// Returns the buffer that the stages start from: U^n, or the result of the first half of the source.
  int stages_start() const { return substeps.has_source ? output(1) : start; }
  /// Returns the buffer of what the last stage of an integrator with a middle stage starts from. It is there
  /// from that stage's end on.
  int last_start() const { return buffers() - 1; }
  /// Whether that is the start of a substep, or of one after it.
  bool has_last_start(int substep) const {
    return has_middle(substeps.integrator) && substep > substeps.substep_of(kMiddleStage) &&
           substep <= substeps.substep_of(stage_count(substeps.integrator));
  }
  /// Returns the buffer that a substep, a stage, starts from.
  int start_of(int substep) const {
    const bool is_last =
        has_last_start(substep) && substeps.stage(substep) == stage_count(substeps.integrator);
    return is_last ? last_start() : stages_start();
  }
  /// Returns the buffer of the state `steps` steps before U^n, 0 <= steps < states.
  int past(int steps) const { return (start + states - steps) % states; }
  void accept() { start = output(substeps.count()); }
};

}  // namespace halfstep
