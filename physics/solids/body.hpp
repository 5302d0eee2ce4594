// A body in the flow: its surface, and what the gas meets there.
#pragma once

#include <memory>
#include <string>

#include "physics/mesh/mesh.hpp"
#include "physics/shapes/surface.hpp"
#include "runtime/device/host_device.hpp"

namespace halfstep {

/// What the gas meets at a surface.
struct Wall {
  bool slip = true;        ///< only the velocity through the surface is the wall's
  double temperature = 0;  ///< p / density, of a wall without slip; 0: adiabatic
  Point velocity{};        ///< of the wall, which slides within itself
  Point spin{};            ///< rate of a rotation about `about`, besides
  Point about{};

  /// Returns the velocity of the wall at the place x.
  HALFSTEP_HD Point velocity_at(const Point& x) const {
    const Point r{x[0] - about[0], x[1] - about[1], x[2] - about[2]};
    return {velocity[0] + spin[1] * r[2] - spin[2] * r[1], velocity[1] + spin[2] * r[0] - spin[0] * r[2],
            velocity[2] + spin[0] * r[1] - spin[1] * r[0]};
  }
};

struct Body {
  std::string name;
  std::shared_ptr<const Surface> surface;
  Wall wall;
};

}  // namespace halfstep
