// Asynchronous copies into shared memory, emulated: they are made when their batch is waited for.
#pragma once

#include <cstddef>
#include <cstring>
#include <deque>
#include <utility>
#include <vector>

#include "cuda_runtime.h"

namespace emulation {
struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
};
/// The pending copies of a thread: batches that are committed, and the one that is not.
struct Copies {
  std::deque<std::vector<Copy>> batches;
  std::vector<Copy> latest;
};
inline Copies& copies_under_way() {
  static Copies all[1024];
  return all[threadIdx.y * blockDim.x + threadIdx.x];
}
}  // namespace emulation

inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes) {
  emulation::copies_under_way().latest.push_back({to, from, bytes});
}
inline void __pipeline_commit() {
  emulation::Copies& own = emulation::copies_under_way();
  own.batches.push_back(std::move(own.latest));
  own.latest.clear();
}
/// Waits for all batches but the last `prior`.
inline void __pipeline_wait_prior(std::size_t prior) {
  for (auto& batches = emulation::copies_under_way().batches; batches.size() > prior; batches.pop_front())
    for (const emulation::Copy& copy : batches.front()) std::memcpy(copy.to, copy.from, copy.bytes);
}
