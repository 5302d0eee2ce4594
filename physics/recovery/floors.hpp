// The last remedy: density and pressure floors.
#pragma once

#include <cstdint>

#include "physics/base/classify.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/gas/exact_conserved.hpp"

namespace halfstep {

/// The least density and pressure that the last remedy leaves in a cell.
struct Floors {
  double density = 1e-10;
  double pressure = 1e-12;
};

/// The mass, momentum and energy that floors added to a state.
struct FloorSums {
  std::int64_t cells = 0;  ///< counted once a stage
  double mass = 0, energy = 0;
  double momentum[3]{};
};

/// The same before it is rounded, per volume of a cell of mean widths; the words of several are added up.
struct ExactFloorSums {
  ExactConserved added;
  std::int64_t cells = 0;
};

inline void merge(ExactFloorSums& t, const ExactFloorSums& other) { add_words(t, other); }

inline FloorSums rounded(const ExactFloorSums& t) {
  const auto c = rounded<Conserved<double>>(t.added);
  return {t.cells, c.density, c.energy, {c.mu, c.mv, c.mw}};
}

HALFSTEP_HD void merge(FloorSums& t, const FloorSums& other) {
  t.cells += other.cells;
  t.mass += other.mass;
  t.energy += other.energy;
  for (int axis = 0; axis < 3; ++axis) t.momentum[axis] += other.momentum[axis];
}

/// Returns the cell's state raised to the floors; the caller sums the difference.
/// - A density that is positive but below its floor is raised, momentum and energy are kept: the cell slows
///   down and the motion lost becomes heat.
/// - Where the density is not positive the rest of the state is meaningless, and momentum / floor would be a
///   velocity that makes dt tiny everywhere: the cell becomes gas at rest at both floors.
/// - A pressure below its floor is raised through the energy, momentum kept. A pressure smaller than the
///   round-off of the kinetic energy cannot be represented, so the energy is raised to twice the margin of
///   is_admissible() at least: the kinetic energy here may be 5 unit roundoffs too small.
/// - A state that is not finite is returned as it is: a floor does not cure it.
template <class Real>
HALFSTEP_HD Conserved<Real> floored(const Conserved<Real>& c, const Floors& floors,
                                    const IdealGas<Real>& gas) {
  if (!(finite(c.density) && finite(c.mu) && finite(c.mv) && finite(c.mw) && finite(c.energy))) return c;
  const Real density = Real(floors.density), internal = internal_energy(Real(floors.pressure), gas);
  if (!(c.density > Real(0))) return {density, Real(0), Real(0), Real(0), internal};
  Conserved<Real> r = c;
  r.density = max(r.density, density);
  if (is_admissible(r) && to_primitive(r, gas).pressure >= Real(floors.pressure)) return r;
  const Real kinetic = Real(0.5) * (r.mu * r.mu + r.mv * r.mv + r.mw * r.mw) / r.density;
  const Real round_off = Real(2) * kEnergyMargin<Real> * kinetic;
  r.energy = max(r.energy, kinetic + max(internal, round_off));
  return r;
}

}  // namespace halfstep
