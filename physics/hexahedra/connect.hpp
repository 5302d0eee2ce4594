// The neighbours of elements that share corners.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "physics/hexahedra/hexahedra.hpp"

namespace halfstep {

/// Returns the side, an index of Hexahedra::sides, on which a face with these corners is; -1: on none.
using SideOfFace = std::function<int(std::span<const std::int64_t> corners)>;

/// Sets mesh.beyond. `corners`: the ids of the 2^dimensions corners of each element, xi fastest; faces with
/// the same ids are one face. Throws HexahedraError for an element with the same corner twice, for a face
/// that three elements share, that two share twisted, or that no other element has and no side.
void connect(Hexahedra& mesh, const std::vector<std::int64_t>& corners, const SideOfFace& side_of);

}  // namespace halfstep
