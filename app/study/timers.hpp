// The study `timers`: four timers around the same work, cold and warm, waited for and not.
#pragma once

#include <string>
#include <vector>

#include "app/study/report.hpp"
#include "app/study/timers_device.hpp"

namespace halfstep {

/// Without a CUDA device: what the clocks of the host count, and how finely. The cold runs are processes
/// forked from this one, which must not have used CUDA; if it has, they are not measured.
StudyReport timers();

struct TimerCost {
  std::string timer, counts;
  double cost, step;  ///< seconds a call takes; the smallest difference of two readings
};

struct TimerFigures {
  std::vector<TimerCost> costs;
  std::vector<ProcessorUse> uses;        ///< a sleep is the first
  std::vector<VectorAddRun> cold, warm;  ///< empty: not measured, for these reasons
  std::string no_cold, no_warm;
  KernelReadings kernel;  ///< with `warm`
};

/// What the figures say.
StudyReport timers_report(const TimerFigures& figures);

}  // namespace halfstep
