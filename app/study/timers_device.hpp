// The device measurements of the study `timers`. Everything here throws std::runtime_error without a device.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "runtime/device/device_function.hpp"

namespace halfstep {

/// The timers, in the order of all their figures.
enum Timer { kGettimeofday, kCudaEvent, kClock, kChrono };
inline constexpr int kTimers = 4;
std::string name_of(Timer timer);

/// Parts of vectorAdd, from allocation to free.
enum Part { kFirstCall, kHostMemory, kDeviceMemory, kUp, kKernel, kDown, kFree };
inline constexpr int kParts = 7;

inline constexpr int kVectorElements = 5'000'000;

/// Seconds of one vectorAdd of three vectors of floats, from allocation to free.
struct VectorAddRun {
  std::array<double, kTimers> total;  ///< the whole, by timer
  std::array<double, kParts> part;    ///< by part, with chrono
};

/// Runs vectorAdd once; the first run of a process includes the cold start.
inline constinit DeviceFunction<VectorAddRun()> vector_add_run;

/// Seconds of the kernel alone, by timer.
struct KernelReadings {
  std::array<std::vector<double>, kTimers> waited;    ///< until a wait for it returns
  std::array<std::vector<double>, kTimers> launched;  ///< until its launch returns; not for events:
  int not_ready = 0;                                  ///< events that were not ready then
};
inline constinit DeviceFunction<KernelReadings(int repeats)> kernel_readings;

/// Elapsed seconds, and those counted by clock().
struct ProcessorUse {
  std::string during;
  double wall, processor;
};
/// Measures waits for a kernel of `seconds`, for each way of waiting.
inline constinit DeviceFunction<std::vector<ProcessorUse>(double seconds)> waits_for_kernel;

/// Seconds that the host takes to record an event, and between two consecutive events.
struct EventFigures {
  double cost, step;
};
inline constinit DeviceFunction<EventFigures()> event_figures;

}  // namespace halfstep
