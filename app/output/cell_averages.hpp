// Averages of the values of all cells of a mesh along some of its axes, weighted by the cells' volumes.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "physics/mesh/mesh.hpp"

namespace halfstep {

class CellAverages {
 public:
  /// `along`: the axes that it averages along.
  CellAverages(const Mesh& mesh, const std::array<bool, 3>& along);

  /// Returns the mesh that is left: one cell along the axes that it averages along.
  const Mesh& mesh() const { return left_; }
  /// Returns the averages, x fastest, of the values of all cells, x fastest. They are added up in the order
  /// of the cells.
  std::vector<double> of(const std::vector<double>& values) const;

 private:
  Mesh left_;
  std::array<int, 3> cells_;
  std::array<std::vector<double>, 3> weights_;  // of the cells of an axis in their average; 1 on the others
};

}  // namespace halfstep
