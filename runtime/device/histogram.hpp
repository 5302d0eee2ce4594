// Histograms: counts how many values fall into each of a few bins. bins_of(item) returns the bins of the
// values that an item stands for, as a std::array<int, n>. Integer counts do not depend on threads and
// blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#if defined(__CUDACC__)
#include "resident_blocks.hpp"
#endif

namespace halfstep {

#if defined(__CUDACC__)

/// Adds to counts[0] .. counts[bins - 1]. Each block counts in its own bins in shared memory and adds each of
/// them once, because contention of all threads for one address in device memory makes a histogram slow. A
/// block may count fewer than 2^32 values.
template <class Count, class BinsOf>
__global__ void count_in_bins(std::int64_t items, const __grid_constant__ BinsOf bins_of, int bins,
                              Count* counts) {
  extern __shared__ unsigned block_counts[];
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) block_counts[bin] = 0;
  __syncthreads();
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t item = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; item < items; item += threads)
    for (const int bin : bins_of(item)) atomicAdd(&block_counts[bin], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    if (const unsigned count = block_counts[bin]; count > 0) atomicAdd(&counts[bin], Count{count});
}

/// Launches count_in_bins() with as many blocks as the current device holds at once, because every block has
/// the cost of its bins. At most 12288 bins.
template <class Count, class BinsOf>
class Histogrammer {
 public:
  explicit Histogrammer(int bins)
      : bins_(bins), blocks_(resident_blocks(count_in_bins<Count, BinsOf>, kBlock, shared_bytes())) {}

  void launch(std::int64_t items, const BinsOf& bins_of, Count* counts, cudaStream_t stream) const {
    const std::int64_t blocks = std::min(blocks_, (items + kBlock - 1) / kBlock);
    count_in_bins<<<static_cast<unsigned>(blocks), kBlock, shared_bytes(), stream>>>(items, bins_of, bins_,
                                                                                     counts);
    HALFSTEP_CUDA_LAUNCHED("count_in_bins");
  }

 private:
  static constexpr int kBlock = 256;
  std::size_t shared_bytes() const { return bins_ * sizeof(unsigned); }
  int bins_;
  std::int64_t blocks_;
};

#else

/// Returns the counts, computed by `threads` OpenMP threads.
template <class BinsOf>
std::vector<std::int64_t> histogram(std::int64_t items, int bins, int threads, const BinsOf& bins_of) {
  std::vector<std::int64_t> counts(bins);
#pragma omp parallel num_threads(threads)
  {
    std::vector<std::int64_t> mine(bins);
#pragma omp for nowait
    for (std::int64_t item = 0; item < items; ++item)
      for (const int bin : bins_of(item)) mine[bin] += 1;
#pragma omp critical
    for (int bin = 0; bin < bins; ++bin) counts[bin] += mine[bin];
  }
  return counts;
}

#endif

}  // namespace halfstep
