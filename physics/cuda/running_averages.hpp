// Averages over time on the device. Include it only in files compiled by nvcc.
#pragma once

#include <algorithm>

#include "physics/cuda/step_kernels.cuh"
#include "physics/diagnostics/running_averages.hpp"

namespace halfstep {

inline constexpr int kAveragingWarps = 8;  // a block at most

HALFSTEP_HD unsigned pieces_of_row(const Layout& layout) {
  return static_cast<unsigned>((layout.cells[0] + 31) / 32);
}

/// The warps of a block take in one field after the other, of the same cells: they read the same states.
/// `has_all`: gradients and covariances, too, whose registers would keep the device from reading enough at
/// once.
template <bool has_all, class Real>
__global__ void __launch_bounds__(32 * kAveragingWarps, has_all ? 2 : 4)
    take_in_cells(const __grid_constant__ AveragesArguments<Real> args) {
  const int(&cells)[3] = args.layout.cells;
  const unsigned pieces = pieces_of_row(args.layout), row = blockIdx.x / pieces;
  const int i = static_cast<int>(blockIdx.x % pieces * 32 + threadIdx.x);
  const int j = static_cast<int>(row % static_cast<unsigned>(cells[1]));
  const int k = static_cast<int>(row / static_cast<unsigned>(cells[1]));
  const bool is_there = i < cells[0];
  const auto for_fields = [&](auto visit) {
    for (int field = static_cast<int>(threadIdx.y); is_there && field < args.request.means();
         field += static_cast<int>(blockDim.y))
      visit(AveragesOfCell<has_all, Real>(args, field, i, j, k));
  };
  if (has_all && args.request.covariances) {
    for_fields([](const auto& own) { own.add_products(); });
    __syncthreads();
  }
  for_fields([](const auto& own) { own.add_squares(); });
}

template <class Real>
void launch_take_in(const AveragesArguments<Real>& args, cudaStream_t stream) {
  const dim3 block(32, static_cast<unsigned>(std::min(args.request.means(), kAveragingWarps)));
  const unsigned blocks =
      pieces_of_row(args.layout) * static_cast<unsigned>(args.layout.cells[1] * args.layout.cells[2]);
  const auto kernel = args.request.covariances || args.request.has_gradients() ? take_in_cells<true, Real>
                                                                               : take_in_cells<false, Real>;
  kernel<<<blocks, block, 0, stream>>>(args);
  HALFSTEP_CUDA_LAUNCHED("take_in_cells");
}

}  // namespace halfstep
