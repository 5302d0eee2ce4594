// The order in which CGNS has the nodes of an element.
#pragma once

#include <vector>

namespace halfstep {

/// Returns, for each node of a HEXA_8, HEXA_27, HEXA_64 or HEXA_125 (three dimensions), or of a QUAD_4,
/// QUAD_9, QUAD_16 or QUAD_25, its number in the tensor product of nodes, xi fastest: corners, edges, faces,
/// the inside (CGNS Standard Interface Data Structures, section 3.3, Unstructured grid element numbering).
std::vector<int> cgns_nodes(int order, int dimensions);

}  // namespace halfstep
