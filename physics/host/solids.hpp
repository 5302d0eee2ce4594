// The cells in bodies, over OpenMP threads.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/solids/solid_state.hpp"
#include "physics/solids/solid_mask.hpp"
#include "physics/solids/solids.hpp"
#include "physics/stage/check.hpp"

namespace halfstep {

template <class Real>
class HostSolids {
 public:
  explicit HostSolids(const Solids& solids) : cells_(solids.cells()), walls_(walls_of(solids.bodies())) {}

  SolidMask mask() const { return {cells_.mask.data()}; }
  bool reach_beyond_sides() const { return cells_.layers > 0; }
  std::int64_t bytes() const {
    return static_cast<std::int64_t>(cells_.near.size() * sizeof(SolidCell) +
                                     cells_.deep.size() * sizeof(CellPlace) + cells_.mask.size());
  }

  /// Brings the deep cells of an initial state to rest.
  void begin(const BoundaryConditions<Real>& rules, Real* u, int threads) const {
    const IdealGas<Real> gas = in_precision<Real>(rules.gases).first;
    over(cells_.deep, threads, [&](const CellPlace& c) { bring_to_rest(rules.layout, c, gas, u); });
  }

  /// Returns the largest CFL rate that the stage left in cells in bodies.
  Real rate(const StageArguments<Real>& args, int threads) const {
    Real rate = 0;
    const auto look = [&](const auto& cells, auto index_of) {
#pragma omp parallel for num_threads(threads) reduction(max : rate)
      for (std::int64_t n = 0; n < std::ssize(cells); ++n) {
        const auto& [i, j, k] = index_of(cells[static_cast<std::size_t>(n)]);
        Real own = 0;
        check_cell(args, i, j, k, own);
        rate = max(own, rate);
      }
    };
    look(
        cells_.near, [](const SolidCell& c) -> const auto& { return c.at; });
    look(
        cells_.deep, [](const CellPlace& c) -> const auto& { return c; });
    return rate;
  }

  /// Leaves the deep cells as they were before the stage.
  void keep(const Layout& layout, const Real* in, Real* out, int threads) const {
    over(cells_.deep, threads, [&](const CellPlace& c) { keep_deep_cell(layout, c, in, out); });
  }

  void fill(const BoundaryConditions<Real>& rules, Real* u, int threads) const {
    over(cells_.near, threads, [&](const SolidCell& c) { fill_solid_cell(rules, walls_.data(), c, u); });
  }

 private:
  template <class Cell, class F>
  static void over(const std::vector<Cell>& cells, int threads, F f) {
#pragma omp parallel for num_threads(threads)
    for (std::int64_t n = 0; n < std::ssize(cells); ++n) f(cells[static_cast<std::size_t>(n)]);
  }

  const SolidCells& cells_;
  std::vector<Wall> walls_;
};

}  // namespace halfstep
