// The sides of a mesh of hexahedra as columns of files name them, and its walls.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "physics/curved/beyond_side.hpp"
#include "physics/hexahedra/hexahedra.hpp"

namespace halfstep {

/// Returns the names of the sides in letters, digits and underscores, no two alike.
inline std::vector<std::string> names_of_sides(const Hexahedra& mesh) {
  std::vector<std::string> names;
  for (std::string name : mesh.sides) {
    for (char& letter : name)
      if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
    while (std::find(names.begin(), names.end(), name) != names.end()) name += '_';
    names.push_back(std::move(name));
  }
  return names;
}

/// A side of the mesh that is a wall.
struct WallOfMesh {
  std::string name;                 ///< of names_of_sides()
  std::vector<std::int32_t> faces;  ///< element * faces + face
};

/// Returns the walls, in the order of the mesh's sides.
inline std::vector<WallOfMesh> walls_of_mesh(const Hexahedra& mesh, const Boundaries& boundaries) {
  const std::vector<std::string> names = names_of_sides(mesh);
  std::vector<WallOfMesh> walls;
  for (int side = 0; side < static_cast<int>(names.size()); ++side) {
    if (!is_wall(boundaries[side / 2][side % 2])) continue;
    WallOfMesh wall{names[static_cast<std::size_t>(side)], {}};
    for (std::size_t face = 0; face < mesh.beyond.size(); ++face)
      if (mesh.beyond[face].element < 0 && mesh.beyond[face].side == side)
        wall.faces.push_back(static_cast<std::int32_t>(face));
    walls.push_back(std::move(wall));
  }
  return walls;
}

}  // namespace halfstep
