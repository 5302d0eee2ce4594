// Surfaces from STL files.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "physics/shapes/surface.hpp"

namespace halfstep {

/// Returns the versions of the libraries that read STL files and find the nearest triangle; "" where the
/// program was built without them, and every file is a ShapeError.
std::string stl_libraries();

/// Returns the bytes of the file with that name. Throws ShapeError where they cannot be read.
using FileReader = std::function<std::string(const std::string& name)>;
/// Reads a file by its path.
std::string bytes_of_file(const std::string& path);

/// Reads the surface from an STL file, text or binary, and multiplies its coordinates by `scale`. The order
/// of the corners says where outside is; normals in the file are not read. Throws ShapeError for a file that
/// cannot be read, is none or whose triangles do not enclose a body.
std::shared_ptr<const Surface> stl_surface(const std::string& file, double scale,
                                           const FileReader& read = bytes_of_file);

}  // namespace halfstep
