// What the study `timers` measures with a device. Everything here throws std::runtime_error without one.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace halfstep {

/// The timers compared, in the order of all their figures; and the name of each.
enum Timer { kGettimeofday, kCudaEvent, kClock, kChrono };
inline constexpr int kTimers = 4;
std::string name_of(Timer timer);

/// What vectorAdd from allocation to free is made of.
enum Part { kFirstCall, kHostMemory, kDeviceMemory, kUp, kKernel, kDown, kFree };
inline constexpr int kParts = 7;

inline constexpr int kVectorElements = 5'000'000;

/// Seconds of one vectorAdd of three vectors of floats, from allocation to free.
struct VectorAddRun {
  std::array<double, kTimers> total;  ///< all of it, by each timer
  std::array<double, kParts> part;    ///< by chrono
};

/// The first in a process has the cold start.
VectorAddRun vector_add_run();

/// Seconds of the kernel alone, by each timer.
struct KernelReadings {
  std::array<std::vector<double>, kTimers> waited;    ///< to the end of a wait for it
  std::array<std::vector<double>, kTimers> launched;  ///< to the end of its launch; events have no such time:
  int not_ready = 0;                                  ///< so many of them had nothing to say yet
};
KernelReadings kernel_readings(int repeats);

/// Seconds that passed, and those that clock() counted.
struct ProcessorUse {
  std::string during;
  double wall, processor;
};
/// While the host waits for a kernel of so many seconds, in each way that it can.
std::vector<ProcessorUse> waits_for_kernel(double seconds);

/// Of events: seconds the host takes to record one, and between two that follow each other at once.
struct EventFigures {
  double cost, step;
};
EventFigures event_figures();

}  // namespace halfstep
