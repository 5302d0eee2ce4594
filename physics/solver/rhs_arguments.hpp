// The arguments of a stage's right-hand-side terms, from the problem and the stage's own arguments.
#pragma once

#include <algorithm>

#include "physics/rhs/rhs_of_cell.hpp"
#include "physics/solver/solver.hpp"

namespace halfstep {

/// Returns the arguments of the right-hand-side terms. `stage`: the stage's arguments without such terms.
/// `motion`: memory for kMotionFields fields; `out`: memory for the state that the stage starts from.
template <class Real>
RhsArguments<Real> rhs_arguments(const Problem& problem, const StageArguments<Real>& stage, Real* motion,
                                 Real* out) {
  const RhsTerms& terms = problem.terms;
  RhsArguments<Real> a{.stage = stage, .motion = motion, .transport = terms.transport.as<Real>()};
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

/// Returns the stage's arguments with `terms` in the place of alpha * U^n.
template <class Real>
StageArguments<Real> on_top_of(const Real* terms, StageArguments<Real> stage) {
  stage.start = terms;
  stage.alpha = Real(1);
  return stage;
}

/// The passes that make the state that a stage starts from: one for the terms, if only to copy U^n, and one
/// for the fourth-order flux. Under a remedy the latter is left out: a first-order face keeps its cells
/// positive by its own flux alone.
struct StartOfStage {
  bool has_terms, is_corrected;

  StartOfStage(const Problem& problem, Remedy remedy)
      : has_terms(problem.terms.active() || remedy != Remedy::none),
        is_corrected(problem.has_fourth_order_flux() && remedy == Remedy::none) {}
};

/// Returns the number of values that a solver keeps for them: the state that a stage starts from and, behind
/// it, memory that the motion of a viscous gas and the fourth-order flux share.
inline std::int64_t rhs_values(const Problem& problem, const Layout& layout, int fields_of_corrections) {
  if (!problem.starts_from_rhs_terms()) return 0;
  const int motion = problem.terms.viscous() ? kMotionFields : 0,
            corrections = problem.has_fourth_order_flux() ? fields_of_corrections : 0;
  return layout.values() + std::max(motion, corrections) * layout.field_stride;
}

}  // namespace halfstep
