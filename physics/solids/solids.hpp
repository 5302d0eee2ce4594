// The bodies in a flow, and which cells of the mesh lie in them.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "physics/mesh/boundary.hpp"
#include "physics/solids/body.hpp"
#include "physics/solids/solid_cell.hpp"

namespace halfstep {

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
  std::vector<SolidCell> near;     ///< read by stages in the gas, in the mesh's order
  std::vector<CellPlace> deep;     ///< the others, which keep the state that they begin with, at rest
  std::vector<std::uint8_t> mask;  ///< of each cell, x fastest: 0 in the gas, else the body's number + 1
  int layers = 0;                  ///< of cells beyond the block's sides that probes lie among
  CountedCells thin;     ///< near cells with gas on both sides along an axis: they serve one of them
  CountedCells sharp;    ///< near cells at edges, or where the surface bends within a cell
  CountedCells crowded;  ///< near cells before which no probe has gas alone around it
};

/// How far stages look into bodies: this many cells along an axis, and at edges and corners one, or none.
struct SolidReach {
  int along_axes = 1;
  bool corners = false;
};

/// The bodies in a flow. Their cells are sought in the mesh when first asked for, because that takes time.
class Solids {
 public:
  /// `rules`: of the whole mesh.
  Solids(std::vector<Body> bodies, const Mesh& mesh, const BoundaryConditions<double>& rules,
         const SolidReach& reach)
      : bodies_(std::move(bodies)), mesh_(mesh), rules_(rules), reach_(reach) {}

  const std::vector<Body>& bodies() const { return bodies_; }
  /// Returns the cells of the whole mesh that lie in bodies.
  const SolidCells& cells() const;

 private:
  std::vector<Body> bodies_;
  Mesh mesh_;
  BoundaryConditions<double> rules_;
  SolidReach reach_;
  mutable std::once_flag sought_;
  mutable SolidCells cells_;
};

/// Returns the walls of bodies, in their order.
std::vector<Wall> walls_of(const std::vector<Body>& bodies);

}  // namespace halfstep
