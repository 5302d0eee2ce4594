// Averages over time on the device. Include it only in files compiled by nvcc.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <algorithm>
#include <cstddef>

#include "physics/cuda/step_kernels.cuh"
#include "physics/diagnostics/running_averages.hpp"

namespace halfstep {

inline constexpr int kAveragingWarps = 8;    // a block at most, where fields have warps of their own
inline constexpr int kAveragesOfThread = 5;  // fields whose sums a thread has at once

/// The states of a block's cells, on their way to its shared memory: a thread reads no other's.
template <class Real>
struct FetchedStates {
  Real* own;

  __device__ static FetchedStates begin(const AveragesArguments<Real>& a, std::int64_t place) {
    extern __shared__ __align__(16) unsigned char shared_memory[];
    const FetchedStates states{reinterpret_cast<Real*>(shared_memory) + threadIdx.x};
    for (int s = 0; s < a.weights.count; ++s)
      for (int f = 0; f < kFields; ++f)
        __pipeline_memcpy_async(states.own + (s * kFields + f) * kSmallBlock,
                                a.states[s] + f * a.layout.field_stride + place, sizeof(Real));
    __pipeline_commit();
    return states;
  }
  __device__ Conserved<double> operator()(int s) const {
    const Real* const u = own + s * kFields * kSmallBlock;
    return {double(u[0]), double(u[kSmallBlock]), double(u[2 * kSmallBlock]), double(u[3 * kSmallBlock]),
            double(u[4 * kSmallBlock])};
  }
};

/// Takes in fields of the cells' own flow, a cell a thread. What a thread needs is on its way all at once.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock, 5)
    take_in_flow(const __grid_constant__ AveragesArguments<Real> a) {
  const unsigned n = blockIdx.x * kSmallBlock + threadIdx.x;  // no device has 2^32 cells
  const unsigned row = n / static_cast<unsigned>(a.layout.cells[0]);
  const int i = static_cast<int>(n % static_cast<unsigned>(a.layout.cells[0]));
  const int j = static_cast<int>(row % static_cast<unsigned>(a.layout.cells[1]));
  const int k = static_cast<int>(row / static_cast<unsigned>(a.layout.cells[1]));
  if (k >= a.layout.cells[2]) return;
  const FetchedStates<Real> states = FetchedStates<Real>::begin(a, a.layout.index(i, j, k));
  for (int first = 0; first < a.request.means(); first += kAveragesOfThread)
    add_squares<kAveragesOfThread, false>(
        a, first, i, j, k, [] { __pipeline_wait_prior(0); }, states);
}

HALFSTEP_HD unsigned pieces_of_row(const Layout& layout) {
  return static_cast<unsigned>((layout.cells[0] + 31) / 32);
}

/// Takes in gradients and covariances, too. The warps of a block take in one field after the other, of the
/// same cells: they read the same states.
template <class Real>
__global__ void __launch_bounds__(32 * kAveragingWarps, 2)
    take_in_fields(const __grid_constant__ AveragesArguments<Real> a) {
  const int(&cells)[3] = a.layout.cells;
  const unsigned pieces = pieces_of_row(a.layout), row = blockIdx.x / pieces;
  const int i = static_cast<int>(blockIdx.x % pieces * 32 + threadIdx.x);
  const int j = static_cast<int>(row % static_cast<unsigned>(cells[1]));
  const int k = static_cast<int>(row / static_cast<unsigned>(cells[1]));
  const auto for_fields = [&](auto visit) {
    for (int field = static_cast<int>(threadIdx.y); i < cells[0] && field < a.request.means();
         field += static_cast<int>(blockDim.y))
      visit(field);
  };
  if (a.request.covariances) {
    for_fields([&](int field) { add_products(a, field, i, j, k); });
    __syncthreads();
  }
  for_fields([&](int field) { add_squares(a, field, i, j, k); });
}

template <class Real>
void launch_take_in(const AveragesArguments<Real>& a, cudaStream_t stream) {
  if (a.request.covariances || a.request.has_gradients()) {
    const dim3 block(32, static_cast<unsigned>(std::min(a.request.means(), kAveragingWarps)));
    const unsigned rows = static_cast<unsigned>(a.layout.cells[1] * a.layout.cells[2]);
    take_in_fields<<<pieces_of_row(a.layout) * rows, block, 0, stream>>>(a);
  } else {
    const std::size_t bytes = sizeof(Real) * kSmallBlock * kFields * a.weights.count;
    take_in_flow<<<blocks_for(a.layout.cell_count()), kSmallBlock, bytes, stream>>>(a);
  }
  HALFSTEP_CUDA_LAUNCHED("take_in");
}

}  // namespace halfstep
