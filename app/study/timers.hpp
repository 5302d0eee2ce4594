// The study `timers`: four timers around the same work, cold and warm, with and without waiting.
#pragma once

#include <string>
#include <vector>

#include "app/base/report.hpp"
#include "app/base/studies.hpp"
#include "app/study/timers_device.hpp"

namespace halfstep {

/// Runs the study. Without a CUDA device: only the host clocks and their resolution. Cold runs are forked
/// processes; they are left out if this process has already used CUDA.
StudyReport timers(const StudyRequest& request);

struct TimerCost {
  std::string timer, counts;
  double cost, step;  ///< seconds per call; smallest difference of two readings
};

struct TimerFigures {
  std::vector<TimerCost> costs;
  std::vector<ProcessorUse> uses;        ///< the first is a sleep
  std::vector<VectorAddRun> cold, warm;  ///< empty: not measured, for the reasons below
  std::string no_cold, no_warm;
  KernelReadings kernel;  ///< present with `warm`
};

StudyReport timers_report(const TimerFigures& figures);

}  // namespace halfstep
