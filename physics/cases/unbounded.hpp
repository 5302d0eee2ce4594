// Which boundaries leave exact solutions on an unbounded domain valid, and for how long.
#pragma once

#include <array>
#include <string>

#include "physics/cases/cell_units.hpp"
#include "physics/mesh/boundary.hpp"

namespace halfstep {

/// Reasons why an exact solution does not hold for a run.
inline constexpr const char* kWaveAtBoundary = "a wave has met a boundary";
inline constexpr const char* kBoundaryDisturbs = "a boundary disturbs the flow that has one";

/// Whether a flow that is uniform along an axis stays so between these sides of it. `moves`: it crosses them.
inline bool stays_uniform(const std::array<Boundary, 2>& sides, bool moves) {
  for (const Boundary side : sides) {
    const bool wall = side == Boundary::reflecting || side == Boundary::no_slip;
    if (wall ? moves : side != Boundary::periodic && side != Boundary::outflow) return false;
  }
  return true;
}

/// Whether the state beside a side stays uniform and steady until a wave arrives.
inline bool stays_steady(Boundary side, bool moves) {
  if (side == Boundary::reflecting || side == Boundary::no_slip) return !moves;
  return side == Boundary::outflow || side == Boundary::inflow;
}

/// Returns Case::lost_exact() of a flow that is symmetric about a centre, with a shock at distance `shock`
/// from it. Sides through the centre must be reflecting, and `steady(side)` must hold for the others until
/// the shock arrives.
template <class Steady>
std::string lost_about_centre(const Mesh& mesh, const std::array<double, 3>& centre,
                              const Boundaries& boundary, double shock, const Steady& steady) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!mesh.active(axis)) continue;
    const double cell = in_cells(mesh, axis, centre[axis]);
    const double place = in_mean_widths(mesh, axis, centre[axis]), reach = shock / mesh.spacing(axis);
    for (int side = 0; side < 2; ++side) {
      const bool is_through_centre = cell == (side == 0 ? 0 : mesh.cells[axis]);
      const double distance = side == 0 ? place : mesh.cells[axis] - place;
      const Boundary kind = boundary[axis][side];
      if (is_through_centre ? kind != Boundary::reflecting : !steady(kind)) return kBoundaryDisturbs;
      if (!is_through_centre && reach > distance) return kWaveAtBoundary;
    }
  }
  return "";
}

}  // namespace halfstep
