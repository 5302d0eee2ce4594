// What is tried when a smaller time step does not help: first-order fluxes around the flagged cells, then
// floors. Pure functions of a stage's arguments, for host and device.
#pragma once

#include <cstdint>

#include "physics/examine.hpp"
#include "physics/ghosts.hpp"
#include "runtime/stepping/ladder.hpp"

namespace halfstep {

/// Whether diagnosis flagged the cell. `mask`: a byte for each interior cell, x fastest; nullptr: none is
/// flagged. A ghost cell is as flagged as its source is, so that the mask needs no ghosts and both sides of a
/// periodic face see the same; a ghost cell that has no source never is.
template <class Real>
HALFSTEP_HD bool flagged(const GhostRules<Real>& rules, const std::uint8_t* mask, int i, int j, int k) {
  int at[3];
  bool mirrored[3];
  if (!mask || ghost_source(rules, i, j, k, at, mirrored) != GhostSource::cell) return false;
  const int* n = rules.layout.cells;
  return mask[(std::int64_t{at[2]} * n[1] + at[1]) * n[0] + at[0]] != 0;
}

/// Whether `holds(i, j, k)` of the cell or of one of its face neighbours on the swept axes.
template <class Holds>
HALFSTEP_HD bool here_or_beside(const Layout& l, int i, int j, int k, const Holds& holds) {
  bool found = holds(i, j, k);
  for (int axis = 0; axis < 3; ++axis)
    if (l.ghosts[axis] > 0)
      for (int s = -1; s <= 1; s += 2)
        found = found || holds(i + (axis == 0) * s, j + (axis == 1) * s, k + (axis == 2) * s);
  return found;
}

/// A cell whose faces are all first order: flagged, or beside one that is.
template <class Real>
HALFSTEP_HD bool troubled(const GhostRules<Real>& rules, const std::uint8_t* mask, int i, int j, int k) {
  return here_or_beside(rules.layout, i, j, k,
                        [&](int x, int y, int z) { return flagged(rules, mask, x, y, z); });
}

/// A cell with at least one face of first order, hence one whose update changes.
template <class Real>
HALFSTEP_HD bool touched(const GhostRules<Real>& rules, const std::uint8_t* mask, int i, int j, int k) {
  return here_or_beside(rules.layout, i, j, k,
                        [&](int x, int y, int z) { return troubled(rules, mask, x, y, z); });
}

/// For replay_cell and examine_cell: a face is first order when one of its two cells is troubled.
template <class Real>
struct FirstOrderFaces {
  const GhostRules<Real>& rules;
  const std::uint8_t* mask;

  HALFSTEP_HD bool operator()(int i, int j, int k, int axis, int side) const {
    const int s = side == 0 ? -1 : 1;
    return troubled(rules, mask, i, j, k) ||
           troubled(rules, mask, i + (axis == 0) * s, j + (axis == 1) * s, k + (axis == 2) * s);
  }
};

/// A touched cell's update computed again from the stage's inputs. Its first-order faces have Rusanov's flux
/// between the cell averages, with which a cell all of whose faces are first order stays positive as long as
/// dt * sum_d (|u_d| + c) / dx_d <= 1, the wave speeds being the largest beside its faces (Perthame & Shu
/// 1996). The other faces have the scheme's flux, as in the cell beyond them, so nothing is lost between
/// cells.
template <class Real>
HALFSTEP_HD CellRecord<Real> first_order_update(const StageArguments<Real>& a, const Scheme& scheme,
                                                const GhostRules<Real>& rules, const std::uint8_t* mask,
                                                int i, int j, int k) {
  return replay_cell(a, scheme, i, j, k, FirstOrderFaces<Real>{rules, mask});
}

/// The cell's state raised to the floors; the caller counts what that adds.
/// - A density that is positive but below its floor is raised, momentum and energy are kept: the cell slows
///   down and the motion lost becomes heat.
/// - Where the density is not positive nothing else of the state can be believed, and momentum / floor would
///   be an absurd velocity that ruins dt for all: the cell becomes gas at rest at both floors.
/// - A pressure below its floor is raised through the energy, momentum kept. No state can hold a pressure
/// that
///   drowns in the round-off of its kinetic energy, so the energy is raised to twice the margin of
///   is_admissible() at least: the kinetic energy here may be 5 unit roundoffs too small.
/// - A state that is not finite is returned as it is: a floor does not cure it.
template <class Real>
HALFSTEP_HD Conserved<Real> floored(const Conserved<Real>& c, const Floors& floors,
                                    const IdealGas<Real>& gas) {
  if (!(finite(c.density) && finite(c.mu) && finite(c.mv) && finite(c.mw) && finite(c.energy))) return c;
  const Real density = Real(floors.density), internal = Real(floors.pressure) / (gas.gamma - Real(1));
  if (!(c.density > Real(0))) return {density, Real(0), Real(0), Real(0), internal};
  Conserved<Real> r = c;
  r.density = larger(r.density, density);
  if (is_admissible(r) && to_primitive(r, gas).pressure >= Real(floors.pressure)) return r;
  const Real kinetic = Real(0.5) * (r.mu * r.mu + r.mv * r.mv + r.mw * r.mw) / r.density;
  const Real round_off = Real(2) * kEnergyMargin<Real> * kinetic;
  r.energy = larger(r.energy, kinetic + larger(internal, round_off));
  return r;
}

/// Puts the update of one cell under a remedy in the place of the stage's. `added` counts what floors add of
/// mass, momentum and energy, per volume; where they add mass they keep the mass fraction of the reactant
/// that went into the stage, since that of an update without mass means nothing.
template <class Real>
HALFSTEP_HD void mend_cell(const StageArguments<Real>& a, const Scheme& scheme, const GhostRules<Real>& rules,
                           const std::uint8_t* mask, Remedy remedy, const Floors& floors, int i, int j, int k,
                           FloorSums& added) {
  const Layout& l = a.layout;
  Conserved<Real> update = load(l, a.out, i, j, k);
  if (touched(rules, mask, i, j, k)) {
    const CellRecord<Real> record = first_order_update(a, scheme, rules, mask, i, j, k);
    update = record.after;
    if (l.has_reactant()) reactant(l, a.out, i, j, k) = record.reactant_after;
  }
  if (remedy == Remedy::floor) {
    const Conserved<Real> raised = floored(update, floors, a.gas);
    const double mass = double(raised.density) - double(update.density);
    const double energy = double(raised.energy) - double(update.energy);
    const bool changed = mass != 0 || energy != 0, counts = mass == mass && energy == energy;  // not NaN
    if (changed && counts)
      added = {added.cells + 1,
               added.mass + mass,
               added.energy + energy,
               {added.momentum[0] + (double(raised.mu) - double(update.mu)),
                added.momentum[1] + (double(raised.mv) - double(update.mv)),
                added.momentum[2] + (double(raised.mw) - double(update.mw))}};
    if (l.has_reactant() && mass != 0) {
      const Real fraction = smaller(larger(mass_fraction(l, a.in, i, j, k), Real(0)), Real(1));
      reactant(l, a.out, i, j, k) = raised.density * fraction;
    }
    update = raised;
  }
  store(l, a.out, i, j, k, update);
}

}  // namespace halfstep
