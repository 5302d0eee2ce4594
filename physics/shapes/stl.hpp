// Surfaces from STL files.
#pragma once

#include <memory>
#include <string>

#include "physics/shapes/surface.hpp"

namespace halfstep {

/// Returns the versions of the libraries that read STL files and find the nearest triangle; "" where the
/// program was built without them, and every file is a ShapeError.
std::string stl_libraries();

/// Reads the surface from an STL file, text or binary, and multiplies its coordinates by `scale`. The order
/// of the corners says where outside is; normals in the file are not read. Throws ShapeError for a file that
/// cannot be read, is none or whose triangles do not enclose a body.
std::shared_ptr<const Surface> stl_surface(const std::string& file, double scale);

}  // namespace halfstep
