// The kernels that fill the cells in bodies and see to it that nothing else counts there. Include it only in
// files compiled by nvcc.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstddef>
#include <cstdint>

#include "physics/cuda/stage/stage.hpp"
#include "physics/cuda/step_kernels.cuh"
#include "physics/solids/cell_groups.hpp"
#include "physics/solids/solid_mask.hpp"
#include "physics/solids/solid_rate.hpp"
#include "physics/solids/solid_state.hpp"
#include "runtime/device/atomic.hpp"
#include "runtime/device/early_launch.hpp"
#include "runtime/device/interleaved.hpp"

namespace halfstep {

/// CellGroups, in a device's memory.
struct CellGroupsView {
  Interleaved<GroupedCell> near;
  const CellNumber* rim = nullptr;
  const FetchedPair* pairs = nullptr;

  HALFSTEP_HD std::int64_t count() const { return near.count / kGroupCells; }
};

/// The cells of a block that lie in bodies, as SolidCells has them, in a device's memory. Blocks of
/// kGroupCells threads fill them: one for each group, then some for the core.
struct SolidCellsView {
  CellGroupsView groups;
  Interleaved<CellPlace> core;
  const Wall* walls = nullptr;   ///< of each body
  std::int64_t first_block = 0;  ///< of a launch

  __device__ std::int64_t block() const { return first_block + blockIdx.x; }
  __device__ std::int64_t thread() const { return block() * kGroupCells + threadIdx.x; }
  /// Returns the number of those blocks.
  HALFSTEP_HD std::int64_t blocks() const {
    return groups.count() + (core.count + kGroupCells - 1) / kGroupCells;
  }
  /// Returns the bytes of shared memory that a block needs.
  template <class Real>
  static std::size_t shared_bytes(const Layout& l) {
    return std::size_t{2} * kGroupPairs * static_cast<std::size_t>(l.fields) * sizeof(Real);
  }
};

/// The fields around the probe of a cell, in what its group has fetched.
template <class Real>
struct AroundFetchedProbe {
  const Real* fetched;
  std::uint16_t first[4];
  std::int8_t next;

  __device__ RowOfTwo<Real> operator()(int field, int row) const {
    const Real* const one = fetched + field * 2 * kGroupPairs + first[row];
    return {one[0], one[next]};
  }
};

/// Begins to fetch what the block's group needs of the state `u`: pair n of a field comes to
/// to[2 (field * kGroupPairs + n)]. One after another, loads would take as long as memory takes to answer
/// each.
template <class Real>
__device__ void begin_to_fetch(const Layout& l, const SolidCellsView& cells, const Real* u, Real* to) {
  constexpr int most = (kGroupPairs + kGroupCells - 1) / kGroupCells;
  const FetchedPair* const pairs = cells.groups.pairs + cells.block() * kGroupPairs;
  FetchedPair own[most];
  for (int turn = 0; turn < most; ++turn) {
    const int n = static_cast<int>(threadIdx.x) + turn * kGroupCells;
    own[turn] = n < kGroupPairs ? pairs[n] : kNoPair;
  }
  for (int turn = 0; turn < most; ++turn) {
    if (own[turn] == kNoPair) continue;
    const int n = static_cast<int>(threadIdx.x) + turn * kGroupCells;
    for (int field = 0; field < l.fields; ++field)
      __pipeline_memcpy_async(to + 2 * (field * kGroupPairs + n),
                              u + 2 * std::int64_t{own[turn]} + field * l.field_stride, 2 * sizeof(Real));
  }
  __pipeline_commit();
}

/// Fills the cells of the block's group, a near cell and a rim cell a thread: the latter while what the
/// former need is fetched. As fill_solid(); `fill_deep`: fills a deep cell.
template <class Real, class FillDeep, class Look, class Filled>
__device__ void fill_group(const BoundaryConditions<Real>& rules, const SolidCellsView& cells, Real* u,
                           FillDeep fill_deep, Look look, Filled filled) {
  extern __shared__ __align__(16) unsigned char shared_memory[];
  Real* const fetched = reinterpret_cast<Real*>(shared_memory);
  const Layout& l = rules.layout;
  const CellNumber rim = cells.groups.rim[cells.thread()];
  const GroupedCell own = cells.groups.near[cells.thread()];
  begin_to_fetch(l, cells, u, fetched);
  if (rim != kNoCell) fill_deep(place_of(l, rim));
  if (own.number == kNoCell) return;  // with the whole block
  const SolidCell c = own.cell(l);
  look(c.at);
  __pipeline_wait_prior(0);
  __syncthreads();
  const AroundFetchedProbe<Real> around{
      fetched, {own.first[0], own.first[1], own.first[2], own.first[3]}, own.next};
  filled(c.at, fill_solid_cell(rules, cells.walls, c, around, flow_at_probe<Real>(around, c), u));
}

/// Fills cells in bodies of the state `u`. Calls look(place) before a cell is filled, and filled(place, c)
/// with the state c that it holds then.
template <class Real, class Look, class Filled>
__device__ void fill_solid(const BoundaryConditions<Real>& rules, const SolidCellsView& cells,
                           const Conserved<Real>& rest, Real* u, Look look, Filled filled) {
  const auto fill_deep = [&](const CellPlace& c) {
    look(c.data());
    fill_deep_cell(rules.layout, c, rest, u);
    filled(c.data(), rest);
  };
  const std::int64_t of_core = cells.thread() - cells.groups.near.count;
  if (of_core < 0)
    fill_group(rules, cells, u, fill_deep, look, filled);
  else if (of_core < cells.core.count)
    fill_deep(cells.core[of_core]);
}

/// Blocks per multiprocessor that registers are to leave room for.
template <class Real>
inline constexpr int kFillBlocks = wide<Real> ? 12 : 16;

/// Fills the cells in bodies of a stage's output. `ballast`: U^n, if these cells are to get ballast there.
/// `largest_rate2`: as by the function of that name, if one of these cells may have set the stage's CFL rate;
/// else 0.
template <class Real>
__global__ void __launch_bounds__(kGroupCells, kFillBlocks<Real>)
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
    if (may_reach(rate, largest_rate2, double(left[0]), double(left[4 * l.field_stride])) ||
        (l.two_gases && !is_mixture(a.gases(), left[(l.fields - 1) * l.field_stride])))
      doubt->counts = 1;  // a benign race: all threads store the same
  };
  const auto filled = [&](const int* at, const Conserved<Real>& own) {
    if (ballast) put_ballast(ballast + l.index(at[0], at[1], at[2]), l.field_stride, own);
  };
  fill_solid(rules, cells, rest, a.out, look, filled);
}

/// Fills the cells in bodies of the state `u`.
template <class Real>
__global__ void __launch_bounds__(kGroupCells)
    refill_solids(const __grid_constant__ BoundaryConditions<Real> rules,
                  const __grid_constant__ SolidCellsView cells, const __grid_constant__ Conserved<Real> rest,
                  Real* u) {
  fill_solid(
      rules, cells, rest, u, [](const int*) {}, [](const int*, const auto&) {});
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
