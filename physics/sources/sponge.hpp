// Sponges: cells whose state u relaxes to a target, du/dt = rate (target - u). That equation is solved
// exactly over a step, after its stages, so that no rate limits the step. The result lies between state and
// target: it is admissible where both are.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/base/portable_math.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/gas/cfl_rate.hpp"
#include "physics/stage/stage.hpp"

namespace halfstep {

/// A cell in a sponge.
struct SpongeCell {
  int i = 0, j = 0, k = 0;
  double rate = 0;  ///< 1 / time; 0: the cell is in no sponge
  Conserved<double> target{};
};

/// The sponges of a flow. They are sought in the mesh only when asked for, because that takes time.
class Sponges {
 public:
  virtual ~Sponges() = default;
  /// Returns the number of cells that lie in sponges or touch one: not less than there are in cells().
  virtual std::int64_t count() const = 0;
  /// Returns the cells that lie in sponges, in the mesh's order. Throws std::invalid_argument with the first
  /// cell in which a rate or target is none of a sponge.
  virtual std::vector<SpongeCell> cells() const = 0;
};

/// The cells that a substep relaxes, in the mesh's order.
struct RelaxedCells {
  const SpongeCell* cells = nullptr;
  std::int64_t count = 0;

  /// Returns the cell (i, j, k), without a rate if it is none of them.
  HALFSTEP_HD SpongeCell find(int i, int j, int k) const {
    const auto is_before = [&](const SpongeCell& c) {
      return c.k != k ? c.k < k : c.j != j ? c.j < j : c.i < i;
    };
    std::int64_t lower = 0, upper = count;
    while (lower < upper) {
      const std::int64_t middle = (lower + upper) / 2;
      if (is_before(cells[middle]))
        lower = middle + 1;
      else
        upper = middle;
    }
    const bool found = lower < count && cells[lower].i == i && cells[lower].j == j && cells[lower].k == k;
    return found ? cells[lower] : SpongeCell{};
  }
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

/// Returns what was added to the mesh from the sum of what relax() returns.
inline SpongeSums over(const Mesh& mesh, const Conserved<double>& change) {
  const Conserved<double> c = mesh.mean_volume() * change;
  return {c.density, c.energy, {c.mu, c.mv, c.mw}};
}

/// Whether a step of dt is rejected for the state `u` that the substep `a` left in a cell: it is not
/// admissible, or waves cross more of the cell than `cfl_limit`, if that is > 0.
template <class Real>
HALFSTEP_HD bool is_rejected(const StageArguments<Real>& a, const Conserved<Real>& u, const SpongeCell& cell,
                             double dt, double cfl_limit) {
  if (!is_admissible(u, a.gas)) return true;
  if (!(a.wants_rate && cfl_limit > 0)) return false;
  const InverseWidths<Real> inverse = a.inverse_widths(cell.i, cell.j, cell.k);
  return dt * double(cfl_rate(to_primitive(u, a.gas), inverse.along, a.gas)) > cfl_limit;
}

/// Returns the state `u` that the substep `a` left in a cell after dt in its sponge. A state that is the
/// target keeps its bits. So does one for which the step is rejected: relaxed, it would hide the reason.
template <class Real>
HALFSTEP_HD Conserved<Real> relaxed(const StageArguments<Real>& a, const Conserved<Real>& u,
                                    const SpongeCell& cell, double dt, double cfl_limit) {
  if (is_rejected(a, u, cell, dt, cfl_limit)) return u;
  const double share = 1 - portable::exp(-cell.rate * dt);
  const auto towards = [&](Real from, double to) {
    return static_cast<Real>(double(from) + share * (to - double(from)));
  };
  return {towards(u.density, cell.target.density), towards(u.mu, cell.target.mu),
          towards(u.mv, cell.target.mv), towards(u.mw, cell.target.mw),
          towards(u.energy, cell.target.energy)};
}

/// Relaxes a cell of the substep's output over dt and returns the change, per volume of a cell of mean
/// widths. Mass fractions stay.
template <class Real>
HALFSTEP_HD Conserved<double> relax(const StageArguments<Real>& a, const SpongeCell& cell, double dt,
                                    double cfl_limit) {
  const Layout& l = a.layout;
  const int i = cell.i, j = cell.j, k = cell.k;
  const Conserved<Real> before = load(l, a.out, i, j, k), after = relaxed(a, before, cell, dt, cfl_limit);
  store(l, a.out, i, j, k, after);
  if (after.density != before.density)
    for (int s = 0; s < l.scalars(); ++s) scalar(l, a.out, s, i, j, k) *= after.density / before.density;
  return relative_volume(a.axes, i, j, k) * (widened(after) - widened(before));
}

}  // namespace halfstep
