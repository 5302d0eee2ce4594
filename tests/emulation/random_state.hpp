// A state at random in all cells, ghosts too, to compare kernels with the host on.
#pragma once

#include <random>
#include <vector>

#include "physics/eos.hpp"
#include "physics/layout.hpp"

namespace halfstep {

/// Conserved variables, as Layout has them. Calm, or rough: with jumps that make edge states unphysical.
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
        store(l, u.data(), i, j, k, to_conserved(q, IdealGas<Real>{}));
        if (l.has_reactant()) reactant(l, u.data(), i, j, k) = random(0, 1) * q.density;
      }
  return u;
}

}  // namespace halfstep
