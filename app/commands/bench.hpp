// `halfstep bench`: how fast the steps of a deck, or of a built-in set of rows, are on this machine.
#pragma once

#include <string>
#include <vector>

#include "app/bench/measurement.hpp"

namespace halfstep {

struct BenchOptions {
  std::string deck;  ///< empty: the built-in set
  std::vector<std::string> overrides;
  BenchSettings settings;
  std::string json;     ///< where the figures go as JSON; empty = nowhere
  std::string compare;  ///< JSON of an earlier benchmark to compare with; empty = none
};

/// Returns the exit code. Throws DeckError, UsageError, or std::exception for an I/O or device error.
int bench(const BenchOptions& options);

}  // namespace halfstep
