// Closed surfaces, by the distance from them.
#pragma once

#include "physics/mesh/mesh.hpp"

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

}  // namespace halfstep
