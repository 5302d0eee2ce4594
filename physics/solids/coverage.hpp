// Which cells of a mesh have their centres in bodies.
#pragma once

#include <optional>
#include <vector>

#include "physics/shapes/surface.hpp"

namespace halfstep {

/// What bodies cover, counted together.
struct Coverage {
  bool inside = false, outside = false;  ///< whether a cell's centre is there
  bool touches = false;                  ///< whether a body reaches into a cell
  std::optional<Point> undefined;        ///< the first centre at which a surface has no distance
};

/// Looks for centres of cells inside and outside of the bodies, only as long as one of both is not found and
/// only where a surface can be. Surfaces that are not Lipschitz are asked at every centre.
Coverage coverage(const std::vector<const Surface*>& bodies, const Mesh& mesh);

}  // namespace halfstep
