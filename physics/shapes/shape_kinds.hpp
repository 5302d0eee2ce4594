// The shapes that a deck may name, with their parameters: those of regions, sponges and bodies.
#pragma once

#include <string>
#include <vector>

#include "physics/base/parameter.hpp"

namespace halfstep {

/// The key that says of which kind a shape is.
inline constexpr const char* kShapeKey = "shape";
/// Returns the kinds of shapes with their parameters.
std::vector<ItemKind> shape_kinds();

/// Returns a parameter that a deck has to give.
Parameter required(const std::string& name, Value type, const std::string& unit, const std::string& meaning,
                   const Range& range = {}, Format format = Format::any);

}  // namespace halfstep
