// Sums and extrema over the domain, in the order of runtime/device/reduction.hpp: the items are the cells of
// a row along x, the rows those of the mesh.
#pragma once

#include <limits>

#include "physics/base/select.hpp"
#include "physics/diagnostics/enstrophy.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/gas/eos.hpp"
#include "physics/mesh/layout.hpp"
#include "physics/mesh/mesh.hpp"
#include "runtime/device/reduction.hpp"

namespace halfstep {

/// Totals of some cells, as sums of densities without the cell volume.
struct PartialTotals {
  double density = 0, mu = 0, mv = 0, mw = 0, energy = 0, kinetic_energy = 0, enstrophy = 0;
  double scalar[kMaxScalars] = {};
  double min_density = std::numeric_limits<double>::infinity();
  double min_pressure = std::numeric_limits<double>::infinity();
  double max_mach2 = 0;
};

template <class Real>
HALFSTEP_HD void add_cell(PartialTotals& t, const Conserved<Real>& state, double gamma) {
  const Conserved<double> c{double(state.density), double(state.mu), double(state.mv), double(state.mw),
                            double(state.energy)};
  const IdealGas<double> gas{gamma};
  const Primitive<double> q = to_primitive(c, gas);
  const double speed2 = q.u * q.u + q.v * q.v + q.w * q.w;
  t.density += c.density;
  t.mu += c.mu;
  t.mv += c.mv;
  t.mw += c.mw;
  t.energy += c.energy;
  t.kinetic_energy += 0.5 * q.density * speed2;
  t.min_density = min(c.density, t.min_density);
  t.min_pressure = min(q.pressure, t.min_pressure);
  t.max_mach2 = max(mach_squared(q, gas), t.max_mach2);
}

/// Adds all fields of the cell (i, j, k) of `u`.
template <class Real>
HALFSTEP_HD void add_cell(PartialTotals& t, const Layout& l, const Real* u, int i, int j, int k,
                          double gamma) {
  add_cell(t, load(l, u, i, j, k), gamma);
  for (int s = 0; s < l.scalars(); ++s) t.scalar[s] += double(scalar(l, u, s, i, j, k));
}

/// The inverse mesh spacing for enstrophy_density().
struct InverseSpacing {
  double along[3];
  explicit InverseSpacing(const Mesh& mesh)
      : along{1 / mesh.spacing(0), 1 / mesh.spacing(1), 1 / mesh.spacing(2)} {}
};

HALFSTEP_HD void merge(PartialTotals& t, const PartialTotals& other) {
  t.density += other.density;
  t.mu += other.mu;
  t.mv += other.mv;
  t.mw += other.mw;
  t.energy += other.energy;
  t.kinetic_energy += other.kinetic_energy;
  for (int s = 0; s < kMaxScalars; ++s) t.scalar[s] += other.scalar[s];
  t.enstrophy += other.enstrophy;
  t.min_density = min(other.min_density, t.min_density);
  t.min_pressure = min(other.min_pressure, t.min_pressure);
  t.max_mach2 = max(other.max_mach2, t.max_mach2);
}

inline Totals to_totals(const PartialTotals& t, const Mesh& mesh) {
  const double volume = mesh.spacing(0) * mesh.spacing(1) * mesh.spacing(2);
  Totals all{.mass = volume * t.density,
             .momentum = {volume * t.mu, volume * t.mv, volume * t.mw},
             .energy = volume * t.energy,
             .kinetic_energy = volume * t.kinetic_energy,
             .min_density = t.min_density,
             .min_pressure = t.min_pressure,
             .max_mach = std::sqrt(t.max_mach2),
             .enstrophy = volume * t.enstrophy};
  for (int s = 0; s < kMaxScalars; ++s) all.scalar_mass[s] = volume * t.scalar[s];
  return all;
}

}  // namespace halfstep
