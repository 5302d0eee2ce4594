// The fourth-order correction of the flux through one face, and faces that do without it: beside a body,
// where it would take in cells behind a wall of second order. All cells are corrected first, as without
// bodies. Then the cells of such a face have its correction taken back, both the same, so that the face has
// one flux.
#pragma once

#include <cstdint>

#include "physics/rhs/fourth_order_flux.hpp"

namespace halfstep {

/// Which faces of the cells of a block have no correction: a byte for each cell, x fastest, with the bit
/// 2 axis + side for each of its faces. Null: all have one.
struct UncorrectedFaces {
  const std::uint8_t* of_cells = nullptr;

  HALFSTEP_HD int of_cell(const Layout& l, int i, int j, int k) const {
    return of_cells ? of_cells[(std::int64_t{k} * l.cells[1] + j) * l.cells[0] + i] : 0;
  }
  HALFSTEP_HD bool has(const Layout& l, const int (&cell)[3], int axis, int side) const {
    return (of_cell(l, cell[0], cell[1], cell[2]) >> (2 * axis + side) & 1) != 0;
  }
};

/// Returns a cell's part of the fourth-order correction of the fluxes through its faces along `axis`.
template <int axis, class Real>
HALFSTEP_HD TangentialFlux<Real> tangential_flux_of_cell(const StageArguments<Real>& a, int i, int j, int k) {
  const auto difference = [&](int tangent) {
    const int step = a.layout.ghosts[tangent] > 0 ? 1 : 0;
    const auto beside = [&](int s) {
      return flow_state(load(a.layout, a.in, i + (tangent == 0 ? s : 0), j + (tangent == 1 ? s : 0),
                             k + (tangent == 2 ? s : 0)),
                        a.gas);
    };
    return half_difference(beside(-step), beside(step));
  };
  return tangential_flux<axis>(flow_state(load(a.layout, a.in, i, j, k), a.gas),
                               difference(axis == 0 ? 1 : 0), difference(axis == 2 ? 1 : 2), a.gas);
}

/// Returns the fourth-order correction of the flux between a cell and its image. The conversion's part is
/// pressure alone: velocities are exact mirrors, and densities are the same.
template <int axis, class Real>
HALFSTEP_HD Conserved<Real> correction_of_face(const StageArguments<Real>& a, const int (&cell)[3],
                                               const int (&image)[3]) {
  const TangentialFlux<Real> f = tangential_flux_of_cell<axis>(a, cell[0], cell[1], cell[2]),
                             g = tangential_flux_of_cell<axis>(a, image[0], image[1], image[2]);
  const auto mean = [](Real first, Real second) { return Real(0.5) * (first + second); };
  return {Real(0), mean(f.momentum[0], g.momentum[0]), mean(f.momentum[1], g.momentum[1]),
          mean(f.momentum[2], g.momentum[2]), mean(f.energy, g.energy)};
}
template <class Real>
HALFSTEP_HD Conserved<Real> correction_of_face(const StageArguments<Real>& a, int axis, const int (&cell)[3],
                                               const int (&image)[3]) {
  return axis == 0   ? correction_of_face<0>(a, cell, image)
         : axis == 1 ? correction_of_face<1>(a, cell, image)
                     : correction_of_face<2>(a, cell, image);
}

/// Returns the fourth-order correction of the flux between two cells beside each other along `axis`.
template <class Real>
HALFSTEP_HD Conserved<Real> fourth_order_correction(const StageArguments<Real>& a, int axis,
                                                    const int (&below)[3], const int (&above)[3]) {
  const FlowState<Real> low = flow_state(load(a.layout, a.in, below[0], below[1], below[2]), a.gas),
                        high = flow_state(load(a.layout, a.in, above[0], above[1], above[2]), a.gas);
  return correction_of_face(a, axis, below, above) + (axis == 0   ? conversion_flux<0>(low, high, a.gas)
                                                      : axis == 1 ? conversion_flux<1>(low, high, a.gas)
                                                                  : conversion_flux<2>(low, high, a.gas));
}

/// Takes the corrections of those faces of the cell (i, j, k) back from the state that the stage starts from,
/// in `a.out`. `a.dt` is the step's.
template <class Real>
HALFSTEP_HD void take_corrections_back(const StageArguments<Real>& a, const UncorrectedFaces& faces, int i,
                                       int j, int k) {
  const Layout& l = a.layout;
  const int cell[3] = {i, j, k};
  if (faces.of_cell(l, i, j, k) == 0) return;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      if (!faces.has(l, cell, axis, side)) continue;
      int beyond[3] = {i, j, k};
      beyond[axis] += side == 0 ? -1 : 1;
      const Conserved<Real> flux = side == 0 ? fourth_order_correction(a, axis, beyond, cell)
                                             : fourth_order_correction(a, axis, cell, beyond);
      const Real scale = (side == 0 ? -a.weight_in_start : a.weight_in_start) * a.dt * a.inverse_dx[axis];
      store(l, a.out, i, j, k, added_to_start(load(l, a.out, i, j, k), scale * flux, -a.start_dither));
    }
}

}  // namespace halfstep
