#include "app/study/studies.hpp"

#include "app/study/async_error.hpp"
#include "app/study/bit_flips.hpp"
#include "app/study/detection.hpp"
#include "app/study/interruptible.hpp"

namespace halfstep {

const std::vector<Study>& studies() {
  static const std::vector<Study> all = {
      {"async-error",
       "two kernels report errors of two types and the host polls, with the reason for each answer",
       async_error},
      {"bit-flips",
       "every bit of a cell's state flipped in turn: which kind notices it, and what the others leave",
       bit_flips},
      {"detection", "the stage kernels with their reports against the same kernels that report nothing",
       detection},
      {"interruptible", "what a safe point costs kernels by the thread and by the tile", interruptible_cost},
  };
  return all;
}

}  // namespace halfstep
