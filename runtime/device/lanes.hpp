// What the lanes of a warp do together, all 32 of them; on the host a thread is a warp of one lane.
#pragma once

#include <cstdint>

#include "host_device.hpp"

namespace halfstep {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

}  // namespace halfstep

namespace halfstep::lanes {

/// Whether `condition` holds in all lanes.
HALFSTEP_HD bool all(bool condition) {
#if defined(__CUDA_ARCH__)
  return __all_sync(~0u, condition);
#else
  return condition;
#endif
}

/// Whether the caller is the first lane.
HALFSTEP_HD bool is_first() {
#if defined(__CUDA_ARCH__)
  return threadIdx.x % 32 == 0;
#else
  return true;
#endif
}

#if defined(__CUDACC__)
/// Returns the value of the lane whose number differs from the caller's in the bits of `bits`.
template <class T>
__device__ T exchanged(T value, int bits) {
  return __shfl_xor_sync(~0u, value, bits);
}
inline __device__ Int128 exchanged(Int128 value, int bits) {
  const auto high = exchanged(static_cast<long long>(value >> 64), bits);
  const auto low = exchanged(static_cast<unsigned long long>(value), bits);
  return static_cast<Int128>(static_cast<UInt128>(high) << 64 | low);
}
#endif

/// Returns all lanes' values as one: merged(a, b) returns that of two, in any order.
template <class T, class Merged>
HALFSTEP_HD T reduce(T value, [[maybe_unused]] Merged merged) {
#if defined(__CUDA_ARCH__)
  for (int bits = 16; bits > 0; bits /= 2) value = merged(value, exchanged(value, bits));
#endif
  return value;
}

/// Returns the largest of the lanes' values.
template <class T>
HALFSTEP_HD T max(T value) {
  return reduce(value, [](T a, T b) { return a > b ? a : b; });
}

/// Raises `to` to the largest of the lanes' values; on a device it lies in global memory.
HALFSTEP_HD void raise_to(std::uint64_t& to, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  const auto largest = max<unsigned long long>(value);
  if (is_first()) atomicMax(reinterpret_cast<unsigned long long*>(&to), largest);
#else
  if (value > to) to = value;
#endif
}

}  // namespace halfstep::lanes
