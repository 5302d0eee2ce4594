// The maps of a box of elements that a deck may name.
#pragma once

#include <vector>

#include "physics/base/parameter.hpp"
#include "physics/hexahedra/mapped_box.hpp"

namespace halfstep {

/// The key of a map's word in a block with values.
inline constexpr const char* kMapKey = "kind";
/// The word for a mesh that is no mapped box.
inline constexpr const char* kNoMap = "none";
/// The word for a box as it is, whose elements have one shape: straight_box().
inline constexpr const char* kStraightMap = "straight";

/// Returns the maps with the values that each takes.
std::vector<ItemKind> map_kinds();

/// Returns one block, of no map.
Items no_map();

/// Returns the elements of a box under a map: straight_box() or mapped_box(). `names`: what the map's
/// expressions may name beside x, y, z.
Hexahedra elements_of(const Values& map, const NamedNumbers& names, const BoxOfElements& box);

}  // namespace halfstep
