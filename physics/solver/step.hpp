// A phase of a step, read aloud: for both backends, at once or in slices. A backend supplies the verbs. Each
// verb queues its work; a host's queue is immediate.
#pragma once

#include "physics/solver/stage_arguments.hpp"
#include "runtime/soft_error/reporter.hpp"

namespace halfstep {

/// The phase of an attempt that is being queued, as the verbs see it: a stage, or half of the source.
template <class Real>
struct Phase {
  Attempt attempt;
  Phases phases;  ///< of the step
  int number;     ///< from 1
  bool is_new;    ///< this solver has run no slice of it yet
  StageArguments<Real> arguments;
  soft_error::Reporter<> reporter;

  bool is_source() const { return phases.is_source(number); }
  bool is_last() const { return number == phases.count(); }
  bool has_remedy() const { return attempt.remedy != Remedy::none; }
};

/// Queues a phase, or in slices one slice of its sweep. Returns whether the phase is done.
template <class Backend, class Real>
bool queue_phase(Backend& backend, const Problem& problem, const Phase<Real>& phase) {
  if (phase.is_source()) {
    if (!backend.integrate_source(phase)) return false;
  } else {
    if (phase.is_new) backend.add_rhs_terms(phase);
    if (!backend.sweep(phase)) return false;
    if (has_fault(problem.fault, phase.attempt, phase.phases, phase.number)) backend.inject_fault(phase);
    if (phase.has_remedy()) backend.correct_to_first_order(phase);
  }
  backend.fill_ghosts(phase);
  if (problem.terms.viscous() && phase.is_last()) backend.find_cfl_rate(phase);
  if (problem.detection.looks_for_spikes()) backend.check_spikes(phase);
  return true;
}

}  // namespace halfstep
