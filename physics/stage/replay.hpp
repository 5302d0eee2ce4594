// The update of one cell recomputed with all intermediate states. Not for hot loops.
#pragma once

#include "physics/flux/any_scheme.hpp"
#include "physics/flux/positivity.hpp"
#include "physics/gas/rotate.hpp"
#include "physics/stage/stage.hpp"

namespace halfstep {

/// A face of a cell, states and flux rotated to its axis.
template <class Real>
struct FaceRecord {
  Primitive<Real> left, right;
  Conserved<Real> flux;
  bool bad;
  Real reactant_flux;  ///< zero where there is no reactant
};

/// The cells along an axis on which the fluxes of the middle one depend.
template <class Real>
struct LineOfCells {
  Primitive<Real> q[2 * kMaxLayers + 1];  ///< rotated
  Real y[2 * kMaxLayers + 1];             ///< mass fractions of the reactant
};

/// A cell's recomputed update. Inactive axes are zeros, and so is the reactant where there is none.
template <class Real>
struct CellRecord {
  Conserved<Real> before, after, stored;
  Real reactant_after, reactant_stored;
  LineOfCells<Real> line[3];
  FaceRecord<Real> face[3][2];  ///< [axis][lower, upper]
  bool of_source;               ///< half of a source: no faces and no stencil
};

/// The first-order faces of a step without remedies: none.
struct NoFirstOrderFaces {
  HALFSTEP_HD bool operator()(int, int, int, int, int) const { return false; }
};

template <class Real>
HALFSTEP_HD LineOfCells<Real> line_of_cells(const StageArguments<Real>& a, int axis, int i, int j, int k) {
  const Layout& l = a.layout;
  const int layers = l.ghosts[axis];
  LineOfCells<Real> line{};
  for (int m = -kMaxLayers; m <= kMaxLayers; ++m) {
    // Lower-order schemes have fewer ghost layers; cells beyond them are not in the stencil.
    const int offset = m < -layers ? -layers : m > layers ? layers : m;
    const int x = i + (axis == 0 ? offset : 0), y = j + (axis == 1 ? offset : 0),
              z = k + (axis == 2 ? offset : 0);
    line.q[m + kMaxLayers] = rotated(to_primitive(load(l, a.in, x, y, z), a.gas), axis);
    if (l.has_reactant()) line.y[m + kMaxLayers] = mass_fraction(l, a.in, x, y, z);
  }
  return line;
}

/// Recomputes the lower or upper face (`side`) of the cell in the middle of the line. `first_order`: its flux
/// is Rusanov's between the adjacent cell averages, not the scheme's.
template <class Real>
HALFSTEP_HD FaceRecord<Real> replay_face(const StageArguments<Real>& a, const Scheme& scheme, int axis,
                                         const LineOfCells<Real>& line, int side, bool first_order) {
  const Primitive<Real>* q = line.q + side;
  const Primitive<Real>&cell_l = q[kMaxLayers - 1], &cell_r = q[kMaxLayers];
  FaceRecord<Real> face{};
  if (first_order) {
    face = {cell_l, cell_r, Rusanov::flux(cell_l, cell_r, a.gas), false, Real(0)};
  } else {
    const Primitive<Real> left = any_edge_states(scheme, q, a.gas).upper,
                          right = any_edge_states(scheme, q + 1, a.gas).lower;
    const FaceFlux<Real> f = any_checked_flux(scheme.riemann, left, right, cell_l, cell_r, a.gas);
    face = {left, right, f.flux, f.bad, Real(0)};
    if (a.positive) face.flux = positive_flux(face.flux, cell_l, cell_r, face_step(a, a.dt, axis), a.gas);
  }
  if (a.layout.has_reactant())
    face.reactant_flux = any_reactant_flux(scheme, line.y + side, face.flux.density, first_order || face.bad);
  return face;
}

/// Recomputes the update of a cell. Where first_order(i, j, k, axis, side), a face's flux is Rusanov's
/// between the adjacent cell averages; elsewhere it is the scheme's.
template <class Real, class FirstOrder = NoFirstOrderFaces>
HALFSTEP_HD CellRecord<Real> replay_cell(const StageArguments<Real>& a, const Scheme& scheme, int i, int j,
                                         int k, const FirstOrder& first_order = {}) {
  CellRecord<Real> record{};
  const Layout& l = a.layout;
  Conserved<Real> jump[3] = {};
  Real reactant_jump[3] = {};
  for (int axis = 0; axis < 3; ++axis) {
    if (l.ghosts[axis] == 0) continue;
    record.line[axis] = line_of_cells(a, axis, i, j, k);
    for (int side = 0; side < 2; ++side)
      record.face[axis][side] =
          replay_face(a, scheme, axis, record.line[axis], side, first_order(i, j, k, axis, side));
    const FaceRecord<Real>&lower = record.face[axis][0], &upper = record.face[axis][1];
    jump[axis] = unrotated(upper.flux - lower.flux, axis);
    reactant_jump[axis] = upper.reactant_flux - lower.reactant_flux;
  }
  const bool keeps = a.alpha != Real(0);
  const Conserved<Real> in = load(l, a.in, i, j, k);
  const Conserved<Real> start = keeps ? load(l, a.start, i, j, k) : Conserved<Real>{};
  const auto field = [&](Real Conserved<Real>::*f) {
    return updated(a, a.dt, start.*f, in.*f, in_plane_divergence(a, jump[0].*f, jump[1].*f), jump[2].*f);
  };
  using C = Conserved<Real>;
  record.before = in;
  record.after = {field(&C::density), field(&C::mu), field(&C::mv), field(&C::mw), field(&C::energy)};
  record.stored = load(l, a.out, i, j, k);
  if (l.has_reactant()) {
    const Real reactant_start = keeps ? reactant(l, a.start, i, j, k) : Real(0);
    record.reactant_after =
        updated(a, a.dt, reactant_start, reactant(l, a.in, i, j, k),
                in_plane_divergence(a, reactant_jump[0], reactant_jump[1]), reactant_jump[2]);
    record.reactant_stored = reactant(l, a.out, i, j, k);
  }
  return record;
}

}  // namespace halfstep
