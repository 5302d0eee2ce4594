// The difference between a state and its mirror image.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "physics/mesh/fields.hpp"
#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// A map of the mesh onto itself: the cell (i, j, k) has its image where the axis a of the mesh takes the
/// coordinate of axis[a], counted from the other end if reversed[a].
struct MeshSymmetry {
  std::array<int, 3> axis{0, 1, 2};
  std::array<bool, 3> reversed{};

  static MeshSymmetry mirror(int axis) {
    MeshSymmetry symmetry;
    symmetry.reversed[axis] = true;
    return symmetry;
  }
  static MeshSymmetry exchange(int a, int b) {
    MeshSymmetry symmetry;
    std::swap(symmetry.axis[a], symmetry.axis[b]);
    return symmetry;
  }
};

/// Returns the largest difference between a state and its image, momenta exchanged and reversed alike, in
/// units of the largest density, momentum or energy; 0 for a symmetric state. Exchanged axes must have
/// equally many cells.
inline double asymmetry(const Fields& fields, const Mesh& mesh, const MeshSymmetry& symmetry) {
  const auto& u = fields.conserved;
  const auto at = [&](const std::array<int, 3>& c) {
    return (static_cast<std::size_t>(c[2]) * mesh.cells[1] + c[1]) * mesh.cells[0] + c[0];
  };
  double density = 0, momentum = 0, energy = 0;
  for (std::size_t n = 0; n < u[0].size(); ++n) {
    density = std::max(density, std::abs(u[0][n]));
    energy = std::max(energy, std::abs(u[4][n]));
    for (int a = 0; a < 3; ++a) momentum = std::max(momentum, std::abs(u[1 + a][n]));
  }
  double worst = 0;
  for (int k = 0; k < mesh.cells[2]; ++k)
    for (int j = 0; j < mesh.cells[1]; ++j)
      for (int i = 0; i < mesh.cells[0]; ++i) {
        const std::array<int, 3> cell{i, j, k};
        std::array<int, 3> image;
        for (int a = 0; a < 3; ++a) {
          const int from = cell[symmetry.axis[a]];
          image[a] = symmetry.reversed[a] ? mesh.cells[a] - 1 - from : from;
        }
        const std::size_t n = at(cell), m = at(image);
        worst =
            std::max({worst, std::abs(u[0][n] - u[0][m]) / density, std::abs(u[4][n] - u[4][m]) / energy});
        for (int a = 0; a < 3 && momentum > 0; ++a) {
          const double sign = symmetry.reversed[a] ? -1 : 1;
          worst = std::max(worst, std::abs(u[1 + symmetry.axis[a]][n] - sign * u[1 + a][m]) / momentum);
        }
      }
  return worst;
}

}  // namespace halfstep
