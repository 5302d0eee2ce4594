// What a substep does, in order: for both backends, at once or in slices. A backend supplies the verbs. Each
// verb queues its work; a host's queue is immediate.
#pragma once

#include "physics/solver/stage_arguments.hpp"
#include "runtime/soft_error/reporter.hpp"

namespace halfstep {

/// The substep of an attempt that is being queued, as the verbs see it: a stage, or half of the source.
template <class Real>
struct Substep {
  Attempt attempt;
  Substeps substeps;  ///< of the step
  int number;         ///< from 1
  bool is_new;        ///< this solver has run no slice of it yet
  bool is_followed;   ///< by another substep, queued next
  StageArguments<Real> arguments;
  soft_error::Reporter<> reporter;

  bool is_source() const { return substeps.is_source(number); }
  bool is_last() const { return number == substeps.count(); }
  /// Whether the state that the last stage starts from is made of its output.
  bool is_middle() const {
    return has_middle(substeps.integrator) && number == substeps.substep_of(kMiddleStage);
  }
  /// Returns the dither of a sum of this substep, the same in all attempts.
  Real dither(RoundedSum sum) const { return dither_of<Real>(attempt.step, number, sum); }
  bool has_remedy() const { return attempt.remedy != Remedy::none; }
};

/// Queues a substep, or in slices one slice of its sweep. Returns whether the substep is done.
template <class Backend, class Real>
bool queue_substep(Backend& backend, const Problem& problem, const Substep<Real>& substep) {
  if (substep.is_source()) {
    if (!backend.all_done(backend.integrate_source(substep))) return false;
  } else {
    if (substep.is_new) backend.add_rhs_terms(substep);
    if (!backend.all_done(backend.sweep(substep))) return false;
    if (has_fault(problem.fault, substep.attempt, substep.substeps, substep.number))
      backend.inject_fault(substep);
    if (substep.has_remedy()) backend.correct_to_first_order(substep);
  }
  if (problem.budgets) backend.add_up_budget(substep);
  if (problem.has_sponges() && substep.is_last()) backend.relax_sponges(substep);
  if (problem.has_solids()) backend.fill_solids(substep);
  backend.fill_ghosts(substep);
  if (problem.finds_rate_after_stages() && substep.is_last()) backend.find_cfl_rate(substep);
  if (problem.detection.spikes.are_set()) backend.check_spikes(substep);
  if (substep.is_middle()) backend.make_last_start(substep);
  return true;
}

}  // namespace halfstep
