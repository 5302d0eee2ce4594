// What the steps of a run cost one of its ranks.
#pragma once

#include <string>

#include "runtime/exchange/traffic.hpp"

namespace halfstep::exchange {

struct RankReport {
  int rank = 0;
  std::string host;    ///< the name of its machine
  std::string device;  ///< "host", or the name of its GPU
  double seconds = 0;  ///< in the solver's steps, waiting included
  Traffic traffic;
};

}  // namespace halfstep::exchange
