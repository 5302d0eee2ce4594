// Meshes of hexahedra from CGNS files.
#pragma once

#include <string>

#include "physics/hexahedra/hexahedra.hpp"

namespace halfstep {

/// Returns the version of the library that reads CGNS files; "" where the program was built without it, and
/// every file is a HexahedraError.
std::string cgns_version();

/// Reads a mesh: one base with one zone, in three dimensions or in a plane. An unstructured zone has
/// hexahedra, in the plane quadrilaterals, of one order from 1 to 4, or MIXED sections of such; a structured
/// one makes elements of order 1. Its boundary conditions name the sides, by their family if they have one;
/// they list faces, or vertices: then a face is on the side if all its corners are. Throws HexahedraError for
/// a file that cannot be read, has no such mesh or one that connect() or expect_positive_jacobians() refuse,
/// names more than Hexahedra::kMaxSides sides, or names a face twice.
Hexahedra read_cgns(const std::string& path);

}  // namespace halfstep
