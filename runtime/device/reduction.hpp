// Reductions in a fixed order, so that the result has the same bits for every backend and number of threads
// and blocks. The items of a row are dealt to 32 lanes in turn, the rows to 1024 lanes, and lanes are merged
// pairwise. A default-constructed Sum is empty; merge(Sum&, const Sum&) adds the second to the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host_device.hpp"

namespace halfstep {

inline constexpr int kItemLanes = 32;
inline constexpr int kRowLanes = 1024;

/// Merges the lanes into lanes[0]; `count` is a power of two.
template <class Sum>
void merge_lanes(Sum* lanes, int count) {
  for (int half = count / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane) merge(lanes[lane], lanes[lane + half]);
}

/// Returns the sum of one row, the first pass; add(sum, item) adds an item.
template <class Sum, class Add>
Sum reduced_row(int items, Add add) {
  Sum lanes[kItemLanes];
  for (int item = 0; item < items; ++item) add(lanes[item % kItemLanes], item);
  merge_lanes(lanes, kItemLanes);
  return lanes[0];
}

/// Returns the sum over the rows, the second pass.
template <class Sum>
Sum reduced_over_rows(const std::vector<Sum>& rows) {
  std::vector<Sum> lanes(kRowLanes);
  for (std::size_t row = 0; row < rows.size(); ++row) merge(lanes[row % kRowLanes], rows[row]);
  merge_lanes(lanes.data(), kRowLanes);
  return lanes[0];
}

#if defined(__CUDACC__)

/// Returns the number of threads that reduce_rows() needs.
constexpr std::int64_t row_threads(std::int64_t rows) { return rows * kItemLanes; }

/// Sums the rows, the first pass; called by all threads of blocks of `block` threads, one warp per row.
/// add(sum, row, item) adds an item.
template <int block, class Sum, class Add>
__device__ void reduce_rows(std::int64_t rows, int items, Sum* sums, Add add) {
  const std::int64_t row = (std::int64_t{blockIdx.x} * block + threadIdx.x) / kItemLanes;
  const int lane = threadIdx.x % kItemLanes;
  __shared__ Sum lanes[block];
  Sum& mine = lanes[threadIdx.x];
  mine = Sum{};
  if (row < rows)
    for (int item = lane; item < items; item += kItemLanes) add(mine, row, item);
  for (int half = kItemLanes / 2; half > 0; half /= 2) {
    __syncwarp();
    if (lane < half) merge(mine, lanes[threadIdx.x + half]);
  }
  if (lane == 0 && row < rows) sums[row] = mine;
}

/// Sums over the rows into lanes[0], the second pass; called by one block of kRowLanes threads. `lanes` has
/// kRowLanes elements in global memory.
template <class Sum>
__device__ void reduce_over_rows(const Sum* rows, std::int64_t count, Sum* lanes) {
  Sum mine;
  for (std::int64_t row = threadIdx.x; row < count; row += kRowLanes) merge(mine, rows[row]);
  lanes[threadIdx.x] = mine;
  for (int half = kRowLanes / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) merge(lanes[threadIdx.x], lanes[threadIdx.x + half]);
  }
}

#endif

}  // namespace halfstep
