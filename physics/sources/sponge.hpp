// Sponges: cells whose state u relaxes to a target, du/dt = rate (target - u). That equation is solved
// exactly over a step, after its stages, so that no rate limits the step. The result lies between state and
// target: it is admissible where both are.
#pragma once

#include <cstdint>

#include "physics/base/portable_math.hpp"
#include "physics/mesh/layout.hpp"

namespace halfstep {

/// A cell in a sponge.
struct SpongeCell {
  int i, j, k;
  double rate;  ///< 1 / time
  Conserved<double> target;
};

/// The mass, momentum and energy that sponges added to a state.
struct SpongeSums {
  double mass = 0, energy = 0;
  double momentum[3]{};
};

HALFSTEP_HD void merge(SpongeSums& t, const SpongeSums& other) {
  t.mass += other.mass;
  t.energy += other.energy;
  for (int axis = 0; axis < 3; ++axis) t.momentum[axis] += other.momentum[axis];
}

/// Returns sums over the mesh from sums of densities over its cells.
inline SpongeSums over(const Mesh& mesh, const SpongeSums& s) {
  const double volume = mesh.spacing(0) * mesh.spacing(1) * mesh.spacing(2);
  return {volume * s.mass,
          volume * s.energy,
          {volume * s.momentum[0], volume * s.momentum[1], volume * s.momentum[2]}};
}

/// The list of cells is summed in rows of this length (runtime/device/reduction.hpp).
inline constexpr int kSpongeRow = 1024;
HALFSTEP_HD constexpr std::int64_t sponge_rows(std::int64_t cells) {
  return (cells + kSpongeRow - 1) / kSpongeRow;
}

/// Relaxes the state of a cell of `u` over dt and adds the change, per volume, to `sum`. Mass fractions stay.
/// A state that is the target keeps its bits.
template <class Real>
HALFSTEP_HD void relax(const Layout& l, Real* u, const SpongeCell& cell, double dt, SpongeSums& sum) {
  const int i = cell.i, j = cell.j, k = cell.k;
  const double share = 1 - portable::exp(-cell.rate * dt);
  const auto relaxed = [&](Real from, double to) {
    return static_cast<Real>(double(from) + share * (to - double(from)));
  };
  const Conserved<Real> before = load(l, u, i, j, k);
  const Conserved<Real> after = {relaxed(before.density, cell.target.density),
                                 relaxed(before.mu, cell.target.mu), relaxed(before.mv, cell.target.mv),
                                 relaxed(before.mw, cell.target.mw),
                                 relaxed(before.energy, cell.target.energy)};
  store(l, u, i, j, k, after);
  for (int s = 0; s < l.scalars(); ++s) scalar(l, u, s, i, j, k) *= after.density / before.density;
  merge(sum, {double(after.density) - double(before.density),
              double(after.energy) - double(before.energy),
              {double(after.mu) - double(before.mu), double(after.mv) - double(before.mv),
               double(after.mw) - double(before.mw)}});
}

}  // namespace halfstep
