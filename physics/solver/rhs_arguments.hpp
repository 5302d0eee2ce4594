// The arguments of a stage's right-hand-side terms, from the problem and the stage's own arguments.
#pragma once

#include <algorithm>

#include "physics/rhs/budget_of_stage.hpp"
#include "physics/rhs/rhs_of_cell.hpp"
#include "physics/solver/solver.hpp"
#include "physics/solver/stage_arguments.hpp"

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

/// Returns the stage's arguments with `terms` as what it starts from. They include U^n where the stage keeps
/// a part of it.
template <class Real>
StageArguments<Real> on_top_of(const Real* terms, StageArguments<Real> stage) {
  stage.start = terms;
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

/// Returns the fields of work memory in front of that of the fourth-order flux: those of the motion of a
/// viscous gas, if the stage's budget needs them to the end.
inline int fields_before_corrections(const Problem& problem) {
  return problem.budgets && problem.terms.viscous() ? kMotionFields : 0;
}

/// Returns the number of values that a solver keeps for them: the state that a stage starts from and, behind
/// it, memory that the motion of a viscous gas and the fourth-order flux share, unless there are budgets.
inline std::int64_t rhs_values(const Problem& problem, const Layout& layout, int fields_of_corrections) {
  if (!problem.starts_from_rhs_terms()) return 0;
  const int motion = problem.terms.viscous() ? kMotionFields : 0,
            corrections = problem.has_fourth_order_flux()
                              ? fields_before_corrections(problem) + fields_of_corrections
                              : 0;
  return layout.values() + std::max(motion, corrections) * layout.field_stride;
}

/// Returns the arguments of a stage's budget. `stage`: the stage's arguments without right-hand-side terms;
/// `motion`: memory in which the terms have left the motion.
template <class Real>
BudgetArguments<Real> budget_arguments(const Problem& problem, const BoundaryConditions<Real>& rules,
                                       const StageArguments<Real>& stage, int number, const Attempt& attempt,
                                       const std::uint8_t* mask, const UncorrectedFaces& uncorrected,
                                       Real* motion) {
  const RhsTerms& terms = problem.terms;
  BudgetArguments<Real> a{
      .rhs = rhs_arguments(problem, stage, motion, stage.out),
      .walls = {problem.scheme, rules, mask, StartOfStage(problem, attempt.remedy).is_corrected, uncorrected},
      .remedy = attempt.remedy};
  if (terms.viscous()) a.viscous_order = terms.viscous_order;
  for (int axis = 0; axis < 3; ++axis) a.closes[axis] = terms.has_gravity() && bears_weight(rules, axis);
  a.share = weight_in_result(problem.scheme.integrator, number) * double(stage.beta);
  return a;
}

}  // namespace halfstep
