// The faces of a mesh as files hold them.
#pragma once

#include <vector>

#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// Returns the faces of the cells along an axis, from the lower end to the upper one.
std::vector<double> faces_of(const Mesh& mesh, int axis);

/// Gives an axis of `mesh` those faces, and so its ends; its cells are set. Faces as those of cells of one
/// width make no stretched axis. Throws std::runtime_error if they are not one more than the cells, not
/// finite or not increasing.
void set_faces(Mesh& mesh, int axis, const std::vector<double>& faces);

/// Whether the cells of both are at the same places, to the last bit.
bool same_mesh(const Mesh& a, const Mesh& b);

}  // namespace halfstep
