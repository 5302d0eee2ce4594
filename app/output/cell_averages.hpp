// Averages of the values of all cells of a mesh along some of its axes, weighted by the cells' volumes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "physics/mesh/mesh.hpp"

namespace halfstep {

class CellAverages {
 public:
  /// `along`: the axes that it averages along. `solid`: of each cell, x fastest, 0 where it counts; empty:
  /// all do.
  CellAverages(const Mesh& mesh, const std::array<bool, 3>& along, std::vector<std::uint8_t> solid = {});

  /// Returns the mesh that is left: one cell along the axes that it averages along.
  const Mesh& mesh() const { return left_; }
  /// Returns the averages, x fastest, of the values of all cells, x fastest, over those that count; NaN where
  /// none does. They are added up in the order of the cells.
  std::vector<double> of(const std::vector<double>& values) const;

 private:
  std::vector<double> sums(const std::vector<double>& values) const;

  Mesh left_;
  std::array<int, 3> cells_;
  std::array<std::vector<double>, 3> weights_;  // of the cells of an axis in their average; 1 on the others
  std::vector<std::uint8_t> solid_;
  std::vector<double> shares_;  // of the cells that count in each average; empty: all do
};

}  // namespace halfstep
