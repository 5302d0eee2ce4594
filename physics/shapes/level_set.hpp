// Surfaces where an expression is 0.
#pragma once

#include <array>
#include <optional>

#include "physics/base/expression.hpp"
#include "physics/shapes/surface.hpp"

namespace halfstep {

/// The surface on which a function of x, y and z is 0; inside it is negative.
class LevelSet final : public Surface {
 public:
  LevelSet(const FieldValue& function, const NamedNumbers& names, const Mesh& mesh);

  /// Returns the distance from the nearest place of the surface, found by Newton's method. Farther than some
  /// cells from it the distance is the function's value over its gradient. Not a number where the function
  /// has no finite value.
  double distance(const Point& x) const override;
  bool is_lipschitz() const override { return false; }

 private:
  double value(const Point& x) const { return function_ ? (*function_)(x) : constant_; }
  /// Returns the gradient along the active axes, from the values at `step` to either side.
  Point gradient(const Point& x) const;

  std::optional<Expression> function_;
  double constant_ = 0;
  std::array<bool, 3> active_{};
  double step_;  ///< from place to place, for differences
  double near_;  ///< distance up to which the nearest place is looked for
};

}  // namespace halfstep
