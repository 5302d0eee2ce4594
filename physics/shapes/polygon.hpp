// Polygons that enclose an area.
#pragma once

#include <vector>

#include "physics/shapes/distances.hpp"

namespace halfstep {

/// Throws ShapeError where the vertices are less than three, where two of them are at one place, or where
/// two sides meet anywhere but at the vertex between them.
void expect_simple_polygon(const std::vector<PlanePoint>& vertices);

}  // namespace halfstep
