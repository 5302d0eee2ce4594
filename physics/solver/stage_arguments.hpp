// The arguments of a stage's kernel, from the problem, the buffers' levels and the attempt.
#pragma once

#include "physics/recovery/diagnose.hpp"
#include "physics/recovery/floors.hpp"
#include "physics/solver/solver.hpp"
#include "physics/stage/integrator.hpp"
#include "physics/stage/stage.hpp"
#include "physics/stage/substeps.hpp"

namespace halfstep {

/// Returns the arguments of a substep of a step (from 1) of length dt, without right-hand-side terms.
/// `buffers`: those of TimeLevels; `axes`: in memory that the stage reads. For a substep that is half of a
/// source, the members it shares with stages are valid.
template <class Real>
StageArguments<Real> stage_arguments(const Problem& problem, const Layout& layout, const TimeLevels& levels,
                                     Real* const* buffers, double dt, std::int64_t step, int substep,
                                     const AxisTableViews<Real>& axes = {}) {
  const Mesh& mesh = problem.mesh;
  const Substeps& substeps = levels.substeps;
  const double alpha = stage_weights(problem.scheme.integrator, substeps.stage(substep)).alpha;
  const bool keeps = alpha > 0;
  const auto inverse_dx = [&](int axis) {
    return mesh.active(axis) ? Real(1 / mesh.spacing(axis)) : Real(0);
  };
  // The last face of a periodic axis is counted although the first one is the same, as with one rank.
  const auto shares_last = [&](int axis) {
    return problem.boundary[axis][1] == Boundary::exchanged &&
           mesh.first[axis] + mesh.cells[axis] < mesh.extent(axis);
  };
  return {layout,
          keeps ? buffers[levels.start_of(substep)] : nullptr,
          buffers[levels.input(substep)],
          buffers[levels.output(substep)],
          Real(1 - alpha),
          Real(stage_dt(substeps, dt)),
          {inverse_dx(0), inverse_dx(1), inverse_dx(2)},
          {Real(problem.gamma)},
          problem.detection.raise_bad_faces,
          substep == substeps.count() && !problem.finds_rate_after_stages(),
          problem.scheme.positivity == Positivity::hu_adams_shu,
          {shares_last(0), shares_last(1), shares_last(2)},
          axes,
          Real(problem.gases().second),
          dither_of<Real>(step, substep, RoundedSum::update)};
}

/// Returns the fraction of an addition to the output of `stage` that remains in the step's result.
inline double weight_in_result(Integrator integrator, int stage) {
  const int last = stage_count(integrator);
  double weight = 1, in_middle = 1;
  for (int later = stage + 1; later <= last; ++later) {
    weight *= 1 - stage_weights(integrator, later).alpha;
    if (later <= kMiddleStage) in_middle = weight;
  }
  if (has_middle(integrator) && stage <= kMiddleStage)
    weight += stage_weights(integrator, last).alpha * kMiddleInLastStart * in_middle;
  return weight;
}

/// Adds the contribution of a stage's floors, weighted by weight_in_result(). `densities`: per volume of a
/// cell of mean widths.
inline void add_floored(FloorSums& sums, const FloorSums& densities, const Problem& problem, int stage) {
  const double weight = weight_in_result(problem.scheme.integrator, stage) * problem.mesh.mean_volume();
  sums.cells += densities.cells;
  sums.mass += weight * densities.mass;
  sums.energy += weight * densities.energy;
  for (int axis = 0; axis < 3; ++axis) sums.momentum[axis] += weight * densities.momentum[axis];
}

/// Whether the fault is to be injected into this substep of the attempt.
inline bool has_fault(const std::optional<Fault>& fault, const Attempt& attempt, const Substeps& substeps,
                      int substep) {
  return fault && fault->step == attempt.step && substeps.substep_of(fault->stage) == substep &&
         attempt.number == 1;
}

/// Returns the substep to diagnose: the one that raised, or the last if the step finished and only its dt was
/// too long.
inline int failed_substep(const AttemptResult& verdict, const Substeps& substeps) {
  return verdict.raised ? verdict.substep : substeps.count();
}

/// `sponge`: the cells that the last substep relaxes; `solids`: those in bodies.
inline DiagnosisSetup diagnosis_setup(const Problem& problem, const AttemptResult& verdict,
                                      const Substeps& substeps, const RelaxedCells& sponge,
                                      const SolidMask& solids) {
  const int failed = failed_substep(verdict, substeps);
  const bool of_source = substeps.is_source(failed);
  DiagnosisSetup setup{problem.scheme,
                       problem.detection,
                       !verdict.raised,
                       verdict.raised && problem.detection.raise_bad_faces && !of_source,
                       of_source,
                       problem.source,
                       problem.terms,
                       {},
                       failed == substeps.count() ? sponge : RelaxedCells{},
                       {},
                       solids,
                       verdict.plan.dt};
  if (problem.mesh.rows) {
    setup.cells.rows = problem.mesh.rows->own.data();
    setup.cells.row_count = problem.mesh.cells[1];
  }
  for (int axis = 0; axis < 3; ++axis) {
    setup.cells.first[axis] = problem.mesh.first[axis];
    setup.cells.whole[axis] = problem.mesh.extent(axis);
    for (int side = 0; side < 2; ++side)
      setup.has_formulas[axis][side] =
          problem.mesh.active(axis) && is_made_by_formulas(problem.boundary[axis][side]);
  }
  return setup;
}

}  // namespace halfstep
