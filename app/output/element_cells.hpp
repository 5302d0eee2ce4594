// The points of elements in VTK's files: each as the cell that it stands for, a hexahedron or a
// quadrilateral.
#pragma once

#include <vector>

#include "physics/mesh/mesh.hpp"
#include "runtime/checkpoint/hdf5.hpp"

namespace halfstep {

/// Writes the datasets of an unstructured grid to the group of the image, and the points themselves to
/// `about`.
void write_element_cells(hid_t image, hid_t about, const Mesh& mesh);
/// Reads a mesh of points. Throws std::runtime_error where they do not fit each other.
Mesh read_points(hid_t about);

/// Returns the coordinates of points one after the other.
std::vector<double> flattened(const std::vector<Point>& points);

/// Returns the nodes of the cell of a point: 2^dimensions, in VTK's order.
int nodes_of_cell(const Mesh& mesh);

}  // namespace halfstep
