// Half of a step's source in every cell. The work of a cell depends on its state, so resumable threads do it:
// each integrates one cell after the other, and may be interrupted after any inner step.
#pragma once

#include "physics/gas/admissible.hpp"
#include "physics/sources/source_of_cell.hpp"
#include "physics/stage/check.hpp"
#include "runtime/interruptible/resumable.hpp"
#include "runtime/soft_error/reporter.hpp"

#if !defined(__CUDA_ARCH__)
#include <atomic>
#include <bit>
#endif

namespace halfstep {

/// The arguments of a substep that is half of a step's source.
template <class Real>
struct SourceArguments {
  StageArguments<Real> stage;  ///< `in` and `out`; `wants_rate` in the last substep
  Source source;
  const double* dt;  ///< the step's, in the memory of the threads
  soft_error::Reporter<> reporter;
  unsigned long long* rate_bits;  ///< the largest CFL rate; bits of positive doubles order as the values do
  /// The m-th cell of thread n is cell n + m * threads on a device, for coalesced access, and
  /// n * run + m, m < run, on the host.
  std::int64_t threads, run;
  /// Of each cell, x fastest, not 0 where the source does not act: in bodies. Null: it acts everywhere.
  const std::uint8_t* inert = nullptr;

  /// Finds the indices of a thread's m-th cell; returns false where it has none.
  HALFSTEP_HD bool cell(std::int64_t thread, std::int64_t m, int& i, int& j, int& k) const {
#if defined(__CUDA_ARCH__)
    const std::int64_t n = thread + m * threads;
#else
    if (m == run) return false;
    const std::int64_t n = thread * run + m;
#endif
    const int* size = stage.layout.cells;
    i = static_cast<int>(n % size[0]);
    j = static_cast<int>(n / size[0] % size[1]);
    const std::int64_t plane = n / size[0] / size[1];
    k = static_cast<int>(plane);
    return plane < size[2];
  }
  HALFSTEP_HD bool is_inert(int i, int j, int k) const {
    const int* size = stage.layout.cells;
    return inert && inert[(std::int64_t{k} * size[1] + j) * size[0] + i] != 0;
  }
};

/// The data that a thread keeps from one slice to the next.
struct SourceRecord : interruptible::Resumable {
  bool begun = false;      ///< `cell` belongs to the next cell
  std::int64_t cells = 0;  ///< finished cells
  InnerIntegration cell{};
  double rate = 0;  ///< the largest of the finished cells
};

/// The safe points of a kernel that is not interruptible.
struct NoSafePoints {
  std::int64_t number;
  HALFSTEP_HD bool due() const { return false; }
  HALFSTEP_HD std::int64_t thread() const { return number; }
};

HALFSTEP_HD void keep_largest(unsigned long long* bits, double rate) {
#if defined(__CUDA_ARCH__)
  atomicMax(bits, static_cast<unsigned long long>(__double_as_longlong(rate)));
#else
  const std::atomic_ref<unsigned long long> word(*bits);
  const auto mine = std::bit_cast<unsigned long long>(rate);
  for (auto seen = word.load(); seen < mine && !word.compare_exchange_weak(seen, mine);) {
  }
#endif
}

/// Integrates the cells of a resumable thread. Raises for a cell whose integration gave up or whose result is
/// not admissible.
template <class Real, class SafePoints>
HALFSTEP_HD void integrate_cells(const SourceArguments<Real>& a, SourceRecord& my, SafePoints& safe_points) {
  if (a.reporter.cancelled()) return my.finish();
  const StageArguments<Real>& s = a.stage;
  const double span = 0.5 * *a.dt, gamma = double(s.gas.gamma);
  for (int i, j, k; a.cell(safe_points.thread(), my.cells, i, j, k);) {
    if (a.is_inert(i, j, k)) {
      store_source_state(s.layout, s.in, s.out, i, j, k, load_source_state(s.layout, s.in, i, j, k));
      my.cells += 1;
      continue;
    }
    const SourceState state = load_source_state(s.layout, s.in, i, j, k);
    if (!my.begun) my.cell = begin_cell(a.source, state.flow, state.reactant, gamma);
    my.begun = true;
    InnerStep last;
    while ((last = advance_cell(a.source, state.flow, state.reactant, gamma, span, my.cell)) ==
           InnerStep::goes_on)
      if (safe_points.due()) return;
    const SourceState after = source_result(a.source, state, gamma, my.cell, last);
    store_source_state(s.layout, s.in, s.out, i, j, k, after);
    Real rate = 0;
    if (!check_cell(s, i, j, k, rate)) a.reporter.raise();
    my.rate = max(double(rate), my.rate);
    my.begun = false;
    my.cells += 1;
    if (safe_points.due()) return;
  }
  if (s.wants_rate) keep_largest(a.rate_bits, my.rate);
  my.finish();
}

}  // namespace halfstep
