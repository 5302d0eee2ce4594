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

/// Time of the state a stage puts out: that at which the next stage, or the next step, takes it up.
inline double output_time(Integrator integrator, int stage, const Attempt& attempt) {
  const bool last = stage == stage_count(integrator);
  return attempt.time + (last ? 1.0 : stage_weights(integrator, stage + 1).time) * attempt.dt;
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
