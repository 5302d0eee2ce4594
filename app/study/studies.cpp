#include "app/base/studies.hpp"

#include "app/study/async_error.hpp"
#include "app/study/atomics.hpp"
#include "app/study/bit_flips.hpp"
#include "app/study/detection.hpp"
#include "app/study/interruptible.hpp"
#include "app/study/kernel.hpp"
#include "app/study/registers.hpp"
#include "app/study/streams.hpp"
#include "app/study/timers.hpp"
#include "app/study/transfers.hpp"
#include "app/study/tune.hpp"

namespace halfstep {

const std::vector<Study>& studies() {
  static const std::vector<Study> all = {
      {"async-error",
       "two kernels report errors of two types and the host polls, with the reason for each answer", "a GPU",
       "under 1 min", [](auto&) { return async_error(); }},
      {"atomics",
       "a histogram and a dot product by atomics of every kind, against the CPU and against no atomics",
       "a GPU for all but the CPU's part", "under 1 min", atomics},
      {"bit-flips",
       "every bit of a cell's state flipped in turn: which kind notices it, and what the others leave",
       "nothing", "under 1 min", [](auto&) { return bit_flips(); }},
      {"detection", "the stage kernels with their reports against the same kernels that report nothing",
       "nvcc, a GPU for times", "under 1 min", detection},
      {"interruptible", "what safe points cost a flux sweep by the thread and by the tile, and the solver",
       "a GPU for all but the host's steps", "under 1 min", interruptible_cost},
      {"kernel",
       "a kernel of your own with every way of reporting an error: registers, occupancy, time, and advice",
       "nvcc, a GPU for times",
       "under 1 min",
       [](auto& request) { return user_kernel_study(request); },
       {"KERNEL", "--arch", "--block", "--caps"}},
      {"registers",
       "the stage kernels with every way of reporting an error: registers, occupancy, time, and where the "
       "cliffs are",
       "nvcc, a GPU for times",
       "5 min",
       registers,
       {"--arch", "--block", "--caps", "--scheme", "--method", "--precision"}},
      {"streams", "copies and kernels in one stream and in two, issued depth-first and breadth-first",
       "a GPU", "under 1 min", streams},
      {"timers", "gettimeofday, events, clock and chrono around the same work, cold and warm",
       "a GPU for all but the host's clocks", "under 1 min", timers},
      {"transfers", "pageable, pinned, write-combined and mapped memory, up and down, from 4 KiB to 1 GiB",
       "a GPU for all but the host's copies", "under 1 min", transfers},
      {"tune",
       "the fastest block, register cap and switches of each stage kernel on this device, for the build",
       "a GPU, nvcc", "6 min", tune},
  };
  return all;
}

}  // namespace halfstep
