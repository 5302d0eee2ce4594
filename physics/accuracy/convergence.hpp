// Convergence of errors with mesh refinement.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// Returns the order p of error ~ h^p, from the errors of a mesh and of one that is `ratio` times as fine.
inline double observed_order(double coarse, double fine, double ratio) {
  return std::log(coarse / fine) / std::log(ratio);
}

/// Returns the averages over the cells of `coarse` of a field on `fine`, x fastest. `fine` covers the same
/// domain with a whole number of cells for each coarse one; throws std::invalid_argument where it does not.
inline std::vector<double> coarsened(const std::vector<double>& field, const Mesh& fine, const Mesh& coarse) {
  std::array<int, 3> ratio;
  for (int a = 0; a < 3; ++a) {
    ratio[a] = fine.cells[a] / coarse.cells[a];
    if (ratio[a] * coarse.cells[a] != fine.cells[a])
      throw std::invalid_argument("the fine mesh does not divide the coarse one's cells");
  }
  const auto at = [](const Mesh& mesh, int i, int j, int k) {
    return (static_cast<std::size_t>(k) * mesh.cells[1] + j) * mesh.cells[0] + i;
  };
  std::vector<double> means(static_cast<std::size_t>(coarse.cell_count()));
  for (int k = 0; k < fine.cells[2]; ++k)
    for (int j = 0; j < fine.cells[1]; ++j)
      for (int i = 0; i < fine.cells[0]; ++i)
        means[at(coarse, i / ratio[0], j / ratio[1], k / ratio[2])] += field[at(fine, i, j, k)];
  for (double& mean : means) mean /= static_cast<double>(ratio[0]) * ratio[1] * ratio[2];
  return means;
}

}  // namespace halfstep
