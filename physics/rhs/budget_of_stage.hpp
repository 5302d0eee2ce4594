// The parts of the domain's budget in a stage. The flux through a face on a side of the domain is recomputed
// from the input of the stage as in a replay: what the sweep, the right-hand-side terms and the remedies have
// let through that face together.
#pragma once

#include "physics/rhs/closed_walls.hpp"
#include "physics/rhs/rhs_of_cell.hpp"
#include "runtime/stepping/ladder.hpp"

namespace halfstep {

/// The inputs of a stage's parts of the budget.
template <class Real>
struct BudgetArguments {
  RhsArguments<Real> rhs;  ///< the stage's, with the motion of a viscous gas as the terms have found it
  ClosedWalls<Real> walls;
  int viscous_order = 0;  ///< of the differences; 0: no viscous gas
  bool closes[3] = {};    ///< walls across the axis are closed
  double share = 1;       ///< of the stage's rate of change, times dt, in the result of the step
  Remedy remedy = Remedy::none;
};

/// The sides of the domain that a block has and through which more may come in than goes out through the
/// opposite one: all but periodic sides.
struct OpenSides {
  int count = 0;
  int axis[6]{}, side[6]{};

  template <class Real>
  explicit OpenSides(const BoundaryConditions<Real>& rules) {
    for (int a = 0; a < 3; ++a)
      for (int s = 0; rules.layout.ghosts[a] > 0 && s < 2; ++s) {
        const Boundary kind = rules.boundary[a][s];
        if (kind == Boundary::periodic || kind == Boundary::exchanged) continue;
        axis[count] = a;
        side[count] = s;
        count += 1;
      }
  }
};

/// Returns the viscous flux through the lower face along `axis` of a cell, rotated.
template <int order, bool is_stretched, class Real>
HALFSTEP_HD Conserved<Real> viscous_flux_below(const RhsArguments<Real>& a, int axis,
                                               const std::array<int, 3>& cell) {
  const Layout& l = a.stage.layout;
  const Real* const here = a.motion + l.index(cell[0], cell[1], cell[2]);
  const auto motion = [&](int field, int n) { return here[field * l.field_stride + n * l.stride[axis]]; };
  const auto in_cell = [&](int tangential, int field, int n) {
    const Real* const beside = here + field * l.field_stride + n * l.stride[axis];
    return Central<order>::in_cell([&](int m) { return beside[m * l.stride[tangential]]; });
  };
  return viscous_flux_between<order, is_stretched>(a, axis, cell, wall_below(a, axis, cell[axis]), motion,
                                                   in_cell);
}
template <class Real>
HALFSTEP_HD Conserved<Real> viscous_flux_below(const RhsArguments<Real>& a, int order, int axis,
                                               const std::array<int, 3>& cell) {
  return is_stretched(a.stage.axes) ? viscous_flux_below<2, true>(a, axis, cell)
         : order == 2               ? viscous_flux_below<2, false>(a, axis, cell)
                                    : viscous_flux_below<4, false>(a, axis, cell);
}

/// Returns the flux along `axis`, upwards if positive, between the cell (i, j, k) and the one beyond `side`,
/// in a step of length `dt`.
template <class Real>
HALFSTEP_HD Conserved<Real> flux_through_side(const BudgetArguments<Real>& s, Real dt, int axis, int side,
                                              int i, int j, int k) {
  StageArguments<Real> a = s.rhs.stage;
  a.dt = dt;
  const ClosedWalls<Real>& walls = s.walls;
  const int cell[3] = {i, j, k};
  int beyond[3] = {i, j, k}, at[3];
  beyond[axis] += side == 0 ? -1 : 1;
  const bool first_order = FirstOrderFaces<Real>{walls.rules, walls.mask}(i, j, k, axis, side);
  const FaceRecord<Real> face =
      replay_face(a, walls.scheme, axis, line_of_cells(a, axis, i, j, k), side, first_order);
  Conserved<Real> flux = unrotated(face.flux, axis);
  if (walls.corrects(cell, axis, side))
    flux = flux + (side == 0 ? fourth_order_correction(a, axis, beyond, cell)
                             : fourth_order_correction(a, axis, cell, beyond));
  bool mirrored[3];
  ghost_source(walls.rules, beyond[0], beyond[1], beyond[2], at, mirrored);
  if (s.closes[axis] && mirrored[axis])
    flux = {Real(0), axis == 0 ? flux.mu : Real(0), axis == 1 ? flux.mv : Real(0),
            axis == 2 ? flux.mw : Real(0), Real(0)};
  if (s.viscous_order > 0)
    flux = flux + unrotated(viscous_flux_below(
                                s.rhs, s.viscous_order, axis,
                                {i + (axis == 0) * side, j + (axis == 1) * side, k + (axis == 2) * side}),
                            axis);
  return flux;
}

/// Returns what a flux along `axis` through a face of the cell (i, j, k) brings in during the stage, as far
/// as it remains in the result of the step, per volume of a cell of mean widths.
template <class Real>
HALFSTEP_HD Conserved<double> inflow_of_flux(const BudgetArguments<Real>& s, Real dt, int axis, int side,
                                             int i, int j, int k, const Conserved<Real>& flux) {
  const StageArguments<Real>& a = s.rhs.stage;
  const int cell[3] = {i, j, k};
  const double inwards = (side == 0 ? s.share : -s.share) * double(dt) *
                         double(a.inverse_width(axis, cell[axis])) * relative_volume(a.axes, i, j, k);
  return inwards * widened(flux);
}

/// Returns what comes into the domain through a face of a cell.
struct InflowOfCell {
  template <class Real>
  HALFSTEP_HD Conserved<double> operator()(const BudgetArguments<Real>& s, Real dt, int axis, int side, int i,
                                           int j, int k) const {
    return inflow_of_flux(s, dt, axis, side, i, j, k, flux_through_side(s, dt, axis, side, i, j, k));
  }
};

/// Returns what gravity and what drives the flow add to a cell in the stage, as inflow_of_flux().
template <class Real>
HALFSTEP_HD Conserved<double> change_by_forces(const BudgetArguments<Real>& s, Real dt,
                                               const std::array<double, 3>& pressure_gradient,
                                               const std::array<double, 3>& acceleration, int i, int j,
                                               int k) {
  const StageArguments<Real>& a = s.rhs.stage;
  const Conserved<Real> in = load(a.layout, a.in, i, j, k);
  const double volume = s.share * double(dt) * relative_volume(a.axes, i, j, k);
  return volume * (widened(rate_by_gravity(s.rhs.gravity, in)) +
                   widened(rate_by_driving(pressure_gradient, acceleration, in)));
}

/// Returns what half of a stiff source adds to a cell, per volume of a cell of mean widths. It moves nothing.
template <class Real>
HALFSTEP_HD double heat_of_source(const StageArguments<Real>& a, int i, int j, int k) {
  const double change =
      double(load(a.layout, a.out, i, j, k).energy) - double(load(a.layout, a.in, i, j, k).energy);
  return relative_volume(a.axes, i, j, k) * change;
}

}  // namespace halfstep
