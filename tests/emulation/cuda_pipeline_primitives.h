// Asynchronous copies into shared memory, emulated: they are made when they are waited for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "cuda_runtime.h"

namespace emulation {
struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
};
/// Returns the pending copies of the calling thread.
inline std::vector<Copy>& copies_under_way() {
  static std::vector<Copy> all[1024];
  return all[threadIdx.y * blockDim.x + threadIdx.x];
}
inline bool is_aligned(const void* at, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(at) % bytes == 0;
}
}  // namespace emulation

/// A device makes no copy of another size, nor one that is not aligned to it.
inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes) {
  const bool is_size = bytes == 4 || bytes == 8 || bytes == 16;
  if (!is_size || !emulation::is_aligned(to, bytes) || !emulation::is_aligned(from, bytes)) {
    std::fprintf(stderr, "an asynchronous copy of %zu bytes is not aligned\n", bytes);
    std::abort();
  }
  emulation::copies_under_way().push_back({to, from, bytes});
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(std::size_t) {
  for (const emulation::Copy& copy : emulation::copies_under_way())
    std::memcpy(copy.to, copy.from, copy.bytes);
  emulation::copies_under_way().clear();
}
