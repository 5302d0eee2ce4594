// Closes walls that bear the gas's weight. Beyond such a wall the pressure continues hydrostatically, so that
// a cell and its image are no exact mirrors, and the flux between them carries a little mass, energy,
// tangential momentum and scalars besides pressure. The flux that the stage will compute is recomputed face
// by face, as in a replay, and subtracted from the state that the stage starts from; the stage's kernel is
// unchanged.
#pragma once

#include "physics/gas/rotate.hpp"
#include "physics/rhs/fourth_order_face.hpp"
#include "physics/stage/first_order_faces.hpp"
#include "physics/stage/replay.hpp"

namespace halfstep {

/// Whether there may be walls across `axis` whose images are no exact mirrors.
template <class Real>
bool bears_weight(const BoundaryConditions<Real>& rules, int axis) {
  const int n = rules.layout.cells[axis];
  return n > 1 && rules.gravity[axis] != 0 &&
         !(copies_interior(rules, axis, -1) && copies_interior(rules, axis, n));
}

/// The inputs of close_walls() besides the stage's arguments, whose `out` is the state the stage starts from.
template <class Real>
struct ClosedWalls {
  Scheme scheme;
  BoundaryConditions<Real> rules;
  const std::uint8_t* mask;  ///< cells of the attempt's remedy; nullptr: none
  bool is_corrected;         ///< the stage starts from fourth-order corrections, too
  UncorrectedFaces uncorrected = {};

  /// Whether the flux through that face of a cell has a fourth-order correction.
  HALFSTEP_HD bool corrects(const int (&cell)[3], int axis, int side) const {
    return is_corrected && !uncorrected.has(rules.layout, cell, axis, side);
  }
};

/// Subtracts from the state that the stage starts from all fluxes but the pressure through the walls across
/// `axis` beside the cell (i, j, k). `a.dt` is the step's.
template <class Real>
HALFSTEP_HD void close_walls(const StageArguments<Real>& a, const ClosedWalls<Real>& walls, int axis, int i,
                             int j, int k) {
  const Layout& l = a.layout;
  const int cell[3] = {i, j, k};
  for (int side = 0; side < 2; ++side) {
    int image[3] = {i, j, k}, at[3];
    bool mirrored[3];
    image[axis] += side == 0 ? -1 : 1;
    if (image[axis] >= 0 && image[axis] < l.cells[axis]) continue;
    ghost_source(walls.rules, image[0], image[1], image[2], at, mirrored);
    if (!mirrored[axis]) continue;
    const bool first_order = FirstOrderFaces<Real>{walls.rules, walls.mask}(i, j, k, axis, side);
    const FaceRecord<Real> face =
        replay_face(a, walls.scheme, axis, line_of_cells(a, axis, i, j, k), side, first_order);
    Conserved<Real> leak = unrotated(face.flux, axis);
    if (walls.corrects(cell, axis, side)) leak = leak + correction_of_face(a, axis, cell, image);
    (axis == 0 ? leak.mu : axis == 1 ? leak.mv : leak.mw) = Real(0);
    const Real scale =
        (side == 0 ? -a.weight_in_start : a.weight_in_start) * a.dt * a.inverse_width(axis, cell[axis]);
    store(l, a.out, i, j, k, added_to_start(load(l, a.out, i, j, k), scale * leak, a.start_dither));
    const auto take_back = [&](int s, Real flux) {
      Real& start = scalar(l, a.out, s, i, j, k);
      start = added(start, scale * flux, a.start_dither);
    };
    for (int s = 0; s < l.scalars(); ++s)
      take_back(s, replay_scalar_flux(a, walls.scheme, s, axis, i, j, k, side, face));
    if (l.two_gases) take_back(l.scalars(), face.volume.relative_to(scalar(l, a.in, l.scalars(), i, j, k)));
  }
}

/// The cells beside the walls across an axis, in a fixed order: those beside the lower wall, then those
/// beside the upper one.
struct CellsBesideWalls {
  int axis, first, second;  ///< the axis, and the two that span the walls
  int cells[3];

  HALFSTEP_HD CellsBesideWalls(const Layout& l, int across)
      : axis(across),
        first(across == 0 ? 1 : 0),
        second(across == 2 ? 1 : 2),
        cells{l.cells[0], l.cells[1], l.cells[2]} {}
  HALFSTEP_HD std::int64_t count() const { return std::int64_t{2} * cells[first] * cells[second]; }

  HALFSTEP_HD void cell(std::int64_t n, int (&at)[3]) const {
    at[first] = static_cast<int>(n % cells[first]);
    at[second] = static_cast<int>(n / cells[first] % cells[second]);
    at[axis] = n / cells[first] / cells[second] == 0 ? 0 : cells[axis] - 1;
  }
};

}  // namespace halfstep
