// Exact solutions that know no boundaries: which boundaries leave them as they are, and for how long.
#pragma once

#include <array>
#include <string>

#include "physics/boundary.hpp"
#include "physics/cases/cell_units.hpp"

namespace halfstep {

/// Why an exact solution is not that of a run.
inline constexpr const char* kWaveAtBoundary = "a wave has met a boundary";
inline constexpr const char* kBoundaryDisturbs = "a boundary disturbs the flow that has one";

/// Whether a flow that does not vary along an axis stays so between these sides of it; `moves`: through them.
inline bool stays_uniform(const std::array<Boundary, 2>& sides, bool moves) {
  for (const Boundary side : sides) {
    const bool wall = side == Boundary::reflecting || side == Boundary::no_slip;
    if (wall ? moves : side != Boundary::periodic && side != Boundary::outflow) return false;
  }
  return true;
}

/// Whether the state beside a side stays as it is, uniform and steady, until a wave comes there.
inline bool stays_steady(Boundary side, bool moves) {
  if (side == Boundary::reflecting || side == Boundary::no_slip) return !moves;
  return side == Boundary::outflow || side == Boundary::inflow;
}

/// Of a flow that is symmetric about a centre, with a shock that far from it: sides through the centre have
/// to be mirrors, and `steady(side)` has to hold of the others until the shock is there.
template <class Steady>
std::string lost_about_centre(const Mesh& mesh, const std::array<double, 3>& centre,
                              const Boundaries& boundary, double shock, const Steady& steady) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!mesh.swept(axis)) continue;
    const double place = in_cells(mesh, axis, centre[axis]), reach = shock / mesh.spacing(axis);
    for (int side = 0; side < 2; ++side) {
      const double distance = side == 0 ? place : mesh.cells[axis] - place;
      const Boundary kind = boundary[axis][side];
      if (distance == 0 ? kind != Boundary::reflecting : !steady(kind)) return kBoundaryDisturbs;
      if (distance != 0 && reach > distance) return kWaveAtBoundary;
    }
  }
  return "";
}

}  // namespace halfstep
