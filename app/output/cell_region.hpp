// The cells of a box of the mesh, or every n-th of them along each axis, and the mesh that they make.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "app/deck/outputs.hpp"
#include "app/output/cell_values.hpp"
#include "physics/mesh/mesh.hpp"

namespace halfstep {

struct CellRegion {
  CellIndex first{};  ///< of its cells
  std::array<int, 3> count{1, 1, 1}, stride{1, 1, 1};

  static CellRegion whole(const Mesh& mesh) { return {.first = {}, .count = mesh.cells}; }

  std::int64_t cells() const { return std::int64_t{count[0]} * count[1] * count[2]; }
  /// Returns how many cells it has with their neighbours, about: a box of all cells has hardly any more.
  std::int64_t cells_with_neighbours(const Mesh& whole) const;
  /// Returns its cell number n, x fastest.
  CellIndex cell(std::int64_t n) const {
    return {first[0] + static_cast<int>(n % count[0]) * stride[0],
            first[1] + static_cast<int>(n / count[0] % count[1]) * stride[1],
            first[2] + static_cast<int>(n / count[0] / count[1]) * stride[2]};
  }
  /// Returns its cells, x fastest.
  std::vector<CellIndex> list() const;
  /// Returns its own mesh, whose cells are as wide as the stride and have the centres of the region's cells.
  /// On a stretched axis they reach as many cells to both sides of those, but not beyond the domain.
  Mesh mesh(const Mesh& whole) const;
  bool operator==(const CellRegion&) const = default;
};

/// Returns the cells of an output that is a slice or a box, or all of one that has averages. A side of a box
/// on a face, to round-off, cuts no cell off and none in.
CellRegion region_of(const OutputRequest& request, const Mesh& mesh);

}  // namespace halfstep
