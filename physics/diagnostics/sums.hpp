// Sums and extrema over the domain: the same bits whatever the order of the cells, and whatever threads,
// blocks and processes have them.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "physics/base/select.hpp"
#include "physics/diagnostics/enstrophy.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/gas/eos.hpp"
#include "physics/gas/exact_conserved.hpp"
#include "physics/gas/fastest_cell.hpp"
#include "physics/mesh/axis_tables.hpp"
#include "physics/mesh/layout.hpp"
#include "physics/mesh/mesh.hpp"
#include "physics/solids/solid_mask.hpp"
#include "runtime/device/exact_sum.hpp"

namespace halfstep {

/// Sums over cells of densities, each weighted by the cell's volume in cells of mean widths.
template <class Number>
struct TotalsSums {
  Conserved<Number> conserved{};
  Number kinetic_energy{}, enstrophy{};
  Number scalar[kMaxScalars]{};
};

/// Totals of some cells. Without any they are those of no cells.
struct PartialTotals {
  TotalsSums<double> sums;
  double min_density = std::numeric_limits<double>::infinity();
  double min_pressure = std::numeric_limits<double>::infinity();
  double max_mach2 = 0;
  std::uint64_t fastest = 0;  ///< key of FastestCell
};

/// Extrema as integers of which the larger counts, so that one reduction does for all; 0: of no cells.
struct ExtremaBits {
  std::uint64_t min_density = 0, min_pressure = 0, max_mach2 = 0, fastest = 0;
};

/// Totals of some cells before they are rounded. Over threads and processes the words of `sums` are added up,
/// and of those of `extrema` the largest is taken: merge().
struct ExactTotals {
  TotalsSums<ExactSum> sums;
  ExtremaBits extrema;
};

/// Returns an unsigned integer that is the larger, the larger x is; never 0, unless x is NaN.
HALFSTEP_HD std::uint64_t ordered_bits(double x) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return bits & sign ? ~bits : bits | sign;
}
HALFSTEP_HD double from_ordered_bits(std::uint64_t bits) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>(bits & sign ? bits & ~sign : ~bits);
}

inline void merge(ExactTotals& t, const ExactTotals& other) {
  add_words(t.sums, other.sums);
  t.extrema.min_density = max(t.extrema.min_density, other.extrema.min_density);
  t.extrema.min_pressure = max(t.extrema.min_pressure, other.extrema.min_pressure);
  t.extrema.max_mach2 = max(t.extrema.max_mach2, other.extrema.max_mach2);
  t.extrema.fastest = max(t.extrema.fastest, other.extrema.fastest);
}

/// Rounds the sum number n, and with the first one the extrema.
HALFSTEP_HD void round_sum(const ExactTotals& exact, PartialTotals& t, int n) {
  round_sum(exact.sums, t.sums, n);
  if (n > 0) return;
  const ExtremaBits& bits = exact.extrema;
  const PartialTotals none;
  t.min_density = bits.min_density ? from_ordered_bits(~bits.min_density) : none.min_density;
  t.min_pressure = bits.min_pressure ? from_ordered_bits(~bits.min_pressure) : none.min_pressure;
  t.max_mach2 = bits.max_mach2 ? from_ordered_bits(bits.max_mach2) : none.max_mach2;
  t.fastest = bits.fastest;
}

/// Returns the totals of a cell with the state `c`, without enstrophy and scalars.
HALFSTEP_HD PartialTotals totals_of_cell(const Conserved<double>& c, const IdealGas<double>& gas) {
  const Primitive<double> q = to_primitive(c, gas);
  const double speed2 = q.u * q.u + q.v * q.v + q.w * q.w;
  return {.sums = {.conserved = c, .kinetic_energy = 0.5 * q.density * speed2},
          .min_density = c.density,
          .min_pressure = q.pressure,
          .max_mach2 = mach_squared(q, gas)};
}
template <class Real>
HALFSTEP_HD PartialTotals totals_of_cell(const Layout& l, const Real* u, int i, int j, int k,
                                         const Gases<double>& gases) {
  return totals_of_cell(widened(load(l, u, i, j, k)), gas_in(gases, l, u, i, j, k));
}

/// Returns the totals of a cell with that key of FastestCell, whose volume is `volume` cells of mean widths.
HALFSTEP_HD PartialTotals weighted(PartialTotals cell, double volume, std::uint64_t fastest = 0) {
  cell.fastest = fastest;
  cell.sums.conserved = volume * cell.sums.conserved;
  cell.sums.kinetic_energy *= volume;
  return cell;
}

/// Returns the tables for sums of a mesh that is stretched or not. If it is not, the compiler sees that they
/// are null, and that all volumes are 1.
template <bool is_stretched, class Real>
HALFSTEP_HD AxisTableViews<Real> tables_for_sums(const AxisTableViews<Real>& axes) {
  if constexpr (is_stretched)
    return axes;
  else
    return {};
}

/// Takes in the totals of cells without enstrophy and scalars, in registers: the lanes of a warp call its
/// functions together.
class TotalsWindow {
 public:
  HALFSTEP_HD void add(const PartialTotals& cell, ExactTotals& to) {
    conserved_.add(cell.sums.conserved, to.sums.conserved);
    kinetic_energy_.add(cell.sums.kinetic_energy, to.sums.kinetic_energy);
    min_density_ = min(cell.min_density, min_density_);
    min_pressure_ = min(cell.min_pressure, min_pressure_);
    max_mach2_ = max(cell.max_mach2, max_mach2_);
    fastest_ = max(cell.fastest, fastest_);
  }

  /// Adds what is in the window to the totals. It is empty then but for the extrema, which count twice alike.
  HALFSTEP_HD void flush(ExactTotals& to) {
    conserved_.flush(to.sums.conserved);
    kinetic_energy_.flush(to.sums.kinetic_energy);
    lanes::raise_to(to.extrema.min_density, ~ordered_bits(min_density_));
    lanes::raise_to(to.extrema.min_pressure, ~ordered_bits(min_pressure_));
    lanes::raise_to(to.extrema.max_mach2, ordered_bits(max_mach2_));
    lanes::raise_to(to.extrema.fastest, fastest_);
  }

 private:
  ConservedWindow conserved_;
  ExactWindow kinetic_energy_;
  double min_density_ = std::numeric_limits<double>::infinity();
  double min_pressure_ = std::numeric_limits<double>::infinity();
  double max_mach2_ = 0;
  std::uint64_t fastest_ = 0;
};

/// The inverse mesh spacing for enstrophy_density().
struct InverseSpacing {
  double along[3];
  explicit InverseSpacing(const Mesh& mesh)
      : along{1 / mesh.spacing(0), 1 / mesh.spacing(1), 1 / mesh.spacing(2)} {}
};

/// Adds value(i), the values of the cells of a row.
template <class Value>
void add_row(ExactSum& to, int cells, Value value) {
  ExactWindow window;
  for (int i = 0; i < cells; ++i) window.add(value(i), to);
  window.flush(to);
}

/// Adds the cells of the row (j, k) of `u` that lie in no body, on the host. `inverse`: nullptr if no
/// enstrophy is wanted. fastest(u, i, j, k): the key of FastestCell.
template <bool is_stretched, class Real, class Fastest>
void add_row(ExactTotals& to, const Layout& l, const Real* u, int j, int k, const Gases<double>& gases,
             const InverseSpacing* inverse, const AxisTableViews<Real>& tables, const SolidMask& solids,
             const Fastest& fastest) {
  const int cells = l.cells[0];
  const auto axes = tables_for_sums<is_stretched>(tables);
  const auto volume = [&](int i) { return solids.has(l, i, j, k) ? 0 : relative_volume(axes, i, j, k); };
  TotalsWindow window;
  for (int i = 0; i < cells; ++i)
    if (!solids.has(l, i, j, k))
      window.add(weighted(totals_of_cell(l, u, i, j, k, gases), volume(i), fastest(u, i, j, k)), to);
  window.flush(to);
  for (int s = 0; s < l.carried(); ++s)
    add_row(to.sums.scalar[s], cells, [&](int i) { return volume(i) * double(scalar(l, u, s, i, j, k)); });
  if (inverse)
    add_row(to.sums.enstrophy, cells,
            [&](int i) { return volume(i) * enstrophy_density(l, u, i, j, k, inverse->along, axes); });
}
template <class Real, class Fastest = NoFastestCell>
void add_row(ExactTotals& to, const Layout& l, const Real* u, int j, int k, const Gases<double>& gases,
             const InverseSpacing* inverse, const AxisTableViews<Real>& axes, const SolidMask& solids = {},
             const Fastest& fastest = {}) {
  if (is_stretched(axes))
    add_row<true>(to, l, u, j, k, gases, inverse, axes, solids, fastest);
  else
    add_row<false>(to, l, u, j, k, gases, inverse, axes, solids, fastest);
}

inline Totals to_totals(const PartialTotals& t, const Mesh& mesh) {
  const double volume = mesh.mean_volume();
  const Conserved<double> c = volume * t.sums.conserved;
  Totals all{.mass = c.density,
             .momentum = {c.mu, c.mv, c.mw},
             .energy = c.energy,
             .kinetic_energy = volume * t.sums.kinetic_energy,
             .min_density = t.min_density,
             .min_pressure = t.min_pressure,
             .max_mach = std::sqrt(t.max_mach2),
             .fastest_cell = FastestCell::number(t.fastest),
             .enstrophy = volume * t.sums.enstrophy,
             .loads = {}};
  for (int s = 0; s < kMaxScalars; ++s) all.scalar_mass[s] = volume * t.sums.scalar[s];
  return all;
}

}  // namespace halfstep
