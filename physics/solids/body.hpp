// A body in the flow: its surface, and what the gas meets there.
#pragma once

#include <memory>
#include <string>

#include "physics/mesh/mesh.hpp"
#include "runtime/device/host_device.hpp"

namespace halfstep {

/// A closed surface, by the distance from it.
class Surface {
 public:
  virtual ~Surface() = default;
  /// Returns the distance of x from the surface, negative inside the body. Its sign is right everywhere, and
  /// within a few cells of the surface it is the true distance, to the second order at least. It may be
  /// called from several threads at once.
  virtual double distance(const Point& x) const = 0;
  /// Whether distance() changes by no more than x moves, so that far places need not be asked for one by one.
  virtual bool is_lipschitz() const { return true; }
};

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
