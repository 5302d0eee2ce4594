// The right-hand-side terms on host threads, row by row. Twin of cuda/rhs_terms.hpp.
#pragma once

#include <array>
#include <vector>

#include "physics/rhs/closed_walls.hpp"
#include "physics/solver/rhs_arguments.hpp"

namespace halfstep {

namespace host {

/// The fluxes through a row of faces, rotated: momentum along the normal and the two other axes, energy.
template <class Real>
using FluxRow = std::array<std::vector<Real>, kMotionFields>;

/// Computes the viscous fluxes through the lower faces along `axis` of `count` cells from (i, j, k) on. Not
/// inlined, so that a face has the same bits for the cells on both of its sides. `wall` as in
/// viscous_flux_between().
template <int order, bool is_stretched, class Real>
[[gnu::noipa]] void viscous_flux_row(const RhsArguments<Real>& arguments, int axis, int i, int j, int k,
                                     int count, int wall, FluxRow<Real>& row) {
  const RhsArguments<Real> a = arguments;
  const Layout& l = a.stage.layout;
  const Real* const first = a.motion + l.index(i, j, k);
  Real *u = row[0].data() + i, *v = row[1].data() + i, *w = row[2].data() + i, *energy = row[3].data() + i;
#pragma GCC ivdep
  for (int face = 0; face < count; ++face) {
    const auto motion = [&](int field, int n) HALFSTEP_INLINED {
      return first[field * l.field_stride + face + n * l.stride[axis]];
    };
    const auto in_cell = [&](int tangential, int field, int n) HALFSTEP_INLINED {
      const Real* cell = first + field * l.field_stride + face + n * l.stride[axis];
      return Central<order>::in_cell([&](int m) HALFSTEP_INLINED { return cell[m * l.stride[tangential]]; });
    };
    const std::array<int, 3> cell = {i + face, j, k};
    const Conserved<Real> flux =
        viscous_flux_between<order, is_stretched>(a, axis, cell, wall, motion, in_cell);
    u[face] = flux.mu;
    v[face] = flux.mv;
    w[face] = flux.mw;
    energy[face] = flux.energy;
  }
}

/// The fluxes through all faces of a row of cells.
template <int order, bool is_stretched, class Real>
class RowOfFaces {
 public:
  explicit RowOfFaces(const RhsArguments<Real>& a) : a_(a) {
    for (auto& axis : rows_)
      for (auto& side : axis)
        for (auto& field : side) field.resize(a.stage.layout.cells[0] + 1);
  }

  void find(int j, int k) {
    const int n = a_.stage.layout.cells[0];
    if (active(0)) {
      FluxRow<Real>& row = rows_[0][0];
      viscous_flux_row<order, is_stretched>(a_, 0, 0, j, k, 1, wall_below(a_, 0, 0), row);
      viscous_flux_row<order, is_stretched>(a_, 0, 1, j, k, n - 1, -1, row);
      viscous_flux_row<order, is_stretched>(a_, 0, n, j, k, 1, wall_below(a_, 0, n), row);
    }
    for (int side = 0; side < 2; ++side) {
      if (active(1))
        viscous_flux_row<order, is_stretched>(a_, 1, 0, j + side, k, n, wall_below(a_, 1, j + side),
                                              rows_[1][side]);
      if (active(2))
        viscous_flux_row<order, is_stretched>(a_, 2, 0, j, k + side, n, wall_below(a_, 2, k + side),
                                              rows_[2][side]);
    }
  }

  /// Returns the flux divergence of the cell (i, j, k), j and k those of find().
  Conserved<Real> divergence(int i, int j, int k) const {
    Conserved<Real> sum{};
    const int cell[3] = {i, j, k};
    if (active(0)) add_outflow<is_stretched>(sum, a_, 0, i, flux(rows_[0][0], i), flux(rows_[0][0], i + 1));
    for (int axis = 1; axis < 3; ++axis)
      if (active(axis))
        add_outflow<is_stretched>(sum, a_, axis, cell[axis], flux(rows_[axis][0], i),
                                  flux(rows_[axis][1], i));
    return sum;
  }

 private:
  bool active(int axis) const { return a_.stage.layout.ghosts[axis] > 0; }
  static Conserved<Real> flux(const FluxRow<Real>& row, int n) {
    return {Real(0), row[0][n], row[1][n], row[2][n], row[3][n]};
  }

  const RhsArguments<Real>& a_;
  std::array<std::array<FluxRow<Real>, 2>, 3> rows_;  // [axis][side]; along x one row holds both sides
};

/// Adds the terms of a viscous gas by differences of `order`.
template <int order, bool is_stretched, class Real>
void add_viscous_terms(const RhsArguments<Real>& a, int threads) {
  const Layout& l = a.stage.layout;
  int reach[3];
  for (int axis = 0; axis < 3; ++axis) reach[axis] = l.ghosts[axis] > 0 ? reach_of(order) : 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for collapse(2)
    for (int k = -reach[2]; k < l.cells[2] + reach[2]; ++k)
      for (int j = -reach[1]; j < l.cells[1] + reach[1]; ++j)
        for (int i = -reach[0]; i < l.cells[0] + reach[0]; ++i) store_motion(a, i, j, k);
    RowOfFaces<order, is_stretched, Real> faces(a);
#pragma omp for collapse(2)
    for (int k = 0; k < l.cells[2]; ++k)
      for (int j = 0; j < l.cells[1]; ++j) {
        faces.find(j, k);
        for (int i = 0; i < l.cells[0]; ++i) store_terms(a, a.stage.dt, faces.divergence(i, j, k), i, j, k);
      }
  }
}

}  // namespace host

/// Computes the state that a stage starts from, with its right-hand-side terms.
template <class Real>
void add_rhs_terms(const RhsTerms& terms, const RhsArguments<Real>& a, int threads) {
  if (terms.viscous())
    return is_stretched(a.stage.axes) ? host::add_viscous_terms<2, true>(a, threads)
           : terms.viscous_order == 2 ? host::add_viscous_terms<2, false>(a, threads)
                                      : host::add_viscous_terms<4, false>(a, threads);
  const Layout& l = a.stage.layout;
#pragma omp parallel for collapse(2) num_threads(threads)
  for (int k = 0; k < l.cells[2]; ++k)
    for (int j = 0; j < l.cells[1]; ++j)
      for (int i = 0; i < l.cells[0]; ++i) store_terms(a, a.stage.dt, Conserved<Real>{}, i, j, k);
}

/// Closes the walls that bear the gas's weight; `a.out` is the state that the stage starts from.
template <class Real>
void close_walls(const StageArguments<Real>& a, const ClosedWalls<Real>& walls, int threads) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!bears_weight(walls.rules, axis)) continue;
    const CellsBesideWalls cells(a.layout, axis);
#pragma omp parallel for num_threads(threads)
    for (std::int64_t n = 0; n < cells.count(); ++n) {
      int at[3];
      cells.cell(n, at);
      close_walls(a, walls, axis, at[0], at[1], at[2]);
    }
  }
}

}  // namespace halfstep
