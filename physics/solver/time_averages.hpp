// Averages over time that a solver keeps where its states are.
#pragma once

#include <vector>

#include "physics/diagnostics/running_averages.hpp"

namespace halfstep {

/// Nothing but the sums ever leaves a device, and these only when they are asked for.
class TimeAverages {
 public:
  virtual ~TimeAverages() = default;

  /// Returns how many states of successive steps, U^n included, are there between two steps. Within a step
  /// there is one less.
  virtual int states() const = 0;
  /// Takes in states of successive steps, with no attempt under way or between two slices.
  virtual void take_in(const WeightedStates& states) = 0;
  /// Returns the AveragesRequest::sums() of all cells, one sum after the other, x fastest.
  virtual std::vector<double> sums() = 0;
  /// Continues from such sums; they are 0 at first.
  virtual void set_sums(const std::vector<double>& sums) = 0;
};

}  // namespace halfstep
