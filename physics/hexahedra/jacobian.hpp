// Whether the maps of elements can be inverted.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/hexahedra/hexahedra.hpp"

namespace halfstep {

/// Throws HexahedraError, which names the element and the place, where the Jacobian xi x eta . zeta of an
/// element's map is not positive: at its nodes or at the (order + 1)^dimensions points of a Gauss rule. A
/// Jacobian that is round-off beside the product of the tangents' lengths counts as zero.
void expect_positive_jacobians(const Hexahedra& mesh);

/// Exchanges the first two axes of all elements where each of them is left-handed in its middle. `corners`:
/// the ids of their 2^dimensions corners, xi fastest.
void mend_left_handed(Hexahedra& mesh, std::vector<std::int64_t>& corners);

}  // namespace halfstep
