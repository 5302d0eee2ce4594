// The explicit terms of a stage: from the problem and the stage's own arguments to theirs.
#pragma once

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

/// How many values a solver keeps for them: what a stage starts from and, of a viscous gas, its motion.
inline std::int64_t terms_values(const ExplicitTerms& terms, const Layout& layout) {
  if (!terms.active()) return 0;
  return layout.values() + (terms.viscous() ? kMotionFields * layout.field_stride : 0);
}

}  // namespace halfstep
