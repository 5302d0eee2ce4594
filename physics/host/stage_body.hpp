// The body of the host stage. Included by the generated files that instantiate it, and by nothing else.
//
// A tile marches along z, row by row. Along each axis a row of cells is reconstructed once. The Riemann
// problems of the faces below it use its lower edge values and the upper ones of the previous row.
#pragma once

#include <array>
#include <cstring>

#include "physics/base/classify.hpp"
#include "physics/flux/positivity.hpp"
#include "physics/flux/scalar_flux.hpp"
#include "physics/flux/two_gas_flux.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/gas/cfl_rate.hpp"
#include "physics/host/stage.hpp"
#include "physics/host/whole_vectors.hpp"

namespace halfstep {

namespace host {

constexpr int kMargin = 16;  // values on both sides of a row; at least the ghost layers and a vector
template <class Real>
constexpr int kPitch = kLanes<Real> + 2 * kMargin;

/// Rows of several fields. Along an axis they are rotated: [1] is the normal component.
template <class Real>
using Rows = std::array<Real*, kFields>;

/// The row of fluxes that holds the volume of both gases passing a face; that of the second is in the row of
/// its field.
constexpr int kVelocityRow = kMaxFields;

/// One thread's working set: a ring of primitive planes, and for each axis the upper edge values of a row and
/// the fluxes below it, which the next row needs. About 400 kB in double, most of it planes.
template <class Real, int radius, bool has_scalars>
struct Scratch {
  /// Fields that have fluxes, and of two gases the velocity that carries volume fractions, kVelocityRow.
  static constexpr int carried = has_scalars ? kVelocityRow + 1 : kFields;
  static constexpr int planes = radius > 0 ? 2 * radius + 1 : 2;
  static constexpr int rows = kRows + 2 * (radius + 1);
  using Row = Real[kPitch<Real>];
  alignas(64) Row primitive[kFields][planes][rows];
  alignas(64) Row lower[kFields], upper_x[kFields], upper_y[2][kFields], upper_z[2][kRows][kFields];
  alignas(64) Row flux_x[carried], flux_y[2][carried], flux_z[2][kRows][carried];
  alignas(64) Row bad;
  alignas(64) Row zeros;  // for inactive axes and an unused U^n
  alignas(64) Real inverse_widths_x[has_scalars ? kLanes<Real> : 1];
};

// The loops over rows are compiled once for all axes: inlined into the sweeps, each would contract a b + c d
// to fused multiply-adds differently.

/// The gas of each cell of a row: the same, or the mixture that it holds.
template <class Real>
HALFSTEP_HD const IdealGas<Real>& gas_of_cell(const IdealGas<Real>& gas, int) {
  return gas;
}
template <class Real>
struct MixtureRow {
  Gases<Real> gases;
  const Real* fraction;
};
template <class Real>
HALFSTEP_HD IdealGas<Real> gas_of_cell(const MixtureRow<Real>& row, int i) {
  return row.gases.mixed(row.fraction[i]);
}

/// Converts a row to primitive variables. `c`: the first of the conserved fields, which are `stride` apart.
template <class Real, class RowGas>
[[gnu::noipa]] void primitive_row(const Real* c, std::int64_t stride, const Rows<Real>& primitive, int lanes,
                                  const RowGas gas) {
  const Rows<Real> q = primitive;
  const Real *mu = c + stride, *mv = c + 2 * stride, *mw = c + 3 * stride, *energy = c + 4 * stride;
  const int whole = whole_vectors<Real>(lanes);
#pragma GCC ivdep
  for (int i = 0; i < whole; ++i) {
    const Primitive<Real> p =
        to_primitive(Conserved<Real>{c[i], mu[i], mv[i], mw[i], energy[i]}, gas_of_cell(gas, i));
    q[0][i] = p.density;
    q[1][i] = p.u;
    q[2][i] = p.v;
    q[3][i] = p.w;
    q[4][i] = p.pressure;
  }
}

/// Reconstructs the edge states of a row of cells along an axis. `q`: the rows of its stencil.
template <class Reconstruction, Variables variables, class Real, std::size_t cells, class RowGas>
[[gnu::noipa]] void edge_row(const std::array<Rows<const Real>, cells>& q, const Rows<Real>& lower,
                             const Rows<Real>& upper, int lanes, const RowGas gas) {
  const std::array<Rows<const Real>, cells> from = q;
  const Rows<Real> low = lower, high = upper;
  const int whole = whole_vectors<Real>(lanes);
#pragma GCC ivdep
  for (int i = 0; i < whole; ++i) {
    Primitive<Real> stencil[cells];
    unrolled<cells>([=, &stencil](int m) HALFSTEP_INLINED {
      stencil[m] = {from[m][0][i], from[m][1][i], from[m][2][i], from[m][3][i], from[m][4][i]};
    });
    const EdgeStates<Real> edges = edge_states<Reconstruction, variables>(stencil, gas_of_cell(gas, i));
    low[0][i] = edges.lower.density;
    low[1][i] = edges.lower.u;
    low[2][i] = edges.lower.v;
    low[3][i] = edges.lower.w;
    low[4][i] = edges.lower.pressure;
    high[0][i] = edges.upper.density;
    high[1][i] = edges.upper.u;
    high[2][i] = edges.upper.v;
    high[3][i] = edges.upper.w;
    high[4][i] = edges.upper.pressure;
  }
}

/// The states on the two sides of a row of faces.
template <class Real>
struct Sides {
  Rows<const Real> left, right;
};

template <class Real>
HALFSTEP_HD Primitive<Real> state_in(const Rows<const Real>& q, int i) {
  return {q[0][i], q[1][i], q[2][i], q[3][i], q[4][i]};
}

/// Computes the fluxes through a row of faces from the `edges` and the `cells` beside them. `bad`: 1 where an
/// inadmissible edge state made the face first order.
template <class RiemannSolver, class Real>
[[gnu::noipa]] void face_row(const Sides<Real>& edges, const Sides<Real>& cells, const Rows<Real>& flux,
                             Real* bad, int lanes, const IdealGas<Real> gas) {
  const Sides<Real> edge = edges, cell = cells;
  const Rows<Real> to = flux;
  const int whole = whole_vectors<Real>(lanes);
#pragma GCC ivdep
  for (int i = 0; i < whole; ++i) {
    const FaceFlux<Real> face =
        checked_flux<RiemannSolver>(state_in<Real>(edge.left, i), state_in<Real>(edge.right, i),
                                    state_in<Real>(cell.left, i), state_in<Real>(cell.right, i), gas);
    to[0][i] = face.flux.density;
    to[1][i] = face.flux.mu;
    to[2][i] = face.flux.mv;
    to[3][i] = face.flux.mw;
    to[4][i] = face.flux.energy;
    bad[i] = face.bad ? Real(1) : Real(0);
  }
}

/// Computes the fluxes between cells of two gases, as face_row(), and the volumes that pass: `both` of both,
/// `second` of the second. The stencil of a row of cells above the faces begins at `fraction`, `step` values
/// from cell to cell.
template <class Reconstruction, class Real>
[[gnu::noipa]] void two_gas_face_row(const Sides<Real>& edges, const Sides<Real>& cells, const Real* fraction,
                                     std::int64_t step, const Rows<Real>& flux, Real* both, Real* second,
                                     Real* bad, int lanes, const Gases<Real> gases) {
  constexpr int below = Reconstruction::radius + 1;  // cells of the stencil below the faces
  const Sides<Real> edge = edges, cell = cells;
  const Rows<Real> to = flux;
  const int whole = whole_vectors<Real>(lanes);
#pragma GCC ivdep
  for (int i = 0; i < whole; ++i) {
    Real z[2 * below];
    unrolled<2 * below>([=, &z](int m) HALFSTEP_INLINED { z[m] = fraction[i + (m - below) * step]; });
    const Primitive<Real> l = state_in<Real>(edge.left, i), r = state_in<Real>(edge.right, i);
    const bool good = is_admissible(l) & is_admissible(r);
    const SideFractions<Real> own =
        side_fractions<Reconstruction, Real>([&z](int m) HALFSTEP_INLINED { return z[m]; });
    const TwoGasFlux<Real> face = two_gas_flux(
        select(good, l, state_in<Real>(cell.left, i)), select(good, r, state_in<Real>(cell.right, i)),
        {good ? own.left : z[below - 1], good ? own.right : z[below]}, gases);
    to[0][i] = face.flux.density;
    to[1][i] = face.flux.mu;
    to[2][i] = face.flux.mv;
    to[3][i] = face.flux.mw;
    to[4][i] = face.flux.energy;
    both[i] = face.volume.of_both;
    second[i] = face.volume.of_second;
    bad[i] = good ? Real(0) : Real(1);
  }
}

/// Computes a scalar's fluxes through a row of faces. `mass`: the flow's mass fluxes. The stencil of a row of
/// cells above the faces begins at `density` and `scalar`, masses per volume, `step` values from cell to
/// cell.
template <class Reconstruction, class Real>
[[gnu::noipa]] void scalar_face_row(const Real* density, const Real* scalar, std::int64_t step,
                                    const Real* mass, const Real* bad, Real* flux, int lanes) {
  constexpr int below = Reconstruction::radius + 1;  // cells of the stencil below the faces
  const int whole = whole_vectors<Real>(lanes);
#pragma GCC ivdep
  for (int i = 0; i < whole; ++i) {
    Real y[2 * below];
    unrolled<2 * below>([=, &y](int m) HALFSTEP_INLINED {
      const std::int64_t n = i + (m - below) * step;
      y[m] = scalar[n] / density[n];
    });
    flux[i] = scalar_flux<Reconstruction>([&y](int m) HALFSTEP_INLINED { return y[m]; }, mass[i],
                                          bad[i] != Real(0));
  }
}

/// Applies the positivity limiter to the fluxes of face_row().
template <class Real>
[[gnu::noipa]] void positive_face_row(const Sides<Real>& cells, const Rows<Real>& flux, FaceStep<Real> step,
                                      int lanes, const IdealGas<Real> gas) {
  const Sides<Real> cell = cells;
  const Rows<Real> f = flux;
  const auto through = [=](int i) HALFSTEP_INLINED -> Conserved<Real> {
    return {f[0][i], f[1][i], f[2][i], f[3][i], f[4][i]};
  };
  alignas(64) Real good[kPitch<Real>];
  const int whole = whole_vectors<Real>(lanes);
#pragma GCC ivdep
  for (int i = 0; i < whole; ++i)
    good[i] =
        leaves_positive(through(i), state_in<Real>(cell.left, i), state_in<Real>(cell.right, i), step, gas)
            ? Real(1)
            : Real(0);
  for (int i = 0; i < lanes; ++i) {
    if (good[i] != Real(0)) continue;
    const Conserved<Real> limited =
        positive_flux(through(i), state_in<Real>(cell.left, i), state_in<Real>(cell.right, i), step, gas);
    f[0][i] = limited.density;
    f[1][i] = limited.mu;
    f[2][i] = limited.mv;
    f[3][i] = limited.mw;
    f[4][i] = limited.energy;
  }
}

/// The inverse widths of the cells of a row. Stages that carry scalars are those for stretched axes, too; for
/// others all cells are as wide.
template <class Real, bool has_tables>
struct RowWidths {
  const Real* of_x;  ///< of each cell; not read without tables
  InverseWidths<Real> of_first;
  HALFSTEP_INLINED InverseWidths<Real> at(int i) const {
    return {{has_tables ? of_x[i] : of_first.along[0], of_first.along[1], of_first.along[2]}};
  }
};

/// Whether all new states of a row are admissible, and their largest CFL rate, if it is wanted.
template <class Real>
struct RowOutcome {
  bool good;
  Real rate;
};
template <class Real, bool has_tables, class RowGas>
[[gnu::noipa]] RowOutcome<Real> look_at_row(const Rows<Real>& u, int lanes, const StageArguments<Real> args,
                                            const RowWidths<Real, has_tables> widths, const RowGas gas) {
  const Real *density = u[0], *mu = u[1], *mv = u[2], *mw = u[3], *energy = u[4];
  const auto state = [=](int i) HALFSTEP_INLINED -> Conserved<Real> {
    return {density[i], mu[i], mv[i], mw[i], energy[i]};
  };
  const int whole = whole_vectors<Real>(lanes);
  Real good = 1, rate = 0;
  if (args.wants_rate) {
#pragma omp simd reduction(max : rate) reduction(min : good)
    for (int i = 0; i < whole; ++i) {
      const Conserved<Real> c = state(i);
      const IdealGas<Real> own_gas = gas_of_cell(gas, i);
      const Primitive<Real> q = to_primitive(c, own_gas);
      const Real own = cfl_rate(q, widths.at(i).along, own_gas);
      const bool held = is_admissible(c) & positive_and_finite(q.pressure);
      good = min(good, held ? Real(1) : Real(0));
      rate = max(own, rate);
    }
  } else {
#pragma omp simd reduction(min : good)
    for (int i = 0; i < whole; ++i) good = min(good, is_admissible(state(i)) ? Real(1) : Real(0));
  }
  return {good != Real(0), rate};
}

/// Whether all values of a row are finite.
template <class Real>
[[gnu::noipa]] bool row_is_finite(const Real* values, int lanes) {
  const int whole = whole_vectors<Real>(lanes);
  Real good = 1;
#pragma omp simd reduction(min : good)
  for (int i = 0; i < whole; ++i) good = min(good, finite(values[i]) ? Real(1) : Real(0));
  return good != Real(0);
}

/// kRotation[axis][f]: the field of the f-th component of a rotated state. The velocity along the axis comes
/// first, the other two in order.
constexpr int kRotation[3][kFields] = {{0, 1, 2, 3, 4}, {0, 2, 1, 3, 4}, {0, 3, 1, 2, 4}};

template <class Reconstruction, Variables variables, class RiemannSolver, class Real, bool has_scalars>
class Tile {
 public:
  static constexpr int radius = Reconstruction::radius;
  using Memory = Scratch<Real, radius, has_scalars>;
  using Row = typename Memory::Row;

  Tile(const StageArguments<Real>& args, Memory& memory, int i0, int j0, int k0, int k1)
      : a_(args), m_(memory), i0_(i0), j0_(j0), k0_(k0), k1_(k1) {
    cells_ = std::min(kLanes<Real>, a_.layout.cells[0] - i0);
    lanes_ = whole_vectors<Real>(cells_);
    rows_ = std::min(kRows, a_.layout.cells[1] - j0);
    for (int i = 0; has_scalars && i < lanes_; ++i)
      m_.inverse_widths_x[i] = a_.inverse_width(0, i0 + std::min(i, cells_ - 1));
  }

  /// Advances the tile's cells of planes k0 to k1 - 1.
  HostStageResult<Real> run(const soft_error::Reporter<>& reporter) {
    const bool x = a_.layout.ghosts[0] > 0, y = a_.layout.ghosts[1] > 0, z = a_.layout.ghosts[2] > 0;
    if (z) {
      for (int k = k0_ - 1 - radius; k < k0_ + radius; ++k) load_plane(k);
      for (int j = 0; j < rows_; ++j) edges_z(j, k0_ - 1);
      load_plane(k0_ + radius);
      for (int j = 0; j < rows_; ++j) sweep_z(j, k0_);
    }
    for (int k = k0_; k < k1_; ++k) {
      load_plane(z ? k + 1 + radius : k);
      if (y) {
        edges_y(-1, k);
        sweep_y(0, k);
      }
      for (int j = 0; j < rows_; ++j) {
        if (x) sweep_x(j, k);
        if (y) sweep_y(j + 1, k);
        if (z) sweep_z(j, k + 1);
        update_row(j, k);
      }
    }
    if (bad_cell_ || (a_.raise_bad_faces && result_.bad_faces > 0)) reporter.raise();
    return result_;
  }

 private:
  /// Returns the layers of cells beside the tile that it reads along an axis.
  int reach(int axis) const { return a_.layout.ghosts[axis] > 0 ? radius + 1 : 0; }
  int slot(int k) const { return (k + Memory::planes) % Memory::planes; }

  /// Returns the primitive variables from the tile's cell i of row j and plane k on.
  Rows<Real> primitive(int i, int j, int k) {
    Rows<Real> rows;
    for (int f = 0; f < kFields; ++f) rows[f] = m_.primitive[f][slot(k)][j + reach(1)] + kMargin + i;
    return rows;
  }

  /// Calls f(gas) with what gas_of_cell() takes for a row of cells with these volume fractions.
  template <class F>
  void with_gas_of_row(const Real* fractions, const F& f) const {
    if constexpr (has_scalars)
      if (a_.layout.two_gases) return f(MixtureRow<Real>{a_.gases(), fractions});
    f(a_.gas);
  }
  /// Returns the last field, of two gases the volume fraction, from the tile's cell i of a row on.
  const Real* last_field(int i, int j, int k) const {
    return a_.in + (a_.layout.fields - 1) * a_.layout.field_stride + a_.layout.index(i0_ + i, j0_ + j, k);
  }

  /// Converts one plane of the tile with its ghosts to primitive variables. Rounding up to whole vectors also
  /// converts neighbouring cells and the padding of the layout's rows.
  void load_plane(int k) {
    const int gx = reach(0), gy = reach(1);
    const int first = -whole_vectors<Real>(gx), lanes = whole_vectors<Real>(cells_ + gx) - first;
    for (int j = -gy; j < rows_ + gy; ++j)
      with_gas_of_row(last_field(first, j, k), [&](const auto& gas) {
        primitive_row(a_.in + a_.layout.index(i0_ + first, j0_ + j, k), a_.layout.field_stride,
                      primitive(first, j, k), lanes, gas);
      });
  }

  /// Returns the primitive variables, rotated, `m` cells beyond (i, j, k) along an axis.
  Rows<const Real> along(int axis, int m, int i, int j, int k) {
    const auto q = primitive(axis == 0 ? i + m : i, axis == 1 ? j + m : j, axis == 2 ? k + m : k);
    Rows<const Real> rows;
    for (int f = 0; f < kFields; ++f) rows[f] = q[kRotation[axis][f]];
    return rows;
  }

  static Rows<Real> rows_of(Row (&memory)[kFields], int first = 0) {
    Rows<Real> rows;
    for (int f = 0; f < kFields; ++f) rows[f] = memory[f] + kMargin + first;
    return rows;
  }
  static Rows<const Real> constant(const Rows<Real>& rows) {
    Rows<const Real> result;
    std::copy(rows.begin(), rows.end(), result.begin());
    return result;
  }

  /// Reconstructs `lanes` cells from (i, j, k) on: lower edges to m_.lower, upper ones to `upper`.
  void edges(int axis, int i, int j, int k, Row (&upper)[kFields], int lanes) {
    std::array<Rows<const Real>, 2 * radius + 1> stencil;
    for (int m = -radius; m <= radius; ++m) stencil[m + radius] = along(axis, m, i, j, k);
    const Rows<Real> low = rows_of(m_.lower, i), high = rows_of(upper, i);
    with_gas_of_row(last_field(i, j, k), [&](const auto& gas) {
      edge_row<Reconstruction, variables>(stencil, low, high, lanes, gas);
    });
  }

  /// Computes the fluxes through the faces below `lanes` cells from (0, j, k) on. Bad faces are counted among
  /// the first `counted`. `below`: the upper edge values of the cells below them.
  void fluxes(int axis, int j, int k, const Rows<Real>& below, Row (&flux)[Memory::carried], int lanes,
              int counted) {
    const Sides<Real> edges{constant(below), constant(rows_of(m_.lower))};
    const Sides<Real> cells{along(axis, -1, 0, j, k), along(axis, 0, 0, j, k)};
    Rows<Real> to;
    for (int f = 0; f < kFields; ++f) to[f] = flux[kRotation[axis][f]] + kMargin;
    const Layout& l = a_.layout;
    if (has_scalars && l.two_gases) {
      if constexpr (has_scalars)
        two_gas_face_row<Reconstruction>(edges, cells, last_field(0, j, k), l.stride[axis], to,
                                         flux[kVelocityRow] + kMargin, flux[l.fields - 1] + kMargin, m_.bad,
                                         lanes, a_.gases());
    } else {
      face_row<RiemannSolver>(edges, cells, to, m_.bad, lanes, a_.gas);
    }
    if constexpr (has_scalars) {
      const Real* density = a_.in + l.index(i0_, j0_ + j, k);
      for (int f = kFields; f < kFields + l.scalars(); ++f)
        scalar_face_row<Reconstruction>(density, density + f * l.field_stride, l.stride[axis], to[0], m_.bad,
                                        flux[f] + kMargin, lanes);
    } else if (a_.positive) {
      positive_face_row(cells, to, face_step(a_, a_.dt, axis), lanes, a_.gas);
    }
    // A face is counted with the cell above it, the domain's last one by itself: once, whatever the tiles.
    for (int i = 0; i < counted; ++i) result_.bad_faces += m_.bad[i] != Real(0);
  }

  void sweep_x(int j, int k) {
    const bool last = i0_ + cells_ == a_.layout.cells[0] && !a_.shares_last[0];
    const int lanes = whole_vectors<Real>(cells_ + 1);
    edges(0, -1, j, k, m_.upper_x, lanes + kVector<Real>);
    fluxes(0, j, k, rows_of(m_.upper_x, -1), m_.flux_x, lanes, cells_ + last);
  }

  void edges_y(int j, int k) { edges(1, 0, j, k, m_.upper_y[j & 1], lanes_); }
  void sweep_y(int j, int k) {
    const bool counts = j < rows_ || (j0_ + j == a_.layout.cells[1] && !a_.shares_last[1]);
    edges_y(j, k);
    fluxes(1, j, k, rows_of(m_.upper_y[(j - 1) & 1]), m_.flux_y[j & 1], lanes_, counts ? cells_ : 0);
  }

  void edges_z(int j, int k) { edges(2, 0, j, k, m_.upper_z[k & 1][j], lanes_); }
  void sweep_z(int j, int k) {
    const bool counts = k < k1_ || (k == a_.layout.cells[2] && !a_.shares_last[2]);
    edges_z(j, k);
    fluxes(2, j, k, rows_of(m_.upper_z[(k - 1) & 1][j]), m_.flux_z[k & 1][j], lanes_, counts ? cells_ : 0);
  }

  /// The fluxes of a field through the faces beside a row of cells.
  struct FluxRows {
    const Real *x, *y, *above_y, *z, *above_z;
  };
  FluxRows flux_rows(int f, int j, int k) {
    const auto flux = [&](int axis, const Row& row) {
      return (a_.layout.ghosts[axis] > 0 ? row : m_.zeros) + kMargin;
    };
    return {flux(0, m_.flux_x[f]), flux(1, m_.flux_y[j & 1][f]), flux(1, m_.flux_y[(j + 1) & 1][f]),
            flux(2, m_.flux_z[k & 1][j][f]), flux(2, m_.flux_z[(k + 1) & 1][j][f])};
  }

  void update_row(int j, int k) {
    // Writes directly to the result only if that is whole vectors: the memory behind it belongs to other
    // tiles.
    alignas(64) Real beside[Memory::carried][kLanes<Real>];
    const int lanes = whole_vectors<Real>(cells_);
    const std::int64_t at = a_.layout.index(i0_, j0_ + j, k);
    std::array<Real*, Memory::carried> out;
    const int fields = has_scalars ? a_.layout.fields : kFields;
    for (int f = 0; f < fields; ++f)
      out[f] = cells_ == lanes ? a_.out + at + f * a_.layout.field_stride : beside[f];
    const StageArguments<Real> args = a_;
    const RowWidths<Real, has_scalars> widths{m_.inverse_widths_x, a_.inverse_widths(i0_, j0_ + j, k)};
    for (int f = 0; f < fields; ++f) {
      const std::int64_t n = at + f * a_.layout.field_stride;
      const Real* in = a_.in + n;
      const Real* start = a_.start ? a_.start + n : m_.zeros;
      const FluxRows flux = flux_rows(f, j, k);
      const auto [x, y, above_y, z, above_z] = flux;
      Real* to = out[f];
      if (has_scalars && a_.layout.two_gases && f == fields - 1) {
        advect_row(flux, flux_rows(kVelocityRow, j, k), start, in, to, lanes, widths);
      } else {
#pragma GCC ivdep
        for (int i = 0; i < lanes; ++i) {
          const InverseWidths<Real> own = widths.at(i);
          to[i] =
              updated(args, own.along, args.dt, start[i], in[i],
                      in_plane_divergence(own.along, x[i + 1] - x[i], above_y[i] - y[i]), above_z[i] - z[i]);
        }
      }
      // Unused lanes hold meaningless values, which must neither raise nor limit the time step.
      std::fill(to + cells_, to + lanes, to[cells_ - 1]);
    }
    with_gas_of_row(out[fields - 1], [&](const auto& gas) {
      const RowOutcome<Real> outcome =
          look_at_row<Real>({out[0], out[1], out[2], out[3], out[4]}, lanes, a_, widths, gas);
      bad_cell_ |= !outcome.good;
      result_.cfl_rate = std::max(result_.cfl_rate, outcome.rate);
    });
    for (int f = kFields; f < fields; ++f) bad_cell_ |= !row_is_finite(out[f], lanes);
    if (cells_ < lanes)
      for (int f = 0; f < fields; ++f)
        std::memcpy(a_.out + at + f * a_.layout.field_stride, out[f], sizeof(Real) * cells_);
  }

  /// Advances the volume fractions of a row.
  void advect_row(const FluxRows& of_second, const FluxRows& of_both, const Real* start, const Real* in,
                  Real* to, int lanes, const RowWidths<Real, has_scalars>& row_widths) {
    const StageArguments<Real> args = a_;
    const FluxRows second = of_second, both = of_both;
    const RowWidths<Real, has_scalars> widths = row_widths;
#pragma GCC ivdep
    for (int i = 0; i < lanes; ++i) {
      const InverseWidths<Real> own = widths.at(i);
      const auto jump = [&](Real both_above, Real second_above, Real both_below, Real second_below) {
        return VolumeFlux<Real>{both_above, second_above}.relative_to(in[i]) -
               VolumeFlux<Real>{both_below, second_below}.relative_to(in[i]);
      };
      const Real along_x = jump(both.x[i + 1], second.x[i + 1], both.x[i], second.x[i]),
                 along_y = jump(both.above_y[i], second.above_y[i], both.y[i], second.y[i]),
                 along_z = jump(both.above_z[i], second.above_z[i], both.z[i], second.z[i]);
      to[i] = updated(args, own.along, args.dt, start[i], in[i],
                      in_plane_divergence(own.along, along_x, along_y), along_z);
    }
  }

  const StageArguments<Real>& a_;
  Memory& m_;
  int i0_, j0_, k0_, k1_, cells_, lanes_, rows_;
  bool bad_cell_ = false;
  HostStageResult<Real> result_;
};

}  // namespace host

template <class Reconstruction, Variables variables, class RiemannSolver, class Real, bool has_scalars>
HostStageResult<Real> host_stage(const StageArguments<Real>& args, const soft_error::Reporter<>& reporter,
                                 const HostTiling& tiling, interruptible::HostTileQueue& queue, int threads) {
  using Tile = host::Tile<Reconstruction, variables, RiemannSolver, Real, has_scalars>;
  if (reporter.cancelled()) return {};
  Real rate = 0;
  std::int64_t bad = 0;
#pragma omp parallel num_threads(threads) reduction(max : rate) reduction(+ : bad)
  {
    // Kept between stages: allocating it takes as long as a stage of a thousand cells.
    static thread_local const auto scratch = std::make_unique<typename Tile::Memory>();
    for (std::int64_t n; (n = queue.take()) >= 0;) {
      const int tx = static_cast<int>(n % tiling.x), ty = static_cast<int>(n / tiling.x % tiling.y),
                tz = static_cast<int>(n / tiling.x / tiling.y);
      Tile tile(args, *scratch, tx * host::kLanes<Real>, ty * host::kRows, tz * tiling.march,
                std::min((tz + 1) * tiling.march, args.layout.cells[2]));
      const HostStageResult<Real> r = tile.run(reporter);
      rate = std::max(rate, r.cfl_rate);
      bad += r.bad_faces;
    }
  }
  return {rate, bad};
}

}  // namespace halfstep
