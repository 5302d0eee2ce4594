// What a stage of an attempt works on: from the problem, the rotation and the attempt to the kernel's
// arguments.
#pragma once

#include "physics/examine.hpp"
#include "physics/rotation.hpp"
#include "physics/solver.hpp"
#include "physics/stage.hpp"

namespace halfstep {

/// Of `stage` (from 1) of a step of length dt. `buffers`: the three states that rotate.
template <class Real>
StageArguments<Real> stage_arguments(const Problem& problem, const Layout& layout, const Rotation& rotation,
                                     Real* const (&buffers)[3], double dt, int stage) {
  const Mesh& mesh = problem.mesh;
  const auto inverse_dx = [&](int axis) { return mesh.swept(axis) ? Real(1 / mesh.spacing(axis)) : Real(0); };
  return {layout,
          buffers[rotation.start],
          buffers[rotation.input(stage)],
          buffers[rotation.output(stage)],
          Real(stage_weights(problem.scheme.integrator, stage).keep),
          Real(dt),
          {inverse_dx(0), inverse_dx(1), inverse_dx(2)},
          {Real(problem.gamma)},
          problem.detection.raise_bad_faces,
          stage == stage_count(problem.scheme.integrator)};
}

/// Time of the state a stage puts out: that at which the next stage, or the next step, takes it up. `time`:
/// t^n.
HALFSTEP_HD double output_time(Integrator integrator, int stage, double time, const StepPlan& plan) {
  if (stage == stage_count(integrator)) return plan.time_after;
  return time + stage_weights(integrator, stage + 1).time * plan.dt;
}

/// The part of what is added to the output of `stage` that is left in the step's result.
inline double weight_in_result(Integrator integrator, int stage) {
  double weight = 1;
  for (int later = stage + 1; later <= stage_count(integrator); ++later)
    weight *= 1 - stage_weights(integrator, later).keep;
  return weight;
}

/// Adds what the floors of a stage added, `densities` per volume, as far as it is left in the step's result.
inline void add_floored(FloorSums& sums, const FloorSums& densities, const Problem& problem, int stage) {
  const Mesh& mesh = problem.mesh;
  const double weight = weight_in_result(problem.scheme.integrator, stage) * mesh.spacing(0) *
                        mesh.spacing(1) * mesh.spacing(2);
  sums.cells += densities.cells;
  sums.mass += weight * densities.mass;
  sums.energy += weight * densities.energy;
}

/// Whether the fault of the problem falls into `stage` of the attempt.
inline bool strikes(const std::optional<Fault>& fault, const Attempt& attempt, int stage) {
  return fault && fault->step == attempt.step && fault->stage == stage && attempt.number == 1;
}

/// The stage to examine: the one that raised, or the last where the step finished and only its dt was too
/// long.
inline int failed_stage(const Verdict& verdict, Integrator integrator) {
  return verdict.raised ? verdict.stage : stage_count(integrator);
}

inline Examination examination_of(const Problem& problem, const Verdict& verdict) {
  return {problem.scheme, problem.detection, !verdict.raised,
          verdict.raised && problem.detection.raise_bad_faces};
}

}  // namespace halfstep
