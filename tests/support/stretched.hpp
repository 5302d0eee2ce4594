// Meshes whose cells differ in width, for tests.
#pragma once

#include <memory>
#include <vector>

#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// Returns the mesh with widths along its active axes that fall evenly from the lower to the upper end, by a
/// factor of about 3.
inline Mesh stretched(Mesh mesh, bool is_periodic = false) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!mesh.active(axis)) continue;
    const int cells = mesh.cells[axis];
    std::vector<double> faces{mesh.lower[axis]};
    for (int n = 1; n < cells; ++n) {
      const double s = static_cast<double>(n) / cells;
      faces.push_back(mesh.lower[axis] + (mesh.upper[axis] - mesh.lower[axis]) * s * (1.5 - 0.5 * s));
    }
    faces.push_back(mesh.upper[axis]);
    mesh.stretched[axis] = std::make_shared<StretchedAxis>(faces, is_periodic);
  }
  return mesh;
}

inline double volume(const Box& box) { return box.width(0) * box.width(1) * box.width(2); }

}  // namespace halfstep
