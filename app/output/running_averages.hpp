// The averages over time of an output: which states the solver takes in, and what becomes of its sums.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/deck/outputs.hpp"
#include "physics/solver/solver.hpp"

namespace halfstep {

/// A state counts for the time since the one before it. The solver takes in several states of successive
/// steps together, which changes no bit, when the first of them is about to be lost, or the sums are wanted.
class RunningAverages {
 public:
  /// `begin`: the time from which states count. `solver` has to outlive this.
  RunningAverages(Solver& solver, const Problem& problem, const OutputRequest& request, double begin);

  /// Returns the names of the results: FIELD_mean of each field, FIELD_rms, and FIELD_OTHER_covariance.
  std::vector<std::string> names() const;
  /// Whether the solver has to take in the noted states after that step.
  bool rests_after(std::int64_t step) const { return step % period_ == 0; }
  /// Notes the state at the end of a step.
  void accepted(const StepState& state);
  /// Has the solver take in the states that are noted. With no attempt under way or between two slices.
  void take_in();
  /// Returns the sum of the weights of the states noted so far.
  double weight() const { return weight_; }

  /// Takes in what is noted and returns all that an object continues from: the weight, the solver's sums, and
  /// the time of the last state.
  std::vector<double> numbers();
  /// Returns the results in the order of names(), from such numbers.
  std::vector<std::vector<double>> results(const std::vector<double>& numbers) const;
  /// Continues from such numbers; does nothing where they are those of others.
  void restore(std::vector<double> numbers);

 private:
  struct Noted {
    std::int64_t step;
    double share, rest;  // as in WeightedStates
  };

  std::vector<std::string> fields_;
  AveragesRequest request_;
  std::size_t cells_;
  std::unique_ptr<TimeAverages> averages_;
  std::int64_t sample_steps_;
  std::int64_t period_ = 1;  // steps between which states are taken in together
  std::int64_t step_ = 0;    // the last one
  double weight_ = 0;
  double time_;  // of the last state that counts
  std::vector<Noted> noted_;
};

}  // namespace halfstep
