// `halfstep bench`: how fast the steps of a deck are.
#pragma once

#include <string>
#include <vector>

namespace halfstep {

struct BenchOptions {
  std::string deck;
  std::vector<std::string> overrides;
  std::string backend = "auto";  ///< auto, cuda or host
  int threads = 0;               ///< of the host backend; 0 = as many as are useful
  int steps = 20;                ///< timed together, once a repeat
  int repeats = 5;
  std::string json;  ///< where the figures go as JSON; empty = nowhere
};

/// Returns the exit code. Throws DeckError, or std::exception for an I/O or device error.
int bench(const BenchOptions& options);

}  // namespace halfstep
