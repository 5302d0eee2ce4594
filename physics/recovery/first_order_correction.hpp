// The remedies when a smaller time step does not help: first-order flux correction around the flagged cells,
// then floors. Pure functions of a stage's arguments, for host and device.
#pragma once

#include <cstdint>

#include "physics/recovery/floors.hpp"
#include "physics/stage/first_order_faces.hpp"
#include "physics/stage/replay.hpp"
#include "runtime/stepping/ladder.hpp"

namespace halfstep {

/// Recomputes the update of a cell with first-order faces from the stage's inputs. Those faces have Rusanov's
/// flux between the cell averages: a cell with such faces alone stays positive as long as
/// dt * sum_d (|u_d| + c) / dx_d <= 1, the wave speeds being the largest beside its faces (Perthame & Shu
/// 1996). The other faces have the scheme's flux, as in the neighbouring cell, so the scheme stays
/// conservative.
template <class Real>
HALFSTEP_HD CellRecord<Real> first_order_update(const StageArguments<Real>& a, const Scheme& scheme,
                                                const BoundaryConditions<Real>& rules,
                                                const std::uint8_t* mask, int i, int j, int k) {
  return replay_cell(a, scheme, i, j, k, FirstOrderFaces<Real>{rules, mask});
}

/// Raises a cell of the stage's output to the floors. `added` sums the mass, momentum and energy that they
/// add, per volume of a cell of mean widths. Where they add mass, scalars keep the mass fractions of the
/// stage's input, since those of an update without mass mean nothing.
template <class Real>
HALFSTEP_HD void raise_to_floors(const StageArguments<Real>& a, const Floors& floors, int i, int j, int k,
                                 ExactFloorSums& added) {
  const Layout& l = a.layout;
  const Conserved<Real> update = load(l, a.out, i, j, k);
  const Conserved<Real> raised = floored(update, floors, a.gas_in(a.out, i, j, k));
  const Conserved<double> change = widened(raised) - widened(update);
  const double mass = change.density, energy = change.energy;
  const bool changed = mass != 0 || energy != 0, counts = mass == mass && energy == energy;  // not NaN
  if (changed && counts) {
    add(added.added, relative_volume(a.axes, i, j, k) * change);
    add_word(added.cells, 1);
  }
  for (int s = 0; mass != 0 && s < l.scalars(); ++s) {
    const Real fraction = min(max(mass_fraction(l, a.in, s, i, j, k), Real(0)), Real(1));
    scalar(l, a.out, s, i, j, k) = raised.density * fraction;
  }
  store(l, a.out, i, j, k, raised);
}

/// Replaces the stage's update of one cell by the remedy's. `added` as in raise_to_floors().
template <class Real>
HALFSTEP_HD void correct_to_first_order(const StageArguments<Real>& a, const Scheme& scheme,
                                        const BoundaryConditions<Real>& rules, const std::uint8_t* mask,
                                        Remedy remedy, const Floors& floors, int i, int j, int k,
                                        ExactFloorSums& added) {
  const Layout& l = a.layout;
  if (has_first_order_face(rules, mask, i, j, k)) {
    const CellRecord<Real> record = first_order_update(a, scheme, rules, mask, i, j, k);
    store(l, a.out, i, j, k, record.after);
    for (int s = 0; s < l.scalars(); ++s)
      scalar(l, a.out, s, i, j, k) = replay_scalar(a, scheme, record, s, i, j, k);
    if (l.two_gases) scalar(l, a.out, l.scalars(), i, j, k) = replay_fraction(a, record, i, j, k);
  }
  if (remedy == Remedy::floor) raise_to_floors(a, floors, i, j, k, added);
}

}  // namespace halfstep
