// The number of blocks of a kernel that the current device holds at once: the grid of a kernel whose threads
// stride over their items.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda_check.hpp"

namespace halfstep {

template <class Kernel>
std::int64_t resident_blocks(Kernel* kernel, int block, std::size_t shared_bytes = 0) {
  int device = 0, processors = 0, on_one = 0;
  HALFSTEP_CUDA(cudaGetDevice(&device));
  HALFSTEP_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  HALFSTEP_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_one, kernel, block, shared_bytes));
  return std::int64_t{processors} * on_one;
}

}  // namespace halfstep
