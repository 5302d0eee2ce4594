// The kernels that fill the cells in bodies and see to it that nothing else counts there. Include it only in
// files compiled by nvcc.
#pragma once

#include <cstdint>

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
  Interleaved<SolidCell> near;
  Interleaved<CellPlace> rim, core;
  const Wall* walls = nullptr;  ///< of each body

  HALFSTEP_HD std::int64_t count() const { return near.count + rim.count + core.count; }
};

/// Calls fill(place, state) for cell number n in bodies: state() fills it in the state `u` and returns what
/// is in it then.
template <class Real, class Fill>
__device__ void with_solid_cell(const BoundaryConditions<Real>& rules, const SolidCellsView& cells,
                                const Conserved<Real>& rest, std::int64_t n, Real* u, Fill fill) {
  const auto fill_deep = [&](const CellPlace& c) {
    fill(c.data(), [&] {
      fill_deep_cell(rules.layout, c, rest, u);
      return rest;
    });
  };
  if (n < cells.near.count) {
    const SolidCell c = cells.near[n];
    fill(c.at, [&] { return fill_solid_cell(rules, cells.walls, c, u); });
  } else if ((n -= cells.near.count) < cells.rim.count) {
    fill_deep(cells.rim[n]);
  } else if ((n -= cells.rim.count) < cells.core.count) {
    fill_deep(cells.core[n]);
  }
}

/// Fills the cells in bodies of a stage's output. `ballast`: U^n, if these cells are to get ballast there.
/// `largest_rate2`: as by the function of that name, if one of these cells may have set the stage's CFL rate;
/// else 0. The bound keeps as many warps at work as registers allow without spills.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock, 6)
    fill_solids(const __grid_constant__ StageArguments<Real> a,
                const __grid_constant__ BoundaryConditions<Real> rules,
                const __grid_constant__ SolidCellsView cells, const __grid_constant__ Conserved<Real> rest,
                Real* ballast, double largest_rate2, const StageResult* result, SolidDoubt* doubt,
                soft_error::Reporter<> reporter) {
  wait_for_earlier_kernels();
  if (reporter.cancelled()) return;
  const Layout& l = a.layout;
  with_solid_cell(rules, cells, rest, global_thread(), a.out, [&](const int* at, auto state) {
    const std::int64_t index = l.index(at[0], at[1], at[2]);
    if (largest_rate2 > 0) {
      const double rate = __longlong_as_double(static_cast<long long>(result->cfl_rate_bits));
      const Real* const left = a.out + index;
      if (may_reach(rate, largest_rate2, double(left[0]), double(left[4 * l.field_stride])))
        doubt->counts = 1;  // a benign race: all threads store the same
    }
    const Conserved<Real> own = state();
    if (ballast) put_ballast(ballast + index, l.field_stride, own);
  });
}

/// Fills the cells in bodies of the state `u`.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    refill_solids(const __grid_constant__ BoundaryConditions<Real> rules,
                  const __grid_constant__ SolidCellsView cells, const __grid_constant__ Conserved<Real> rest,
                  Real* u) {
  with_solid_cell(rules, cells, rest, global_thread(), u, [](const int*, auto state) { state(); });
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
  visit_in_warps(a.layout.cell_count(), [&](std::int64_t n) {
    int i, j, k;
    if (!find_cell(a.layout, n, i, j, k) || mask.has(a.layout, i, j, k)) return;
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
