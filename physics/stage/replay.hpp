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
  bool first_order;              ///< Rusanov's flux between the cell averages, not the scheme's
  VolumeFlux<Real> volume = {};  ///< of two gases
};

/// The cells along an axis on which the fluxes of the middle one depend.
template <class Real>
struct LineOfCells {
  Primitive<Real> q[2 * kMaxLayers + 1];  ///< rotated
  Real fraction[2 * kMaxLayers + 1];      ///< of the second gas; 0 without one
};

/// A cell's recomputed update. Inactive axes are zeros.
template <class Real>
struct CellRecord {
  Conserved<Real> before, after, stored;
  LineOfCells<Real> line[3];
  FaceRecord<Real> face[3][2];     ///< [axis][lower, upper]
  bool scalars_reproduced = true;  ///< their update is what is stored, as far as a diagnosis looked
  bool of_source;                  ///< half of a source: no faces and no stencil
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
    line.q[m + kMaxLayers] = rotated(to_primitive(load(l, a.in, x, y, z), a.gas_in(a.in, x, y, z)), axis);
    if (l.two_gases) line.fraction[m + kMaxLayers] = scalar(l, a.in, l.scalars(), x, y, z);
  }
  return line;
}

/// Recomputes a face between cells of two gases, as replay_face().
template <class Real>
HALFSTEP_HD FaceRecord<Real> replay_two_gas_face(const Gases<Real>& gases, const Scheme& scheme,
                                                 const LineOfCells<Real>& line, int side, bool first_order) {
  const Primitive<Real>* q = line.q + side;
  const Primitive<Real>&cell_l = q[kMaxLayers - 1], &cell_r = q[kMaxLayers];
  const auto fraction = [&](int m) { return line.fraction[side + kMaxLayers + m]; };
  const SideFractions<Real> of_cells{fraction(-1), fraction(0)};
  if (first_order) {
    const TwoGasFlux<Real> f = two_gas_rusanov_flux(cell_l, cell_r, of_cells, gases);
    return {cell_l, cell_r, f.flux, false, true, f.volume};
  }
  const Primitive<Real> left = any_edge_states(scheme, q, gases.mixed(of_cells.left)).upper,
                        right = any_edge_states(scheme, q + 1, gases.mixed(of_cells.right)).lower;
  const bool good = is_admissible(left) & is_admissible(right);
  const SideFractions<Real> z = good ? any_side_fractions<Real>(scheme, fraction) : of_cells;
  const TwoGasFlux<Real> f = two_gas_flux(select(good, left, cell_l), select(good, right, cell_r), z, gases);
  return {left, right, f.flux, !good, false, f.volume};
}

/// Recomputes the lower or upper face (`side`) of the cell in the middle of the line. `first_order`: its flux
/// is Rusanov's between the adjacent cell averages, not the scheme's.
template <class Real>
HALFSTEP_HD FaceRecord<Real> replay_face(const StageArguments<Real>& a, const Scheme& scheme, int axis,
                                         const LineOfCells<Real>& line, int side, bool first_order) {
  if (a.layout.two_gases) return replay_two_gas_face(a.gases(), scheme, line, side, first_order);
  const Primitive<Real>* q = line.q + side;
  const Primitive<Real>&cell_l = q[kMaxLayers - 1], &cell_r = q[kMaxLayers];
  FaceRecord<Real> face{};
  if (first_order) {
    face = {cell_l, cell_r, Rusanov::flux(cell_l, cell_r, a.gas), false, true};
  } else {
    const Primitive<Real> left = any_edge_states(scheme, q, a.gas).upper,
                          right = any_edge_states(scheme, q + 1, a.gas).lower;
    const FaceFlux<Real> f = any_checked_flux(scheme.riemann, left, right, cell_l, cell_r, a.gas);
    face = {left, right, f.flux, f.bad, false};
    if (a.positive) face.flux = positive_flux(face.flux, cell_l, cell_r, face_step(a, a.dt, axis), a.gas);
  }
  return face;
}

/// Recomputes the flux of scalar s through that face.
template <class Real>
HALFSTEP_HD Real replay_scalar_flux(const StageArguments<Real>& a, const Scheme& scheme, int s, int axis,
                                    int i, int j, int k, int side, const FaceRecord<Real>& face) {
  const auto fraction = [&](int m) {
    const int n = m + side;  // cells above this one
    return mass_fraction(a.layout, a.in, s, i + (axis == 0 ? n : 0), j + (axis == 1 ? n : 0),
                         k + (axis == 2 ? n : 0));
  };
  return any_scalar_flux(scheme, fraction, face.flux.density, face.first_order || face.bad);
}

/// Recomputes the update of a cell. Where first_order(i, j, k, axis, side), a face's flux is Rusanov's
/// between the adjacent cell averages; elsewhere it is the scheme's.
template <class Real, class FirstOrder = NoFirstOrderFaces>
HALFSTEP_HD CellRecord<Real> replay_cell(const StageArguments<Real>& a, const Scheme& scheme, int i, int j,
                                         int k, const FirstOrder& first_order = {}) {
  CellRecord<Real> record{};
  const Layout& l = a.layout;
  Conserved<Real> jump[3] = {};
  for (int axis = 0; axis < 3; ++axis) {
    if (l.ghosts[axis] == 0) continue;
    record.line[axis] = line_of_cells(a, axis, i, j, k);
    for (int side = 0; side < 2; ++side)
      record.face[axis][side] =
          replay_face(a, scheme, axis, record.line[axis], side, first_order(i, j, k, axis, side));
    const FaceRecord<Real>&lower = record.face[axis][0], &upper = record.face[axis][1];
    jump[axis] = unrotated(upper.flux - lower.flux, axis);
  }
  const Conserved<Real> in = load(l, a.in, i, j, k);
  const Conserved<Real> start = a.start ? load(l, a.start, i, j, k) : Conserved<Real>{};
  const InverseWidths<Real> widths = a.inverse_widths(i, j, k);
  record.before = in;
  record.after = by_field<Real>([&](auto f) {
    return updated(a, widths.along, a.dt, start.*f, in.*f,
                   in_plane_divergence(widths.along, jump[0].*f, jump[1].*f), jump[2].*f);
  });
  record.stored = load(l, a.out, i, j, k);
  return record;
}

/// Recomputes the update of scalar s in the cell of the record.
template <class Real>
HALFSTEP_HD Real replay_scalar(const StageArguments<Real>& a, const Scheme& scheme,
                               const CellRecord<Real>& record, int s, int i, int j, int k) {
  Real jump[3] = {};
  for (int axis = 0; axis < 3; ++axis) {
    if (a.layout.ghosts[axis] == 0) continue;
    const auto flux = [&](int side) {
      return replay_scalar_flux(a, scheme, s, axis, i, j, k, side, record.face[axis][side]);
    };
    jump[axis] = flux(1) - flux(0);
  }
  const Real start = a.start ? scalar(a.layout, a.start, s, i, j, k) : Real(0);
  const InverseWidths<Real> widths = a.inverse_widths(i, j, k);
  return updated(a, widths.along, a.dt, start, scalar(a.layout, a.in, s, i, j, k),
                 in_plane_divergence(widths.along, jump[0], jump[1]), jump[2]);
}

/// Recomputes the update of the second gas's volume fraction in the cell of the record.
template <class Real>
HALFSTEP_HD Real replay_fraction(const StageArguments<Real>& a, const CellRecord<Real>& record, int i, int j,
                                 int k) {
  const Layout& l = a.layout;
  const Real own = scalar(l, a.in, l.scalars(), i, j, k);
  const auto jump = [&](int axis) {
    const auto& [lower, upper] = record.face[axis];
    return upper.volume.relative_to(own) - lower.volume.relative_to(own);
  };
  const Real start = a.start ? scalar(l, a.start, l.scalars(), i, j, k) : Real(0);
  const InverseWidths<Real> widths = a.inverse_widths(i, j, k);
  return updated(a, widths.along, a.dt, start, own, in_plane_divergence(widths.along, jump(0), jump(1)),
                 jump(2));
}

}  // namespace halfstep
