// The explicit terms of a stage: from the problem and the stage's own arguments to theirs.
#pragma once

#include <algorithm>

#include "physics/solver.hpp"
#include "physics/terms_of_cell.hpp"

namespace halfstep {

/// Of a stage that `stage` describes as if there were no such terms. `motion`, `out`: memory for them.
template <class Real>
TermsArguments<Real> terms_arguments(const Problem& problem, const StageArguments<Real>& stage, Real* motion,
                                     Real* out) {
  const ExplicitTerms& terms = problem.terms;
  TermsArguments<Real> a{.stage = stage, .motion = motion, .transport = terms.transport.as<Real>()};
  a.stage.out = out;
  for (int axis = 0; axis < 3; ++axis) {
    a.gravity[axis] = Real(terms.gravity[axis]);
    for (int side = 0; side < 2; ++side) {
      a.boundary[axis][side] = problem.boundary[axis][side];
      a.wall_velocity[side][axis] = Real(terms.walls.velocity[side][axis]);
      a.wall_temperature[side] = Real(terms.walls.temperature[side]);
    }
  }
  return a;
}

/// The stage that starts from its explicit terms.
template <class Real>
StageArguments<Real> on_top_of(const Real* terms, StageArguments<Real> stage) {
  stage.start = terms;
  stage.keep = Real(1);
  return stage;
}

/// What makes the state that a stage starts from: a pass for the terms, if only to copy U^n, and one for the
/// averages. Under a remedy those are not corrected: a face of first order keeps its cells positive by its
/// own flux alone.
struct StartOfStage {
  bool has_terms, is_corrected;

  StartOfStage(const Problem& problem, Remedy remedy)
      : has_terms(problem.terms.active() || remedy != Remedy::none),
        is_corrected(problem.corrects_averages() && remedy == Remedy::none) {}
};

/// How many values a solver keeps for them: what a stage starts from and, where they are needed, fields for
/// the motion of a viscous gas, then for what averages are corrected by.
inline std::int64_t terms_values(const Problem& problem, const Layout& layout, int fields_of_corrections) {
  if (!problem.starts_from_terms()) return 0;
  const int motion = problem.terms.viscous() ? kMotionFields : 0,
            corrections = problem.corrects_averages() ? fields_of_corrections : 0;
  return layout.values() + std::max(motion, corrections) * layout.field_stride;
}

}  // namespace halfstep
