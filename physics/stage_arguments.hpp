// What a stage of an attempt works on: from the problem, the rotation and the attempt to the kernel's
// arguments.
#pragma once

#include "physics/examine.hpp"
#include "physics/phases.hpp"
#include "physics/solver.hpp"
#include "physics/stage.hpp"

namespace halfstep {

/// Of a phase of a step of length dt. `buffers`: the states that rotate. What a source shares with stages is
/// filled in for its phases as well.
template <class Real>
StageArguments<Real> stage_arguments(const Problem& problem, const Layout& layout, const Rotation& rotation,
                                     Real* const* buffers, double dt, int phase) {
  const Mesh& mesh = problem.mesh;
  const Phases& phases = rotation.phases;
  // keep from its complement, so that the two add up to one to the last bit. 1/3 and its complement, rounded,
  // add up to 1 + 2^-54: mass and energy would grow by that in every step.
  const Real weight = Real(1 - stage_weights(problem.scheme.integrator, phases.stage(phase)).keep);
  const auto inverse_dx = [&](int axis) { return mesh.swept(axis) ? Real(1 / mesh.spacing(axis)) : Real(0); };
  return {layout,
          buffers[rotation.stages_start()],
          buffers[rotation.input(phase)],
          buffers[rotation.output(phase)],
          Real(1) - weight,
          weight,
          Real(dt),
          {inverse_dx(0), inverse_dx(1), inverse_dx(2)},
          {Real(problem.gamma)},
          problem.detection.raise_bad_faces,
          phase == phases.count() && !problem.terms.viscous(),
          {},
          problem.scheme.positivity == Positivity::hu_adams_shu};
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
  for (int axis = 0; axis < 3; ++axis) sums.momentum[axis] += weight * densities.momentum[axis];
}

/// Whether the fault of the problem falls into a phase of the attempt.
inline bool strikes(const std::optional<Fault>& fault, const Attempt& attempt, const Phases& phases,
                    int phase) {
  return fault && fault->step == attempt.step && phases.phase_of(fault->stage) == phase &&
         attempt.number == 1;
}

/// The phase to examine: the one that raised, or the last where the step finished and only its dt was too
/// long.
inline int failed_phase(const Verdict& verdict, const Phases& phases) {
  return verdict.raised ? verdict.phase : phases.count();
}

inline Examination examination_of(const Problem& problem, const Verdict& verdict, const Phases& phases) {
  const bool of_source = phases.is_source(failed_phase(verdict, phases));
  return {problem.scheme,  problem.detection,
          !verdict.raised, verdict.raised && problem.detection.raise_bad_faces && !of_source,
          of_source,       problem.source,
          problem.terms};
}

}  // namespace halfstep
