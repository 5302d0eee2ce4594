// The sweep of the study `interruptible`: its fluxes, whatever interrupts it and however often.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "app/study/flux_sweep.hpp"
#include "physics/gas/rotate.hpp"
#include "runtime/interruptible/host_launcher.hpp"
#include "tests/support/cells.hpp"

namespace {

using namespace halfstep;
using namespace halfstep::interruptible;
using enum SafePointEvery;

constexpr IdealGas<double> kGas;
constexpr double kUnwritten = std::numeric_limits<double>::max();

/// A small block of cells and the sweep over it.
struct Block {
  Layout layout{{6, 8, 12}, {0, 0, Weno5z::radius + 1}};
  std::vector<double> u = std::vector<double>(layout.values(), 1.0);
  std::vector<double> out = std::vector<double>(layout.values(), kUnwritten);

  Block() {
    for (int k = -layout.ghosts[2]; k < layout.cells[2] + layout.ghosts[2]; ++k)
      for (int j = 0; j < layout.cells[1]; ++j)
        for (int i = 0; i < layout.cells[0]; ++i)
          store(layout, u.data(), i, j, k, swept_state(layout, i, j, k, kGas));
  }
  Sweep sweep(int cells, int pencils) { return {layout, u.data(), out.data(), kGas, cells, pencils}; }
};

template <class Reconstruction>
Conserved<double> flux_above(const Block& block, int i, int j, int k) {
  constexpr int r = Reconstruction::radius;
  Primitive<double> q[2 * r + 2];
  for (int m = 0; m < 2 * r + 2; ++m)
    q[m] = rotated(to_primitive(load(block.layout, block.u.data(), i, j, k - r + m), kGas), 2);
  return face_flux<Reconstruction, Variables::primitive, Hllc>(q, kGas).flux;
}

/// Returns the expected output of the sweep, from one face after another.
template <class Reconstruction>
std::vector<double> expected_of(const Block& block) {
  std::vector<double> out(block.out.size(), kUnwritten);
  const Layout& l = block.layout;
  for_every_cell(l.cells, [&](const auto& cell) {
    const auto& [i, j, k] = cell;
    store(l, out.data(), i, j, k,
          flux_above<Reconstruction>(block, i, j, k) - flux_above<Reconstruction>(block, i, j, k - 1));
  });
  return out;
}

template <class Reconstruction, SafePointEvery every>
void sweep_under(const Limits& limits, std::int64_t launches) {
  Block block;
  const Sweep sweep = block.sweep(4, 2);
  HostLauncher<sweep_pencils<Reconstruction, every, SafePoints>, Sweep, Sweeper> launcher(sweep.threads(), 2);
  CHECK(launcher.run(sweep, limits) == Outcome::finished);
  CHECK(launcher.progress().launches == launches);
  CHECK((block.out == expected_of<Reconstruction>(block)));
}

}  // namespace

TEST_CASE("a sweep in pencils is the flux through the upper face of each cell less that through its lower") {
  for (const auto& [cells, pencils] : {std::pair{12, 8}, {4, 2}, {1, 1}}) {
    CAPTURE(cells);
    Block block;
    const Sweep sweep = block.sweep(cells, pencils);
    CHECK(sweep.threads() * cells * pencils == 6 * 8 * 12);
    HostLauncher<sweep_pencils<Plm<Limiter::van_leer>, tile, SafePoints>, Sweep, Sweeper> launcher(
        sweep.threads(), 1);
    CHECK(launcher.slice(sweep, {}));
    CHECK((block.out == expected_of<Plm<Limiter::van_leer>>(block)));
  }
}

TEST_CASE("a sweep that is interrupted, at every safe point or at some, gives the same") {
  // Each thread has 2 pencils of 4 cells.
  sweep_under<Plm<Limiter::van_leer>, cell>({.interrupts_per_launch = 1}, 9);
  sweep_under<Plm<Limiter::van_leer>, cell>({.interrupts_per_launch = 3}, 3);
  sweep_under<Plm<Limiter::van_leer>, pencil>({.interrupts_per_launch = 1}, 3);
  sweep_under<Plm<Limiter::van_leer>, tile>({.interrupts_per_launch = 1}, 1);
  sweep_under<Weno5z, cell>({.interrupts_per_launch = 1}, 9);
  sweep_under<Weno5z, pencil>({.interrupts_per_launch = 1}, 3);
}
