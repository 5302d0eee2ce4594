// The states of ghost cells. Each depends on interior cells alone, so that all of them, corners too, can be
// filled at once. Those beyond an `exchanged` side come from another rank; they count as interior cells here,
// and must have been exchanged before.
#pragma once

#include <limits>
#include <stdexcept>

#include "physics/base/select.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/mesh/axis_tables.hpp"
#include "physics/mesh/boundary.hpp"
#include "physics/mesh/characteristics.hpp"
#include "physics/mesh/flag_layout.hpp"
#include "physics/mesh/layout.hpp"

namespace halfstep {

/// The boundary conditions as kernels need them to fill ghost cells.
template <class Real>
struct BoundaryConditions {
  Layout layout;
  Boundary boundary[3][2];
  double lower[3], spacing[3], extent[3];
  int first[3];                 ///< the block's first cell in the whole mesh
  AxisTableViews<Real> axes{};  ///< of stretched axes
  FlagLayout flags;
  double gravity[3];
  DirichletState dirichlet;
  Gases<double> gases;
  bool has_formulas = false;        ///< some side is beyond a state of place and time, or of the deck ...
  bool has_characteristic = false;  ///< ... and is_characteristic()
  bool has_fractions = false;       ///< ... and gives mass fractions of scalars
  bool has_parts = false;           ///< ... and holds in a part of its side

  BoundaryConditions(const Layout& memory, const Mesh& mesh, const Boundaries& boundaries,
                     const DirichletState& state, const Gases<double>& of,
                     const std::array<double, 3>& acceleration = {})
      : layout(memory), flags(memory, boundaries), dirichlet(state), gases(of) {
    for (int a = 0; a < 3; ++a) {
      first[a] = mesh.first[a];
      gravity[a] = acceleration[a];
      boundary[a][0] = boundaries[a][0];
      boundary[a][1] = boundaries[a][1];
      for (int side = 0; mesh.active(a) && side < 2; ++side) {
        const Boundary kind = boundaries[a][side];
        has_formulas |= is_made_by_formulas(kind);
        has_characteristic |= is_characteristic(kind);
        has_fractions |= has_values(kind) && state.has_fractions(a, side);
        has_parts |= is_made_by_formulas(kind) && state.has_parts(a, side);
      }
      lower[a] = mesh.lower[a];
      spacing[a] = mesh.spacing(a);
      extent[a] = mesh.upper[a] - mesh.lower[a];
    }
  }
};

/// Finds the middle of the cell (i, j, k).
template <class Real>
HALFSTEP_HD void find_centre(const BoundaryConditions<Real>& rules, int i, int j, int k, double (&x)[3]) {
  const int cell[3] = {i, j, k};
  for (int a = 0; a < 3; ++a) {
    const double* const centers = rules.axes[a].center;
    x[a] = centers ? centers[cell[a]] : rules.lower[a] + (rules.first[a] + cell[a] + 0.5) * rules.spacing[a];
  }
}

/// Returns the distance along `axis` from the middle of cell `from` to that of cell `to`.
template <class Real>
HALFSTEP_HD double distance_between(const BoundaryConditions<Real>& rules, int axis, int from, int to) {
  const double* const centers = rules.axes[axis].center;
  return centers ? centers[to] - centers[from] : (to - from) * rules.spacing[axis];
}

/// Returns the boundary condition of the ghost cell (i, j, k) beyond a side of the domain.
template <bool has_formulas = true, class Real>
HALFSTEP_HD Boundary boundary_at(const BoundaryConditions<Real>& rules, int axis, int side, int i, int j,
                                 int k) {
  const Boundary kind = rules.boundary[axis][side];
  if (!has_formulas || !rules.has_parts) return kind;
  if (!is_made_by_formulas(kind) || !rules.dirichlet.has_parts(axis, side)) return kind;
  double x[3];
  find_centre(rules, i, j, k, x);
  return rules.dirichlet.kind_at(axis, side, x, kind);
}

/// The source of a ghost cell's state.
enum class GhostSource {
  cell,        ///< an interior cell's state, some momenta reversed, or a characteristic boundary's from it
  prescribed,  ///< the case's or the deck's state at that place and time
  held,        ///< none: the state is not changed (inflow)
};

/// Returns the source of the ghost cell (i, j, k). If that is GhostSource::cell, sets the interior cell `at`
/// and the axes along which it is mirrored. Indices may lie beyond the ghost layers; an interior cell is its
/// own source, and so is one of another rank.
template <bool has_formulas = true, class Real>
HALFSTEP_HD GhostSource ghost_source(const BoundaryConditions<Real>& rules, int i, int j, int k, int (&at)[3],
                                     bool (&mirrored)[3]) {
  at[0] = i, at[1] = j, at[2] = k;
  GhostSource source = GhostSource::cell;
  for (int a = 0; a < 3; ++a) {
    mirrored[a] = false;
    const int n = rules.layout.cells[a];
    if (at[a] >= 0 && at[a] < n) continue;
    const int side = at[a] < 0 ? 0 : 1;
    const Boundary kind = boundary_at<has_formulas>(rules, a, side, i, j, k);
    if (kind == Boundary::exchanged) continue;
    if (kind == Boundary::inflow) return GhostSource::held;
    if (kind == Boundary::prescribed || kind == Boundary::state) {
      source = GhostSource::prescribed;
    } else if (kind == Boundary::periodic) {
      at[a] = ((at[a] % n) + n) % n;
    } else if (kind == Boundary::outflow || is_characteristic(kind)) {
      at[a] = side == 0 ? 0 : n - 1;
    } else {  // reflecting or no_slip; meshes thinner than the ghost layers are mirrored more than once
      const int folded = ((at[a] % (2 * n)) + 2 * n) % (2 * n);
      mirrored[a] = folded >= n;
      at[a] = folded < n ? folded : 2 * n - 1 - folded;
    }
  }
  return source;
}

/// Returns the side whose state a ghost cell with GhostSource::prescribed has: of the first axis with one
/// there.
template <class Real>
HALFSTEP_HD Side prescribing_side(const BoundaryConditions<Real>& rules, int i, int j, int k) {
  const int cell[3] = {i, j, k};
  Side first{0, 0};
  for (int a = 2; a >= 0; --a) {
    const int s = cell[a] < 0 ? 0 : 1;
    const bool outside = cell[a] < 0 || cell[a] >= rules.layout.cells[a];
    if (!outside) continue;
    const Boundary own = boundary_at(rules, a, s, i, j, k);
    if (own == Boundary::prescribed || own == Boundary::state) first = {a, s};
  }
  return first;
}

/// Returns the volume fraction of the second gas beyond a side with a state from the deck.
template <class Real>
HALFSTEP_HD double given_volume_fraction(const BoundaryConditions<Real>& rules, Side side, const double* x,
                                         double t) {
  const int s = rules.layout.scalars();
  if (!rules.layout.two_gases || !rules.dirichlet.has_fraction(side.axis, side.side, s)) return 0;
  return rules.dirichlet.fraction(side.axis, side.side, s, x, t);
}

/// Returns the gas beyond a side with GhostSource::prescribed.
template <class Real>
HALFSTEP_HD IdealGas<double> prescribed_gas(const BoundaryConditions<Real>& rules, Side side, const double* x,
                                            double t) {
  return rules.layout.two_gases ? rules.gases.mixed(given_volume_fraction(rules, side, x, t))
                                : rules.gases.first;
}

/// Returns the state of a ghost cell with GhostSource::prescribed.
template <class Real>
HALFSTEP_HD Conserved<Real> prescribed_state(const BoundaryConditions<Real>& rules, int i, int j, int k,
                                             double t) {
  double x[3];
  find_centre(rules, i, j, k, x);
  const Side own = prescribing_side(rules, i, j, k);
  const Conserved<double> c = to_conserved(rules.boundary[own.axis][own.side] == Boundary::state
                                               ? rules.dirichlet.at(own.axis, own.side, x, t)
                                               : rules.dirichlet.at(x, t),
                                           prescribed_gas(rules, own, x, t));
  return {Real(c.density), Real(c.mu), Real(c.mv), Real(c.mw), Real(c.energy)};
}

/// Returns the state of the cell `from` + `step` along `axis`, or of `from` where the domain ends before it.
/// Sets `taken` to the step of the two.
template <class Real>
HALFSTEP_HD Primitive<double> beside(const BoundaryConditions<Real>& rules, const Real* u,
                                     const int (&from)[3], int axis, int step, int& taken) {
  const Layout& l = rules.layout;
  const int n = l.cells[axis];
  int at[3] = {from[0], from[1], from[2]}, &to = at[axis];
  taken = step;
  to += step;
  if (to < 0 || to >= n) {
    const Boundary kind = rules.boundary[axis][to < 0 ? 0 : 1];
    const bool held = kind == Boundary::exchanged && to >= -l.ghosts[axis] && to < n + l.ghosts[axis];
    if (kind == Boundary::periodic)
      to = to < 0 ? to + n : to - n;
    else if (!held)
      to = from[axis], taken = 0;
  }
  return to_primitive(widened(load(l, u, at[0], at[1], at[2])),
                      gas_in(rules.gases, l, u, at[0], at[1], at[2]));
}

/// Returns (to - from) * factor.
HALFSTEP_HD Primitive<double> scaled_difference(const Primitive<double>& to, const Primitive<double>& from,
                                                double factor) {
  return {(to.density - from.density) * factor, (to.u - from.u) * factor, (to.v - from.v) * factor,
          (to.w - from.w) * factor, (to.pressure - from.pressure) * factor};
}

/// Returns how the state of the interior cell `at`, beside a side, varies towards the ghost cell at `index`
/// along the side's axis.
template <class Real>
HALFSTEP_HD_COLD Variation variation_beside(const BoundaryConditions<Real>& rules, const Real* u, Side side,
                                            const int (&at)[3], int index) {
  Variation variation;
  for (int a = 0; a < 3; ++a) {
    if (rules.layout.ghosts[a] == 0) continue;
    int down, up;
    Primitive<double> below = beside(rules, u, at, a, -1, down), above = beside(rules, u, at, a, 1, up);
    const double width = distance_between(rules, a, at[a] + down, at[a] + up);
    const double beyond = a == side.axis ? distance_between(rules, a, at[a], index) : 1;
    const Primitive<double> change = scaled_difference(above, below, width > 0 ? beyond / width : 0);
    (a == side.axis ? variation.outwards : variation.along[a]) = change;
    if (a == side.axis) variation.distance = magnitude(beyond);
  }
  variation.extent = rules.extent[side.axis];
  return variation;
}

/// Whether a far field may ask how the state beside the ghost cell (i, j, k) varies. Beyond several sides of
/// the domain it may not. Ghost cells that copy a neighbouring rank's need its next ones too, so one layer is
/// too few.
template <class Real>
HALFSTEP_HD bool sees_variation(const BoundaryConditions<Real>& rules, int i, int j, int k) {
  const int cell[3] = {i, j, k};
  int sides = 0, layers = 2;
  for (int a = 0; a < 3; ++a) {
    const int ghosts = rules.layout.ghosts[a];
    if (ghosts > 0 && ghosts < layers) layers = ghosts;
    if (cell[a] >= 0 && cell[a] < rules.layout.cells[a]) continue;
    const Boundary kind = rules.boundary[a][cell[a] < 0 ? 0 : 1];
    sides += kind != Boundary::periodic && kind != Boundary::exchanged;
  }
  return sides == 1 && layers > 1;
}

/// Returns the state beyond a side that is_characteristic(), at the place x and time t, from that inside.
/// `u`, if not null, and the interior cell `at` tell how it varies there.
template <class Real>
HALFSTEP_HD Primitive<double> characteristic_state(const BoundaryConditions<Real>& rules, Side side,
                                                   const Primitive<double>& inside,
                                                   const IdealGas<double>& gas, const double* x, double t,
                                                   const Real* u, const int (&at)[3], int index) {
  const Primitive<double> reference = rules.dirichlet.at(side.axis, side.side, x, t);
  switch (rules.boundary[side.axis][side.side]) {
    case Boundary::subsonic_outflow:
      return subsonic_outflow(side, inside, reference, gas);
    case Boundary::subsonic_inflow:
      return subsonic_inflow(side, inside, reference, gas);
    case Boundary::reservoir:
      return reservoir(side, inside, reference, gas);
    default:
      if (!u) return far_field(side, inside, reference, gas);
      return far_field(side, inside, reference, variation_beside(rules, u, side, at, index), gas);
  }
}

/// Returns the state of a ghost cell that copies the interior cell `at` of `u` beyond one or more sides,
/// `copy` where none is_characteristic(). Beyond several that are, one follows the other in the order of the
/// axes. `gas`: in the cell that is copied, and beyond these sides, too.
template <class Real>
HALFSTEP_HD_COLD Conserved<Real> past_characteristic_sides(const BoundaryConditions<Real>& rules,
                                                           const Real* u, const int (&at)[3], int i, int j,
                                                           int k, double t, const IdealGas<double>& gas,
                                                           Conserved<Real> copy) {
  const int cell[3] = {i, j, k};
  double x[3];
  find_centre(rules, i, j, k, x);
  const Real* const varying = sees_variation(rules, i, j, k) ? u : nullptr;
  for (int a = 0; a < 3; ++a) {
    if (cell[a] >= 0 && cell[a] < rules.layout.cells[a]) continue;
    const Side side{a, cell[a] < 0 ? 0 : 1};
    if (!is_characteristic(boundary_at(rules, a, side.side, i, j, k))) continue;
    const Primitive<double> beyond =
        characteristic_state(rules, side, to_primitive(widened(copy), gas), gas, x, t, varying, at, cell[a]);
    const Conserved<double> c = to_conserved(beyond, gas);
    copy = {Real(c.density), Real(c.mu), Real(c.mv), Real(c.mw), Real(c.energy)};
  }
  return copy;
}

/// Computes the conserved state of the ghost cell (i, j, k) of `u` at time t. Returns false where the cell is
/// not changed (inflow, or another rank's). `has_formulas` false: the rules have none,
/// which a kernel needs fewer registers for.
template <bool has_formulas = true, class Real>
HALFSTEP_HD bool ghost_state(const BoundaryConditions<Real>& rules, const Real* u, int i, int j, int k,
                             double t, Conserved<Real>& state) {
  int at[3];
  bool mirrored[3];
  const GhostSource kind = ghost_source<has_formulas>(rules, i, j, k, at, mirrored);
  if (kind == GhostSource::held || (at[0] == i && at[1] == j && at[2] == k && kind == GhostSource::cell))
    return false;
  if (has_formulas && kind == GhostSource::prescribed) {
    state = prescribed_state(rules, i, j, k, t);
    return true;
  }
  const Real* source = u + rules.layout.index(at[0], at[1], at[2]);
  const std::int64_t f = rules.layout.field_stride;
  state = {source[0], source[f], source[2 * f], source[3 * f], source[4 * f]};
  if (mirrored[0]) state.mu = -state.mu;
  if (mirrored[1]) state.mv = -state.mv;
  if (mirrored[2]) state.mw = -state.mw;
  // A wall bears the weight of the gas: beyond it the pressure continues hydrostatically.
  const int cell[3] = {i, j, k};
  double depth = 0;  // the pressure gained per density
  for (int a = 0; a < 3; ++a)
    if (mirrored[a]) depth += rules.gravity[a] * distance_between(rules, a, at[a], cell[a]);
  if (depth != 0) {
    const IdealGas<Real> gas = gas_in(in_precision<Real>(rules.gases), rules.layout, u, at[0], at[1], at[2]);
    const Real gain = Real(depth) * state.density;
    if (to_primitive(state, gas).pressure + gain > Real(0)) state.energy += internal_energy(gain, gas);
  }
  if (has_formulas && rules.has_characteristic)
    state = past_characteristic_sides(rules, u, at, i, j, k, t,
                                      gas_in(rules.gases, rules.layout, u, at[0], at[1], at[2]), state);
  return true;
}

/// Whether every ghost cell is another rank's, or a periodic image of an interior cell, which can then be
/// read in its place, so that ghost cells need not be filled.
template <class Real>
bool wraps(const BoundaryConditions<Real>& rules) {
  for (int a = 0; a < 3; ++a) {
    const int layers = rules.layout.ghosts[a];
    for (const Boundary side : rules.boundary[a])
      if (layers > 0 && side != Boundary::exchanged &&
          (side != Boundary::periodic || rules.layout.cells[a] < layers))
        return false;
  }
  return true;
}

/// Returns along how many axes a cell lies beyond the domain: 2 or 3 at edges and corners.
HALFSTEP_HD int axes_beyond(const Layout& l, int i, int j, int k) {
  return (i < 0 || i >= l.cells[0]) + (j < 0 || j >= l.cells[1]) + (k < 0 || k >= l.cells[2]);
}

/// Whether the ghost cell (i, j, k) lies beyond one side alone, whose state formulas make.
template <class Real>
HALFSTEP_HD bool is_from_formulas(const BoundaryConditions<Real>& rules, int i, int j, int k) {
  if (axes_beyond(rules.layout, i, j, k) != 1) return false;
  const int cell[3] = {i, j, k};
  int a = 0;
  while (cell[a] >= 0 && cell[a] < rules.layout.cells[a]) ++a;
  return is_made_by_formulas(boundary_at(rules, a, cell[a] < 0 ? 0 : 1, i, j, k));
}

/// Whether gas of the state `c` beyond a side flows in.
template <class Real>
HALFSTEP_HD bool flows_in(Side side, const Conserved<Real>& c) {
  const Real along = side.axis == 0 ? c.mu : side.axis == 1 ? c.mv : c.mw;
  return side.side == 0 ? along > Real(0) : along < Real(0);
}

/// Fills the scalars of a ghost cell of density `density` whose mass fractions `side` gives.
template <class Real>
HALFSTEP_HD void fill_given_scalars(const BoundaryConditions<Real>& rules, Real* u, int i, int j, int k,
                                    Side side, Real density, double t) {
  double x[3];
  find_centre(rules, i, j, k, x);
  for (int s = 0; s < rules.layout.scalars(); ++s)
    if (rules.dirichlet.has_fraction(side.axis, side.side, s))
      scalar(rules.layout, u, s, i, j, k) =
          Real(double(density) * rules.dirichlet.fraction(side.axis, side.side, s, x, t));
  if (rules.layout.two_gases && rules.dirichlet.has_fraction(side.axis, side.side, rules.layout.scalars()))
    scalar(rules.layout, u, rules.layout.scalars(), i, j, k) = Real(given_volume_fraction(rules, side, x, t));
}

/// Fills the scalars of a ghost cell that sides give: all of a prescribed state, and of a side that
/// is_characteristic() those of gas that flows in.
template <class Real>
HALFSTEP_HD_COLD void fill_scalars_of_sides(const BoundaryConditions<Real>& rules, Real* u, int i, int j,
                                            int k, const Conserved<Real>& state, bool is_prescribed,
                                            double t) {
  if (is_prescribed)
    return fill_given_scalars(rules, u, i, j, k, prescribing_side(rules, i, j, k), state.density, t);
  const int cell[3] = {i, j, k};
  for (int a = 0; a < 3; ++a) {
    if (cell[a] >= 0 && cell[a] < rules.layout.cells[a]) continue;
    const Side side{a, cell[a] < 0 ? 0 : 1};
    if (is_characteristic(boundary_at(rules, a, side.side, i, j, k)) && flows_in(side, state))
      fill_given_scalars(rules, u, i, j, k, side, state.density, t);
  }
}

template <bool has_formulas, class Real>
HALFSTEP_HD void fill_ghost_scalars(const BoundaryConditions<Real>& rules, Real* u, int i, int j, int k,
                                    const Conserved<Real>& state, double t) {
  const Layout& l = rules.layout;
  int at[3];
  bool mirrored[3];
  const bool of_a_cell = ghost_source<has_formulas>(rules, i, j, k, at, mirrored) == GhostSource::cell;
  // Mass fractions are the cell's, also where a side with values changes the density; elsewhere the factor
  // is 1.
  const Real factor = of_a_cell ? state.density / u[l.index(at[0], at[1], at[2])] : Real(0);
  for (int s = 0; s < l.carried(); ++s) {
    const Real own = s < l.scalars() ? factor : Real(1);
    scalar(l, u, s, i, j, k) = of_a_cell ? own * scalar(l, u, s, at[0], at[1], at[2]) : Real(0);
  }
  if (has_formulas && rules.has_fractions) fill_scalars_of_sides(rules, u, i, j, k, state, !of_a_cell, t);
}

/// Fills all fields of the ghost cell (i, j, k) of `u` for time t. Prescribed states hold the scalars that
/// their side gives, and none else, and of the two gases that. Returns false where is_from_formulas() and the
/// state is not admissible: Riemann solvers do not notice it on every side.
template <bool has_formulas = true, class Real>
HALFSTEP_HD bool fill_ghost(const BoundaryConditions<Real>& rules, Real* u, int i, int j, int k, double t) {
  const Layout& l = rules.layout;
  Conserved<Real> state;
  if (!ghost_state<has_formulas>(rules, u, i, j, k, t, state)) return true;
  store(l, u, i, j, k, state);
  if (l.carried() > 0) fill_ghost_scalars<has_formulas>(rules, u, i, j, k, state, t);
  if constexpr (has_formulas)
    return !is_from_formulas(rules, i, j, k) ||
           is_admissible(state, gas_in(in_precision<Real>(rules.gases), l, u, i, j, k));
  return true;
}

/// Whether the cells at index `n` of an axis, inside or beyond its ends, are copies of interior cells,
/// mirrored or not, or another rank's.
template <class Real>
HALFSTEP_HD bool copies_interior(const BoundaryConditions<Real>& rules, int axis, int n) {
  if (n >= 0 && n < rules.layout.cells[axis]) return true;
  const Boundary kind = rules.boundary[axis][n < 0 ? 0 : 1];
  const bool wall = kind == Boundary::reflecting || kind == Boundary::no_slip;
  return kind == Boundary::periodic || kind == Boundary::outflow || kind == Boundary::exchanged ||
         (wall && rules.gravity[axis] == 0);
}

/// Whether the cells at index `n` of an axis are inside, or another rank's.
template <class Real>
HALFSTEP_HD bool holds_cells(const BoundaryConditions<Real>& rules, int axis, int n) {
  return (n >= 0 && n < rules.layout.cells[axis]) ||
         rules.boundary[axis][n < 0 ? 0 : 1] == Boundary::exchanged;
}

/// Fills the ghost cells of the row (j, k) of `u` for time t, as fill_ghost() does but by rows where
/// possible. The row itself may lie beyond the domain along y and z. Returns false where fill_ghost() does.
template <class Real>
bool fill_ghost_row(const BoundaryConditions<Real>& rules, Real* u, int j, int k, double t) {
  const Layout& l = rules.layout;
  const int n = l.cells[0], layers = l.ghosts[0];
  const bool beyond = !holds_cells(rules, 1, j) || !holds_cells(rules, 2, k);
  int at[3];
  bool mirrored[3] = {};  // initialised for nvcc, which does not see that it is set before it is read
  const auto sign = [&](int field) {
    return field >= 1 && field <= 3 && mirrored[field - 1] ? Real(-1) : Real(1);
  };
  const auto row = [&](int field, int y, int z) { return u + field * l.field_stride + l.index(0, y, z); };
  const bool copied = copies_interior(rules, 1, j) && copies_interior(rules, 2, k);
  bool good = true;
  if (beyond && copied) {
    ghost_source(rules, 0, j, k, at, mirrored);
    for (int f = 0; f < l.fields; ++f) {
      const Real* from = row(f, at[1], at[2]);
      Real* to = row(f, j, k);
      const Real factor = sign(f);
      for (int i = 0; i < n; ++i) to[i] = factor * from[i];
    }
  } else if (beyond) {
    for (int i = 0; i < n; ++i) good &= fill_ghost(rules, u, i, j, k, t);
  }
  for (int layer = 0; layer < 2 * layers; ++layer) {
    const int i = layer < layers ? -1 - layer : n + layer - layers;
    if (holds_cells(rules, 0, i) && !beyond) continue;
    if (copied && !holds_cells(rules, 0, i) && copies_interior(rules, 0, i)) {
      ghost_source(rules, i, 0, 0, at, mirrored);
      for (int f = 0; f < l.fields; ++f) row(f, j, k)[i] = sign(f) * row(f, j, k)[at[0]];
    } else {  // also beyond another axis' wall, from cells of another rank
      good &= fill_ghost(rules, u, i, j, k, t);
    }
  }
  return good;
}

/// The ghost cells in a fixed order: the z slabs, then the y slabs, then the x slabs. Throws
/// std::length_error where a pair of slabs has more than 2^32 cells.
struct GhostCells {
  std::int64_t slab[3];  ///< ghost cells of both sides of each axis
  int wide[2];           ///< extent in x and y with ghosts

  explicit GhostCells(const Layout& l) {
    wide[0] = l.cells[0] + 2 * l.ghosts[0];
    wide[1] = l.cells[1] + 2 * l.ghosts[1];
    slab[2] = std::int64_t{2} * l.ghosts[2] * wide[0] * wide[1];
    slab[1] = std::int64_t{2} * l.ghosts[1] * wide[0] * l.cells[2];
    slab[0] = std::int64_t{2} * l.ghosts[0] * l.cells[1] * l.cells[2];
    for (const std::int64_t cells : slab)
      if (cells > std::numeric_limits<unsigned>::max())
        throw std::length_error("more than 2^32 ghost cells at one pair of boundaries");
  }
  HALFSTEP_HD std::int64_t count() const { return slab[0] + slab[1] + slab[2]; }

  /// Finds the indices of the n-th ghost cell.
  HALFSTEP_HD void cell(const Layout& l, std::int64_t n, int& i, int& j, int& k) const {
    const auto outside = [](int layer, int ghosts, int cells) {
      return layer < ghosts ? layer - ghosts : cells + layer - ghosts;
    };
    // An index in a slab fits 32 bits, in which a device divides several times as fast.
    const auto split = [&](std::int64_t of_slab, int size_x, int size_y) {
      const unsigned m = static_cast<unsigned>(of_slab), row = m / static_cast<unsigned>(size_x);
      i = static_cast<int>(m - row * static_cast<unsigned>(size_x));
      k = static_cast<int>(row / static_cast<unsigned>(size_y));
      j = static_cast<int>(row) - k * size_y;
    };
    if (n < slab[2]) {
      split(n, wide[0], wide[1]);
      i -= l.ghosts[0];
      j -= l.ghosts[1];
      k = outside(k, l.ghosts[2], l.cells[2]);
    } else if ((n -= slab[2]) < slab[1]) {
      split(n, wide[0], 2 * l.ghosts[1]);
      i -= l.ghosts[0];
      j = outside(j, l.ghosts[1], l.cells[1]);
    } else {
      split(n - slab[1], 2 * l.ghosts[0], l.cells[1]);
      i = outside(i, l.ghosts[0], l.cells[0]);
    }
  }
};

}  // namespace halfstep
