// The values that a deck gives beside the word of a boundary.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "physics/base/expression.hpp"
#include "physics/base/parameter.hpp"
#include "physics/mesh/boundary.hpp"

namespace halfstep {

/// The key of a boundary's word in a block with values.
inline constexpr const char* kBoundaryKey = "kind";

/// Returns the boundaries with the values that each takes, in the order of kBoundaries.
std::vector<ItemKind> boundary_kinds();

/// Returns the sides of an axis as blocks without values.
Items without_values(const std::array<Boundary, 2>& sides);

/// Returns a value of a deck as a formula. Throws ExpressionError or std::length_error as formula_of().
Formula formula_of(const FieldValue& value, const NamedNumbers& names, Formulas& formulas);

/// Sets the reference state of a side that has_values(): of `state` and `far_field` all is given. Of
/// `subsonic_outflow` the pressure counts, of `subsonic_inflow` velocity and temperature, and a `reservoir`
/// is the gas at rest. `scalars`: the names of those that the flow carries. Throws ExpressionError or
/// std::length_error as formula_of().
void set_side(DirichletState& states, int axis, int side, const Values& values, const NamedNumbers& names,
              const std::vector<std::string>& scalars);

}  // namespace halfstep
