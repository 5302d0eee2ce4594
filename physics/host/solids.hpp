// The cells in bodies, over OpenMP threads.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "physics/rhs/fourth_order_face.hpp"
#include "physics/solids/solid_mask.hpp"
#include "physics/solids/solid_state.hpp"
#include "physics/solids/solids.hpp"
#include "physics/solver/over_ranks.hpp"
#include "physics/stage/check.hpp"

namespace halfstep {

template <class Real>
class HostSolids {
 public:
  explicit HostSolids(const Solids& solids) : cells_(solids.cells()), walls_(walls_of(solids.bodies())) {}

  SolidMask mask() const { return {cells_.mask.data()}; }
  UncorrectedFaces uncorrected() const {
    return {cells_.uncorrected.empty() ? nullptr : cells_.uncorrected.data()};
  }
  bool reach_beyond_sides() const { return cells_.layers > 0; }
  std::int64_t bytes() const {
    return static_cast<std::int64_t>(cells_.near.size() * sizeof(SolidCell) +
                                     (cells_.rim.size() + cells_.core.size()) * sizeof(CellPlace) +
                                     cells_.mask.size() + cells_.uncorrected.size());
  }

  /// Sets the state of deep cells, which fill() gives them, to that of their sample in the initial state `u`.
  void begin(const Problem& problem, const Layout& layout, const Real* u) {
    std::optional<Conserved<double>> sample;
    if (const auto& c = cells_.sample) sample = widened(load(layout, u, (*c)[0], (*c)[1], (*c)[2]));
    deep_ = state_of_deep_cells<Real>(problem, sample);
  }

  /// Returns the largest CFL rate that the stage left in cells in bodies.
  Real rate(const StageArguments<Real>& args, int threads) const {
    Real rate = 0;
    const auto look = [&](const auto& cells, auto place_of) {
#pragma omp parallel for num_threads(threads) reduction(max : rate)
      for (std::int64_t n = 0; n < std::ssize(cells); ++n) {
        const auto& [i, j, k] = place_of(cells[static_cast<std::size_t>(n)]);
        Real own = 0;
        check_cell(args, i, j, k, own);
        rate = max(own, rate);
      }
    };
    look(
        cells_.near, [](const SolidCell& c) -> const auto& { return c.at; });
    look(
        cells_.rim, [](const CellPlace& c) -> const auto& { return c; });
    look(
        cells_.core, [](const CellPlace& c) -> const auto& { return c; });
    return rate;
  }

  /// Fills the cells in bodies of the state `u`; those of the core only where they may have changed.
  void fill(const BoundaryConditions<Real>& rules, bool with_core, Real* u, int threads) const {
    const auto fill_deep = [&](const CellPlace& c) { fill_deep_cell(rules.layout, c, deep_, u); };
    over(cells_.near, threads, [&](const SolidCell& c) {
      const AroundProbe<Real> around(rules.layout, c, u);
      fill_solid_cell(rules, walls_.data(), c, around, flow_at_probe<Real>(around, c), u);
    });
    over(cells_.rim, threads, fill_deep);
    if (with_core) over(cells_.core, threads, fill_deep);
  }

 private:
  template <class Cell, class F>
  static void over(const std::vector<Cell>& cells, int threads, F f) {
#pragma omp parallel for num_threads(threads)
    for (std::int64_t n = 0; n < std::ssize(cells); ++n) f(cells[static_cast<std::size_t>(n)]);
  }

  const SolidCells& cells_;
  std::vector<Wall> walls_;
  Conserved<Real> deep_{};
};

}  // namespace halfstep
