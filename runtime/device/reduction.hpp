// Many items merged into one, in an order that is fixed whatever the backend, the threads or the blocks, so
// to the same bits: the items of a row go round 32 lanes, the rows go round 1024, and lanes are merged
// pairwise. A Sum is, as it is constructed, that of nothing; merge(Sum&, const Sum&) adds one to another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host_device.hpp"

namespace halfstep {

inline constexpr int kItemLanes = 32;
inline constexpr int kRowLanes = 1024;

/// Into lanes[0]; `count` is a power of two.
template <class Sum>
void merge_lanes(Sum* lanes, int count) {
  for (int half = count / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane) merge(lanes[lane], lanes[lane + half]);
}

/// The first pass, of one row: add(sum, item) adds an item.
template <class Sum, class Add>
Sum reduced_row(int items, Add add) {
  Sum lanes[kItemLanes];
  for (int item = 0; item < items; ++item) add(lanes[item % kItemLanes], item);
  merge_lanes(lanes, kItemLanes);
  return lanes[0];
}

/// The second pass.
template <class Sum>
Sum reduced_over_rows(const std::vector<Sum>& rows) {
  std::vector<Sum> lanes(kRowLanes);
  for (std::size_t row = 0; row < rows.size(); ++row) merge(lanes[row % kRowLanes], rows[row]);
  merge_lanes(lanes.data(), kRowLanes);
  return lanes[0];
}

#if defined(__CUDACC__)

/// Threads that reduce_rows() needs.
constexpr std::int64_t row_threads(std::int64_t rows) { return rows * kItemLanes; }

/// The first pass, by all threads of blocks of `block`, a warp a row: add(sum, row, item) adds an item.
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

/// The second pass, by one block of kRowLanes threads: into lanes[0] of kRowLanes in global memory.
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
