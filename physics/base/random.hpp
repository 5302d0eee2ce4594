// Random numbers that are functions of what they are for: of a seed and integers, such as a mode's wave
// vector. So they have the same bits on every thread, processor and restart.
#pragma once

#include <cstdint>

#include "runtime/device/host_device.hpp"

namespace halfstep {

/// Returns a number from 0 to below 1 for these integers: the finalizer of SplitMix64 (Steele, Lea & Flood,
/// OOPSLA 2014) over all of them.
template <int count>
HALFSTEP_HD double random_of(std::int64_t seed, const int (&numbers)[count]) {
  std::uint64_t state = static_cast<std::uint64_t>(seed);
  const auto mix = [&] {
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
    state ^= state >> 31;
  };
  for (const int number : numbers) {
    state += 0x9e3779b97f4a7c15u;
    mix();
    state ^= static_cast<std::uint64_t>(std::int64_t{number});
  }
  mix();
  return static_cast<double>(state >> 11) * 0x1p-53;
}

}  // namespace halfstep
