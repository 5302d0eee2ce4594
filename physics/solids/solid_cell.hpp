// The cells of a mesh that lie in bodies.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "physics/solids/body.hpp"

namespace halfstep {

using CellPlace = std::array<int, 3>;

/// A ghost cell of a body. Lengths are those of the mesh; single precision is far finer than the cells.
///
/// At an edge it is the ghost cell of two or three walls, one across each axis that has gas beside it, and
/// has a probe in the row of cells along that axis. `base` is 0 then, `step` leads to the gas, `share` is
/// that of the row's second cell at the wall's probe, and `slope` the cell's depth below the wall over the
/// height of that probe.
struct SolidCell {
  int at[3] = {};            ///< the cell, in its block
  std::int8_t base[3] = {};  ///< from it to one of the cells around the probe
  std::int8_t step[3] = {};  ///< from that to the next one along each axis: 1, -1, or 0 where none is used
  std::uint8_t body = 0;     ///< its number
  bool at_edge = false;
  float share[3] = {};   ///< of the next cells along each axis in what is at the probe
  float slope[3] = {};   ///< derivative along the normal of a field that grows by 1 to the next cell
  float normal[3] = {};  ///< of the surface, out of the body
  float depth = 0;       ///< of the cell's middle below the surface
  float height = 0;      ///< of the probe above the surface; not less than the depth where that can be
  float bend[6] = {};    ///< second derivatives of the distance at the surface: xx, yy, zz, xy, xz, yz

  /// Returns how far along an axis the last of the cells is that it follows from, of which `base` is the
  /// first.
  HALFSTEP_HD int farthest(int axis) const { return base[axis] + (at_edge ? 2 : 1) * step[axis]; }
  /// Returns the number of walls of a cell at an edge.
  HALFSTEP_HD int walls() const { return (step[0] != 0) + (step[1] != 0) + (step[2] != 0); }
};

/// A face between a cell of gas and one in a body.
struct SolidFace {
  int at[3] = {};      ///< the cell of gas, in its block
  int axis = 0;        ///< across which the face lies
  int side = 0;        ///< of the cell, on which it lies: 0 below, 1 above
  double area = 0;     ///< along axes that are not active the domain counts
  double arm[3] = {};  ///< from the point of the wall that moments are about to the face's middle
};

/// Cells of a kind, and the first of them in the mesh's order.
struct CountedCells {
  std::int64_t count = 0;
  CellPlace first{};

  void add(const CellPlace& cell) {
    if (count++ == 0) first = cell;
  }
};

/// The cells of a mesh, or of a block of it, that lie in bodies.
struct SolidCells {
  std::vector<SolidCell> near;      ///< read by stages in the gas
  std::vector<CellPlace> rim;       ///< deep cells, which no stage in the gas reads, that read near ones
  std::vector<CellPlace> core;      ///< the other deep cells
  std::optional<CellPlace> sample;  ///< the first deep cell of the whole mesh, where this block has it
  std::vector<std::uint8_t> mask;   ///< of each cell, x fastest: 0 in the gas, else the body's number + 1
  /// Of each cell the faces, bit 2 axis + side, near which a fourth-order correction of the flux would read a
  /// cell in a body; empty where there is no such correction.
  std::vector<std::uint8_t> uncorrected;
  std::vector<std::vector<SolidFace>> faces;  ///< of each body, in the mesh's order
  int layers = 0;                             ///< of cells beyond the block's sides that probes lie among
  int farthest = 0;      ///< cells along an axis from a near cell to one that its probe lies among
  CountedCells thin;     ///< near cells with gas on both sides along an axis: they serve one of them
  CountedCells sharp;    ///< near cells at edges, or where the surface bends within a cell
  CountedCells crowded;  ///< near cells before which no probe has gas alone around it
};

}  // namespace halfstep
