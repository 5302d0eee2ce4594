// The small kernels of a step, whose verbs they are in cuda/solver.cu: all but the stage and the
// right-hand-side terms. Include it only in files compiled by nvcc.
#pragma once

#include <cstdint>

#include "physics/base/classify.hpp"
#include "physics/cuda/stage/stage.hpp"
#include "physics/diagnostics/budget.hpp"
#include "physics/diagnostics/sums.hpp"
#include "physics/gas/cfl_rate.hpp"
#include "physics/mesh/ghosts.hpp"
#include "physics/recovery/diagnose.hpp"
#include "physics/recovery/first_order_correction.hpp"
#include "physics/recovery/floors.hpp"
#include "physics/recovery/injected_fault.hpp"
#include "physics/rhs/budget_of_stage.hpp"
#include "physics/rhs/fastest_cell_of_mesh.hpp"
#include "physics/rhs/rhs_terms.hpp"
#include "physics/solids/solid_cell.hpp"
#include "physics/solids/solid_mask.hpp"
#include "physics/sources/half_source.hpp"
#include "physics/sources/sponge.hpp"
#include "physics/stage/check.hpp"
#include "physics/stage/last_start.hpp"
#include "runtime/device/early_launch.hpp"
#include "runtime/device/lanes.hpp"

namespace halfstep {

inline constexpr int kSmallBlock = 128;  // threads per block of these kernels
inline constexpr int kSumBlocks = 5;     // blocks per multiprocessor of those that sum

inline unsigned blocks_for(std::int64_t threads) {
  return static_cast<unsigned>((threads + kSmallBlock - 1) / kSmallBlock);
}

/// Raises a word that holds a positive number to `value`.
inline __device__ void raise_bits(unsigned long long* bits, double value) {
  atomicMax(bits, static_cast<unsigned long long>(__double_as_longlong(value)));
}
template <class Real>
__device__ void add_rate(StageResult* result, Real rate) {
  raise_bits(&result->cfl_rate_bits, static_cast<double>(rate));
}
template <class Real>
__device__ Real largest_of_warp(Real value) {
  for (int lane = 16; lane > 0; lane /= 2) value = max(__shfl_xor_sync(~0u, value, lane), value);
  return value;
}

inline __device__ std::int64_t global_thread() { return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; }

/// Finds cell number n, x fastest; returns false beyond the last cell.
inline __device__ bool find_cell(const Layout& l, std::int64_t n, int& i, int& j, int& k) {
  i = static_cast<int>(n % l.cells[0]);
  j = static_cast<int>(n / l.cells[0] % l.cells[1]);
  const std::int64_t plane = n / l.cells[0] / l.cells[1];
  k = static_cast<int>(plane);
  return plane < l.cells[2];
}
/// Finds the cell of this thread.
inline __device__ bool thread_cell(const Layout& l, int& i, int& j, int& k) {
  return find_cell(l, global_thread(), i, j, k);
}

/// Calls visit(n) for the items of this thread, with whole warps: the last ones may be beyond `count`.
template <class Visit>
__device__ void visit_in_warps(std::int64_t count, Visit visit) {
  const int lane = threadIdx.x % 32;
  for (std::int64_t n = global_thread(); n - lane < count; n += std::int64_t{gridDim.x} * blockDim.x)
    visit(n);
}

/// Calls visit(is_one, i, j, k) for the cells of this thread, with whole warps: the last ones may be none.
/// All threads of a block call it. It goes on from cell to cell by additions, because dividing 64 bits takes
/// dozens of instructions.
template <class Visit>
__device__ void visit_cells_in_warps(const Layout& l, Visit visit) {
  static __shared__ int step[3];
  if (threadIdx.x == 0) find_cell(l, std::int64_t{gridDim.x} * blockDim.x, step[0], step[1], step[2]);
  __syncthreads();
  int i, j, k;
  find_cell(l, global_thread(), i, j, k);
  while (!lanes::all(k >= l.cells[2])) {
    visit(k < l.cells[2], i, j, k);
    i += step[0], j += step[1], k += step[2];
    if (i >= l.cells[0]) i -= l.cells[0], ++j;
    if (j >= l.cells[1]) j -= l.cells[1], ++k;
  }
}

/// Fills ghost cells; `has_formulas` as for ghost_state(). Raises where fill_ghost() returns false. The bound
/// keeps the registers of formulas, which few cells need, from the others.
template <bool has_formulas, class Real>
__global__ void __launch_bounds__(kSmallBlock, 9)
    fill_ghosts(const __grid_constant__ BoundaryConditions<Real> rules,
                const __grid_constant__ GhostCells cells, Real* u, const double* time,
                soft_error::Reporter<> reporter) {
  wait_for_earlier_kernels();
  const std::int64_t n = global_thread();
  if (n >= cells.count() || reporter.cancelled()) return;
  int i, j, k;
  cells.cell(rules.layout, n, i, j, k);
  if (!fill_ghost<has_formulas>(rules, u, i, j, k, *time)) reporter.raise();
}

/// Integrates half of the source in one launch.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock) half_source(const __grid_constant__ SourceArguments<Real> a) {
  SourceRecord record;
  NoSafePoints safe_points{global_thread()};
  if (safe_points.thread() < a.threads) integrate_cells(a, record, safe_points);
}

template <class Real>
__global__ void look_for_spikes(const __grid_constant__ StageArguments<Real> a,
                                const __grid_constant__ SpikeLimits limits, const SolidMask solids,
                                soft_error::Reporter<> reporter) {
  int i, j, k;
  if (reporter.cancelled() || !thread_cell(a.layout, i, j, k) || solids.has(a.layout, i, j, k)) return;
  if (is_spike(limits, a.layout, a.out, i, j, k, a.gases())) reporter.raise();
}

/// Makes what the last stage starts from, of the states at the step's beginning and after the middle stage.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    make_last_start(const __grid_constant__ StageArguments<Real> a, const Real* before,
                    const SolidMask solids, Real dither, Real* to, soft_error::Reporter<> reporter) {
  int i, j, k;
  if (!reporter.cancelled() && thread_cell(a.layout, i, j, k))
    put_last_start(a.layout, solids.has(a.layout, i, j, k), before, a.out, dither, to, i, j, k);
}

/// Checks a cell that was updated after the stage, as the stage does, and reduces its CFL rate.
template <class Real>
__device__ void look_at(const StageArguments<Real>& a, int i, int j, int k, StageResult* result,
                        const soft_error::Reporter<>& reporter) {
  Real rate = 0;
  if (!check_cell(a, i, j, k, rate)) reporter.raise();
  if (a.wants_rate) add_rate(result, rate);
}

/// Applies the fault to one cell of the stage's output, and checks that cell.
template <class Real>
__global__ void inject_fault(const __grid_constant__ StageArguments<Real> a,
                             const __grid_constant__ Fault fault, StageResult* result,
                             soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  const int i = fault.cell[0], j = fault.cell[1], k = fault.cell[2];
  store(a.layout, a.out, i, j, k, corrupted(load(a.layout, a.out, i, j, k), fault, a.gas_in(a.out, i, j, k)));
  look_at(a, i, j, k, result, reporter);
}

/// Raises what had been raised before the attempt was restored.
[[maybe_unused]] static __global__ void raise_again(soft_error::Reporter<> reporter) { reporter.raise(); }

/// Reduces the largest CFL rate of the state `u` outside of bodies, ghost cells beyond one side included: the
/// formulas of a side need not mean anything at edges and corners. Raises where a cell of the domain has no
/// positive finite pressure and rate. `layers`: of the ghost cells that stages read.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    max_cfl_rate(const __grid_constant__ StageArguments<Real> a,
                 const __grid_constant__ BoundaryConditions<Real> rules, const SolidMask solids, int layers,
                 const Real* u, const __grid_constant__ RhsTerms terms, StageResult* result,
                 soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  const Layout& l = a.layout;
  const int gx = min(l.ghosts[0], layers), gy = min(l.ghosts[1], layers), gz = min(l.ghosts[2], layers);
  const std::int64_t wide_x = l.cells[0] + 2 * gx, wide_y = l.cells[1] + 2 * gy,
                     count = wide_x * wide_y * (l.cells[2] + 2 * gz);
  Real rate = 0;
  bool good = true;
  for (std::int64_t n = global_thread(); n < count; n += std::int64_t{gridDim.x} * blockDim.x) {
    const int i = static_cast<int>(n % wide_x) - gx, j = static_cast<int>(n / wide_x % wide_y) - gy,
              k = static_cast<int>(n / wide_x / wide_y) - gz;
    if (axes_beyond(l, i, j, k) > 1 || is_solid(solids, rules, i, j, k)) continue;
    const IdealGas<Real> gas = a.gas_in(u, i, j, k);
    const Primitive<Real> q = to_primitive(load(l, u, i, j, k), gas);
    const Real own = cfl_rate(q, a.inverse_widths(i, j, k).along, gas, terms);
    good &= (positive_and_finite(q.pressure) & positive_and_finite(own)) | !l.holds(i, j, k);
    rate = max(own, rate);
  }
  if (!good) reporter.raise();
  rate = largest_of_warp(rate);
  if (threadIdx.x % 32 == 0) add_rate(result, rate);
}

/// Sets the words of exact sums to 0. Cancelled attempts must not, because the next one may be summing in
/// another stream.
template <class Sums>
__global__ void clear_sums(Sums* sums, soft_error::Reporter<> reporter) {
  if (!reporter.cancelled() && global_thread() < kWords<Sums>) words(*sums)[global_thread()] = 0;
}

/// Adds value(i, j, k) of all cells.
template <class Value>
__device__ void add_cells(const Layout& l, ExactSum& to, Value value) {
  ExactWindow window;
  visit_in_warps(l.cell_count(), [&](std::int64_t n) {
    int i, j, k;
    window.add(find_cell(l, n, i, j, k) ? value(i, j, k) : 0, to);
  });
  window.flush(to);
}

/// `fastest`: returns the key of a cell; see FastestCellOfMesh.
template <bool is_stretched, class Real, class Fastest>
__global__ void __launch_bounds__(kSmallBlock, kSumBlocks)
    sum_cells(const __grid_constant__ Layout l, const Real* u, const __grid_constant__ Gases<double> gases,
              const __grid_constant__ InverseSpacing inverse,
              const __grid_constant__ AxisTableViews<Real> tables, const SolidMask solids,
              const __grid_constant__ Fastest fastest, bool with_enstrophy, ExactTotals* to,
              soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  const auto axes = tables_for_sums<is_stretched>(tables);
  const auto volume = [&](int i, int j, int k) {
    return solids.has(l, i, j, k) ? 0 : relative_volume(axes, i, j, k);
  };
  TotalsWindow window;
  visit_cells_in_warps(l, [&](bool is_one, int i, int j, int k) {
    const bool counts = is_one && !solids.has(l, i, j, k);
    window.add(counts ? weighted(totals_of_cell(l, u, i, j, k, gases), volume(i, j, k), fastest(u, i, j, k))
                      : PartialTotals{},
               *to);
  });
  window.flush(*to);
  for (int s = 0; s < l.carried(); ++s)
    add_cells(l, to->sums.scalar[s],
              [&](int i, int j, int k) { return volume(i, j, k) * double(scalar(l, u, s, i, j, k)); });
  if (with_enstrophy)
    add_cells(l, to->sums.enstrophy, [&](int i, int j, int k) {
      return volume(i, j, k) * enstrophy_density(l, u, i, j, k, inverse.along, axes);
    });
}

/// Carries in exact sums, a thread to a sum.
template <class Sums>
__global__ void carry_sums(Sums* sums, soft_error::Reporter<> reporter) {
  if (!reporter.cancelled()) carry_sum(*sums, static_cast<int>(threadIdx.x));
}

/// Rounds exact sums, a thread to a sum.
template <class Sums, class Rounded>
__global__ void round_sums(const Sums* sums, Rounded* rounded, soft_error::Reporter<> reporter) {
  if (!reporter.cancelled()) round_sum(*sums, *rounded, static_cast<int>(threadIdx.x));
}

/// Applies the attempt's remedy to the stage's cells, then checks them: the stage's own raises were muted.
/// `dt`: the step's, in place of the arguments'.
template <class Real>
__global__ void correct_cells(const __grid_constant__ StageArguments<Real> stage, const double* dt,
                              const __grid_constant__ Scheme scheme,
                              const __grid_constant__ BoundaryConditions<Real> rules,
                              const std::uint8_t* mask, const SolidMask solids, Remedy remedy, Floors floors,
                              ExactFloorSums* added, StageResult* result, soft_error::Reporter<> reporter) {
  int i, j, k;
  if (!thread_cell(stage.layout, i, j, k) || solids.has(stage.layout, i, j, k)) return;
  StageArguments<Real> a = stage;
  a.dt = static_cast<Real>(*dt);
  correct_to_first_order(a, scheme, rules, mask, remedy, floors, i, j, k, *added);
  look_at(a, i, j, k, result, reporter);
}

/// Relaxes the cells in sponges over the step, and checks them. Looks at no raise of its own stage: which
/// warps still saw none would depend on timing, and so would the report.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock, kSumBlocks)
    relax_sponges(const __grid_constant__ StageArguments<Real> a, const double* dt, double cfl_limit,
                  const SpongeCell* cells, std::int64_t count, ExactConserved* added, StageResult* result,
                  soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  ConservedWindow window;
  visit_in_warps(count, [&](std::int64_t n) {
    Conserved<double> change{};
    if (n < count) {
      const SpongeCell own = cells[n];
      change = relax(a, own, *dt, cfl_limit);
      look_at(a, own.i, own.j, own.k, result, reporter);
    }
    window.add(change, *added);
  });
  window.flush(*added);
}

/// What the sums over the sides of the domain in a stage need.
template <class Real>
struct SideSums {
  BudgetArguments<Real> args;
  OpenSides sides;
  SolidMask solids;
  const double* dt;  ///< the step's, on the device; used in place of the arguments'
  ExactBudget* budget;
  soft_error::Reporter<> reporter;
};

/// Adds what comes in through the sides of the domain in a stage, outside of bodies, a side to each
/// blockIdx.y. `inflow`: that through a face, such as InflowOfCell.
template <class Real, class Inflow>
__global__ void __launch_bounds__(kSmallBlock)
    add_up_sides(const __grid_constant__ SideSums<Real> of, const Inflow inflow) {
  if (of.reporter.cancelled()) return;
  const Layout& l = of.args.rhs.stage.layout;
  const int axis = of.sides.axis[blockIdx.y], side = of.sides.side[blockIdx.y];
  const CellsBesideWalls cells(l, axis);
  const std::int64_t count = cells.count() / 2;
  ExactConserved& to = of.budget->sides[axis][side];
  ConservedWindow window;
  visit_in_warps(count, [&](std::int64_t n) {
    Conserved<double> change{};
    if (n < count) {
      int at[3];
      cells.cell(side * count + n, at);
      if (!of.solids.has(l, at[0], at[1], at[2]))
        change = inflow(of.args, static_cast<Real>(*of.dt), axis, side, at[0], at[1], at[2]);
    }
    window.add(change, to);
  });
  window.flush(to);
}

/// Adds what comes out of a body through its faces in a stage.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    add_up_body(const __grid_constant__ BudgetArguments<Real> a, const SolidFace* faces, std::int64_t count,
                const double* dt, ExactBudget* budget, soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  ConservedWindow window;
  visit_in_warps(count, [&](std::int64_t n) {
    Conserved<double> change{};
    if (n < count) {
      const SolidFace& face = faces[n];
      change =
          InflowOfCell{}(a, static_cast<Real>(*dt), face.axis, face.side, face.at[0], face.at[1], face.at[2]);
    }
    window.add(change, budget->bodies);
  });
  window.flush(budget->bodies);
}

/// Adds what gravity brings in.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock, kSumBlocks)
    add_up_gravity(const __grid_constant__ BudgetArguments<Real> a, const SolidMask solids, const double* dt,
                   ExactBudget* budget, soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  const Layout& l = a.rhs.stage.layout;
  ConservedWindow window;
  visit_cells_in_warps(l, [&](bool is_one, int i, int j, int k) {
    const bool counts = is_one && !solids.has(l, i, j, k);
    window.add(counts ? change_by_forces(a, static_cast<Real>(*dt), {}, {}, i, j, k) : Conserved<double>{},
               budget->forces);
  });
  window.flush(budget->forces);
}

/// Adds the heat of half of a stiff source.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock, kSumBlocks)
    add_up_heat(const __grid_constant__ StageArguments<Real> a, const SolidMask solids, ExactBudget* budget,
                soft_error::Reporter<> reporter) {
  if (!reporter.cancelled())
    add_cells(a.layout, budget->sources.energy, [&](int i, int j, int k) {
      return solids.has(a.layout, i, j, k) ? 0 : heat_of_source(a, i, j, k);
    });
}

}  // namespace halfstep
