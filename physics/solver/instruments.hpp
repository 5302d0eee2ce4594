// The interface for benches and studies: timers, the stage kernel's resources, and other kernels in place of
// those that find fluxes.
#pragma once

#include <string>
#include <vector>

#include "runtime/device/part_times.hpp"

namespace halfstep {

/// The kernel by which a CUDA solver finds fluxes: the program's own, or one of the same scheme and precision
/// that was compiled separately. In cells it is that of the stages, a StageKernel, whose body is
/// advance_tile(); in hexahedra that of the faces of two elements, with a FacePass.
struct FluxKernel {
  const void* kernel = nullptr;  ///< nullptr: the program's own
  int threads = 0;               ///< per block; 0: as many as the kernel's launch bounds allow
};

/// Resources of a stage kernel; zeros on the host.
struct KernelInfo {
  std::string name;
  int registers = 0;
  int local_bytes = 0;   ///< spills and stack, per thread
  int shared_bytes = 0;  ///< per block
  int block_threads = 0;
  double occupancy = 0;  ///< theoretical, 0 to 1
};

/// The name of the stage kernel in part_times().
inline constexpr const char* kStagePart = "stage";

class Instruments {
 public:
  virtual ~Instruments() = default;

  /// Starts the timer (an event on a device).
  virtual void start_timer() = 0;
  /// Returns the seconds from start_timer() to the end of everything queued so far.
  virtual double stop_timer() = 0;
  /// Starts to time every part of a step, on a device every kernel, by itself, which slows the steps down.
  virtual void start_part_times() = 0;
  /// Stops that and returns the parts' times, in the order in which the parts first ran.
  virtual std::vector<PartTime> part_times() = 0;

  /// Replaces the flux kernel from the next attempt on. Throws std::runtime_error where a block of it does
  /// not fit a multiprocessor, in elements of a box, and on the host.
  virtual void use_flux_kernel(const FluxKernel& variant) = 0;
  /// Runs one step's flux kernels alone, one after the other, drops their results and returns the seconds.
  virtual double flux_seconds() = 0;
  virtual KernelInfo kernel_info() const = 0;
};

}  // namespace halfstep
