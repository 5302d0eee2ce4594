// The order of a step's phases, and the buffers that each reads and writes.
#pragma once

#include <algorithm>

#include "physics/flux/scheme.hpp"
#include "physics/stage/integrator.hpp"
#include "runtime/device/host_device.hpp"
#include "runtime/stepping/controller.hpp"

namespace halfstep {

/// The phases of a step: its stages; with a source, half of the source, the stages, and the other half
/// (Strang 1968). Phases count from 1.
struct Phases {
  Integrator integrator = Integrator::ssprk3;
  bool has_source = false;

  HALFSTEP_HD int count() const { return stage_count(integrator) + (has_source ? 2 : 0); }
  HALFSTEP_HD bool is_source(int phase) const { return has_source && (phase == 1 || phase == count()); }
  /// Returns the stage that a phase is; for a half of the source, the adjacent stage.
  HALFSTEP_HD int stage(int phase) const {
    const int stage = has_source ? phase - 1 : phase, last = stage_count(integrator);
    return stage < 1 ? 1 : stage > last ? last : stage;
  }
  /// Returns the phase of a stage.
  int phase_of(int stage) const { return has_source ? stage + 1 : stage; }
};

/// Returns the time of a phase's output, at which the next phase or step uses it. `time`: t^n.
HALFSTEP_HD double output_time(const Phases& phases, int phase, double time, const StepPlan& plan) {
  const int next = phases.has_source ? phase : phase + 1;  // the following stage
  if (next > stage_count(phases.integrator)) return plan.time_after;
  return time + stage_weights(phases.integrator, next).time * plan.dt;
}

/// The rotation of the state buffers. No phase writes U^n, its own input or the state that the stages start
/// from, so that a rejected attempt leaves them intact and accepting is a change of index.
struct Rotation {
  Phases phases;
  int start = 0;  ///< the buffer of U^n

  int buffers() const { return phases.has_source ? 4 : 3; }
  int output(int phase) const { return turned(place(phase)); }
  int input(int phase) const { return phase == 1 ? start : output(phase - 1); }
  /// Returns the buffer that the stages start from: U^n, or the result of the first half of the source.
  int stages_start() const { return phases.has_source ? output(1) : start; }
  void accept() { start = output(phases.count()); }

 private:
  int turned(int place) const { return (start + place) % buffers(); }
  /// Returns a phase's output relative to U^n. Without a source the stages alternate between the two buffers
  /// after U^n. With one they alternate between the two after the first half's result, and the second half
  /// writes the one that the last stage has not written.
  int place(int phase) const {
    if (!phases.has_source) return phase == 2 ? 2 : 1;
    if (phase == 1) return 1;
    return phase % 2 == 0 ? 2 : 3;
  }
};

}  // namespace halfstep
