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

/// Returns the maps with the values that each takes.
std::vector<ItemKind> map_kinds();

/// Returns one block, of no map.
Items no_map();

/// Returns a map of a box in two dimensions or three. `names`: what its expressions may name beside x, y, z.
PlaceMap map_of(const Values& values, const NamedNumbers& names, const Box& box, int dimensions);

}  // namespace halfstep
