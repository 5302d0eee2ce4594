// What vortices of the x-y plane share: a centre that a uniform stream carries through a periodic box.
#pragma once

#include <array>
#include <cmath>

#include "physics/cases/case.hpp"

namespace halfstep {

class CarriedVortex {
 public:
  /// Reads `velocity` and `centre`. Throws CaseError for a mesh that does not hold the plane of the vortex.
  explicit CarriedVortex(const CaseSetup& setup) : mesh_(setup.mesh) {
    for (int k = 0; k < 3; ++k) {
      velocity[k] = setup.parameters.reals("velocity")[k];
      centre[k] = setup.parameters.reals("centre")[k];
    }
    if (!mesh_.active(0) || !mesh_.active(1))
      throw CaseError({"mesh.cells"},
                      "the vortex turns in the x-y plane: mesh.cells needs more than one cell along both");
  }

  /// Returns the distance of x from the nearest periodic image of the centre along x and y, in `radius`.
  std::array<double, 2> distance(const std::array<double, 3>& x, double time, double radius) const {
    std::array<double, 2> d;
    for (int k = 0; k < 2; ++k) {
      const double length = mesh_.upper[k] - mesh_.lower[k];
      const double offset = x[k] - centre[k] - velocity[k] * time;
      d[k] = (offset - length * std::round(offset / length)) / radius;
    }
    return d;
  }

  std::array<double, 3> velocity{}, centre{};

 private:
  Mesh mesh_;
};

}  // namespace halfstep
