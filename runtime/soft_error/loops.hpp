// The loops of a channel in which threads try again or wait for each other. On a device they are PTX: the
// compiler unrolls no loop with another one inside, and a kernel may raise an error in a loop of its own.
#pragma once

#include <cstdint>
#include <thread>

#include "../device/atomic.hpp"

namespace halfstep::soft_error::detail {

/// Replaces the word by `value` if it is below `bound`, whatever other threads do. Returns whether it did.
/// Relaxed. It loads before it swaps, so a thousand threads cost a thousand loads rather than a thousand
/// atomics. One lane of a warp swaps for the others, which load again and find what it has stored. (Lanes
/// with another word do not, and elect another lane.)
HALFSTEP_HD bool replace_below(std::uint64_t& word, std::uint64_t bound, std::uint64_t value) {
  std::uint64_t seen = NearAtomic<std::uint64_t>(word).load(order::memory_order_relaxed);
#if defined(__CUDA_ARCH__)
  if (seen >= bound) return false;
  unsigned replaced;
  asm volatile(
      "{\n"
      "  .reg .pred is;\n"
      "  .reg .b32 below, lanes;\n"
      "  .reg .b64 old;\n"
      "  mov.u32 %0, 0;\n"
      "  mov.u32 below, %%lanemask_lt;\n"
      "again:\n"
      "  activemask.b32 lanes;\n"
      "  and.b32 lanes, lanes, below;\n"
      "  setp.ne.u32 is, lanes, 0;\n"
      "  @is bra look;\n"
      "  atom.relaxed.gpu.cas.b64 old, [%2], %1, %4;\n"
      "  setp.eq.u64 is, old, %1;\n"
      "  @is mov.u32 %0, 1;\n"
      "  @is bra done;\n"
      "  mov.b64 %1, old;\n"
      "  bra test;\n"
      "look:\n"
      "  ld.relaxed.gpu.b64 %1, [%2];\n"
      "test:\n"
      "  setp.lt.u64 is, %1, %3;\n"
      "  @is bra again;\n"
      "done:\n"
      "}"
      : "=&r"(replaced), "+l"(seen)
      : "l"(&word), "l"(bound), "l"(value)
      : "memory");
  return replaced != 0;
#else
  while (seen < bound)
    if (NearAtomic<std::uint64_t>(word).compare_exchange_weak(seen, value, order::memory_order_relaxed,
                                                              order::memory_order_relaxed))
      return true;
  return false;
#endif
}

/// Waits until the word is 0 and sets it to 1: a lock, to be released by a store of 0. Acquire.
HALFSTEP_HD void lock(unsigned& word) {
#if defined(__CUDA_ARCH__)
  asm volatile(
      "{\n"
      "  .reg .pred taken;\n"
      "  .reg .b32 was;\n"
      "wait:\n"
      "  atom.acquire.gpu.exch.b32 was, [%0], 1;\n"
      "  setp.ne.u32 taken, was, 0;\n"
      "  @taken bra wait;\n"
      "}" ::"l"(&word)
      : "memory");
#else
  while (NearAtomic<unsigned>(word).exchange(1, order::memory_order_acquire)) std::this_thread::yield();
#endif
}

}  // namespace halfstep::soft_error::detail
