// Random states in all cells and ghosts, and a stage between two of them, to compare kernels with the host.
#pragma once

#include <array>
#include <random>
#include <vector>

#include "physics/gas/eos.hpp"
#include "physics/mesh/layout.hpp"
#include "physics/stage/stage.hpp"
#include "tests/support/stretched.hpp"

namespace halfstep {

/// Returns the gases of random states of two.
template <class Real>
Gases<Real> random_gases() {
  return {IdealGas<Real>{}, Real(1.5)};
}

/// Returns conserved variables as Layout stores them; `rough` ones have jumps with unphysical edge states.
template <class Real>
std::vector<Real> random_state(const Layout& l, bool rough, unsigned seed) {
  std::mt19937 generator(seed);
  const auto random = [&](double lower, double upper) {
    return Real(lower + (upper - lower) * (generator() / double(generator.max())));
  };
  const Real spread = rough ? Real(0.97) : Real(0.3);
  std::vector<Real> u(l.values(), Real(1));
  for (int k = -l.ghosts[2]; k < l.cells[2] + l.ghosts[2]; ++k)
    for (int j = -l.ghosts[1]; j < l.cells[1] + l.ghosts[1]; ++j)
      for (int i = -l.ghosts[0]; i < l.cells[0] + l.ghosts[0]; ++i) {
        Primitive<Real> q{random(1 - spread, 1 + spread), random(-1, 1), random(-1, 1), random(-1, 1),
                          random(1 - spread, 1 + spread)};
        if (rough && random(0, 1) > Real(0.95)) q.pressure = Real(1e-4);
        const Real fraction = l.two_gases ? random(0, 1) : Real(0);
        if (l.two_gases) scalar(l, u.data(), l.scalars(), i, j, k) = fraction;
        store(l, u.data(), i, j, k,
              to_conserved(q, l.two_gases ? random_gases<Real>().mixed(fraction) : IdealGas<Real>{}));
        for (int s = 0; s < l.scalars(); ++s) scalar(l, u.data(), s, i, j, k) = random(0, 1) * q.density;
      }
  return u;
}

/// A stage with random states; the caller must set arguments.out.
template <class Real>
struct RandomStage {
  Layout layout;
  std::vector<Real> start, in;
  AxisTables<Real> tables;
  StageArguments<Real> arguments;

  RandomStage(const std::array<int, 3>& cells, int layers, Real keep, bool rough = false,
              int fields = kFields, bool two_gases = false)
      : layout(Mesh{.cells = cells}, layers, fields, two_gases),
        start(random_state<Real>(layout, false, 1)),
        in(random_state<Real>(layout, rough, 2)),
        tables(stretched(Mesh{.cells = cells})),
        arguments{.layout = layout,
                  .start = keep != Real(0) ? start.data() : nullptr,
                  .in = in.data(),
                  .out = nullptr,
                  .beta = Real(1) - keep,
                  .dt = Real(1e-3),
                  .inverse_dx = {},
                  .gas = {},
                  .raise_bad_faces = true,
                  .wants_rate = keep != Real(0),
                  .second_gas = random_gases<Real>().second,
                  .dither = dither_of<Real>(3, 1, RoundedSum::update),
                  .start_dither = dither_of<Real>(3, 1, RoundedSum::terms)} {
    for (int axis = 0; axis < 3; ++axis) arguments.inverse_dx[axis] = Real(cells[axis] > 1 ? cells[axis] : 0);
  }
  RandomStage(const RandomStage&) = delete;  // the arguments point into it

  /// Makes the stage one of a mesh with cells of different widths.
  void stretch() { arguments.axes = tables.views(); }

  std::vector<Real> result() const { return std::vector<Real>(layout.values(), Real(7)); }
};

}  // namespace halfstep
