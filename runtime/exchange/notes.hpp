// Values by which ranks tell each other that they have written, in memory of their devices.
#pragma once

#include <cstdint>

#include "runtime/device/atomic.hpp"
#include "runtime/device/host_device.hpp"

namespace halfstep::exchange {

/// Returns the device's clock, in nanoseconds.
HALFSTEP_HD std::uint64_t nanoseconds() {
  std::uint64_t now = 0;
#if defined(__CUDA_ARCH__)
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
#endif
  return now;
}

/// Values that a rank tells others, and as many that it awaits from them, `most` at most.
template <int most>
struct Notes {
  struct Note {
    std::uint64_t* at;
    std::uint64_t value;
  };
  int count = 0;
  std::uint64_t* waited = nullptr;  ///< nanoseconds that this rank's kernels have waited for others
  Note told[most] = {}, awaited[most] = {};

  /// Tells note n: that all has been written which the caller knows of.
  HALFSTEP_HD void tell(int n) const {
    SharedAtomic<std::uint64_t>(*told[n].at).store(told[n].value, order::memory_order_release);
  }
  /// Waits for note n, or a later one from the same rank.
  HALFSTEP_HD void await(int n) const {
    while (SharedAtomic<std::uint64_t>(*awaited[n].at).load(order::memory_order_acquire) < awaited[n].value) {
    }
  }
};

/// Notes along one axis, to both sides.
using NotesAlongAxis = Notes<2>;

}  // namespace halfstep::exchange
