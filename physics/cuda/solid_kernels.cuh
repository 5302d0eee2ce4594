// The kernels that fill the cells in bodies and see to it that nothing else counts there. Include it only in
// files compiled by nvcc.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/cuda/stage/stage.hpp"
#include "physics/cuda/step_kernels.cuh"
#include "physics/solids/solid_mask.hpp"
#include "physics/solids/solid_rate.hpp"
#include "physics/solids/solid_state.hpp"
#include "runtime/device/atomic.hpp"
#include "runtime/device/early_launch.hpp"
#include "runtime/device/interleaved.hpp"

namespace halfstep {

/// The cells of a block that lie in bodies, as SolidCells has them, in a device's memory.
struct SolidCellsView {
  Interleaved<SolidCell> near;  ///< whole warps of them
  Interleaved<CellPlace> rim, core;
  const Wall* walls = nullptr;  ///< of each body

  HALFSTEP_HD std::int64_t count() const { return near.count + rim.count + core.count; }
};

/// Returns near cells as whole warps of them: the last one is there as often as it takes.
inline std::vector<SolidCell> in_whole_warps(std::vector<SolidCell> near) {
  if (!near.empty()) near.resize((near.size() + 31) / 32 * 32, near.back());
  return near;
}

/// The fields around the probes of two near cells in a state: that of a lane, and that of the lane in the
/// other half of the warp. What limits these kernels is how many cache lines the loads of a warp touch. So
/// lanes share theirs: for the cells of the first half, then of the second, a lane of each half loads one of
/// the two cells of a row, mostly from the same line, and gives it to the other if that needs it. Whole warps
/// call it.
template <class Real>
struct AroundTwoProbes {
  static constexpr int kHalf = 16;

  const Real* u;
  std::int64_t field_stride;
  bool is_in_second;           ///< half of the warp
  std::uint32_t places[2][4];  ///< in a field, of what this lane loads for cells of either half

  /// n: the number of the lane's own near cell.
  __device__ AroundTwoProbes(const Layout& l, const Interleaved<SolidCell>& near, std::int64_t n,
                             const Real* state)
      : u(state), field_stride(l.field_stride), is_in_second((n & kHalf) != 0) {
    for (int half = 0; half < 2; ++half) {
      const RowsAroundProbe rows(l, near[half ? n | kHalf : n & ~std::int64_t{kHalf}]);
      for (int row = 0; row < 4; ++row)
        places[half][row] = static_cast<std::uint32_t>(rows.first[row] + (is_in_second ? rows.next : 0));
    }
  }
  __device__ RowOfTwo<Real> operator()(int field, int row) const {
    const Real* const values = u + field * field_stride;
    const Real first = values[places[0][row]], second = values[places[1][row]];
    const Real given = __shfl_xor_sync(~0u, is_in_second ? first : second, kHalf);
    return {is_in_second ? given : first, is_in_second ? second : given};
  }
};

/// Fills cell number n in bodies of the state `u`. Calls look(place) before cells of its warp are filled, and
/// filled(place, c) with the state c that it holds then.
template <class Real, class Look, class Filled>
__device__ void fill_solid(const BoundaryConditions<Real>& rules, const SolidCellsView& cells,
                           const Conserved<Real>& rest, std::int64_t n, Real* u, Look look, Filled filled) {
  const auto fill_deep = [&](const CellPlace& c) {
    look(c.data());
    fill_deep_cell(rules.layout, c, rest, u);
    filled(c.data(), rest);
  };
  if (n < cells.near.count) {
    const AroundTwoProbes<Real> around(rules.layout, cells.near, n, u);
    const FlowAtProbe<Real> probe = flow_at_probe<Real>(around, cells.near[n]);
    look(cells.near[n].at);
    // All lanes have looked. And the compiler forgets the record, whose other words would have taken
    // registers until now.
    __syncwarp();
    const SolidCell c = cells.near[n];
    filled(c.at, fill_solid_cell(rules, cells.walls, c, around, probe, u));
  } else if ((n -= cells.near.count) < cells.rim.count) {
    fill_deep(cells.rim[n]);
  } else if ((n -= cells.rim.count) < cells.core.count) {
    fill_deep(cells.core[n]);
  }
}

/// Blocks per multiprocessor that registers are to leave room for.
template <class Real>
inline constexpr int kFillBlocks = wide<Real> ? 5 : 6;

/// Fills the cells in bodies of a stage's output. `ballast`: U^n, if these cells are to get ballast there.
/// `largest_rate2`: as by the function of that name, if one of these cells may have set the stage's CFL rate;
/// else 0. With fewer registers these kernels would spill more than what a load or two of a warp costs.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock, kFillBlocks<Real>)
    fill_solids(const __grid_constant__ StageArguments<Real> a,
                const __grid_constant__ BoundaryConditions<Real> rules,
                const __grid_constant__ SolidCellsView cells, const __grid_constant__ Conserved<Real> rest,
                Real* ballast, double largest_rate2, const StageResult* result, SolidDoubt* doubt,
                soft_error::Reporter<> reporter) {
  wait_for_earlier_kernels();
  if (reporter.cancelled()) return;
  const Layout& l = a.layout;
  const auto look = [&](const int* at) {
    if (!(largest_rate2 > 0)) return;
    const double rate = __longlong_as_double(static_cast<long long>(result->cfl_rate_bits));
    const Real* const left = a.out + l.index(at[0], at[1], at[2]);
    if (may_reach(rate, largest_rate2, double(left[0]), double(left[4 * l.field_stride])))
      doubt->counts = 1;  // a benign race: all threads store the same
  };
  const auto filled = [&](const int* at, const Conserved<Real>& own) {
    if (ballast) put_ballast(ballast + l.index(at[0], at[1], at[2]), l.field_stride, own);
  };
  fill_solid(rules, cells, rest, global_thread(), a.out, look, filled);
}

/// Fills the cells in bodies of the state `u`.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    refill_solids(const __grid_constant__ BoundaryConditions<Real> rules,
                  const __grid_constant__ SolidCellsView cells, const __grid_constant__ Conserved<Real> rest,
                  Real* u) {
  fill_solid(
      rules, cells, rest, global_thread(), u, [](const int*) {}, [](const int*, const auto&) {});
}

/// Whether what a stage left in bodies may have raised, or set its CFL rate. `core_rate`: of the deep cells
/// that nothing changes.
template <class Real>
__device__ bool is_in_doubt(const StageArguments<Real>& a, const StageResult& result, const SolidDoubt& doubt,
                            double core_rate, const soft_error::Reporter<>& reporter) {
  const double rate = __longlong_as_double(static_cast<long long>(result.cfl_rate_bits));
  return reporter.raised() || (a.wants_rate && (doubt.counts || core_rate >= rate));
}

/// If there is doubt, looks at the cells in the gas alone: corrects the stage's rate to theirs, and takes its
/// raise back where they are well. The last block to come to its end does so.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    look_at_gas(const __grid_constant__ StageArguments<Real> a, const SolidMask mask, StageResult* result,
                SolidDoubt* doubt, double core_rate, soft_error::Reporter<> reporter) {
  wait_for_earlier_kernels();
  if (reporter.cancelled() || !is_in_doubt(a, *result, *doubt, core_rate, reporter)) return;
  Real rate = 0;
  bool good = true;
  visit_cells_in_warps(a.layout, [&](bool is_one, int i, int j, int k) {
    if (!is_one || mask.has(a.layout, i, j, k)) return;
    Real own = 0;
    good &= check_cell(a, i, j, k, own);
    rate = max(own, rate);
  });
  if (!good) doubt->gas_is_bad = 1;
  rate = largest_of_warp(rate);
  if (threadIdx.x % 32 == 0) raise_bits(&doubt->gas_rate_bits, double(rate));
  __threadfence();
  __syncthreads();
  if (threadIdx.x > 0 || atomicAdd(&doubt->blocks_done, 1u) + 1 < gridDim.x) return;
  __threadfence();
  // By atomic loads: an SM's cache may hold these words as they were when it looked for doubt.
  if (a.wants_rate)
    result->cfl_rate_bits =
        NearAtomic<unsigned long long>(doubt->gas_rate_bits).load(order::memory_order_relaxed);
  if (!NearAtomic<int>(doubt->gas_is_bad).load(order::memory_order_relaxed)) reporter.withdraw();
  *doubt = {};
}

}  // namespace halfstep
