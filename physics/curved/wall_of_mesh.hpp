// The walls of a mesh of hexahedra: their names and faces.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "physics/curved/beyond_side.hpp"
#include "physics/hexahedra/hexahedra.hpp"

namespace halfstep {

/// A side of the mesh that is a wall.
struct WallOfMesh {
  std::string name;  ///< the side's, in letters, digits and underscores, unlike that of any other wall
  std::vector<std::int32_t> faces;  ///< element * faces + face
};

/// Returns the walls, in the order of the mesh's sides.
inline std::vector<WallOfMesh> walls_of_mesh(const Hexahedra& mesh, const Boundaries& boundaries) {
  std::vector<WallOfMesh> walls;
  for (int side = 0; side < static_cast<int>(mesh.sides.size()); ++side) {
    if (!is_wall(boundaries[side / 2][side % 2])) continue;
    WallOfMesh wall{mesh.sides[side], {}};
    for (char& letter : wall.name)
      if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
    const auto has_name = [&](const WallOfMesh& other) { return other.name == wall.name; };
    while (std::any_of(walls.begin(), walls.end(), has_name)) wall.name += '_';
    for (std::size_t face = 0; face < mesh.beyond.size(); ++face)
      if (mesh.beyond[face].element < 0 && mesh.beyond[face].side == side)
        wall.faces.push_back(static_cast<std::int32_t>(face));
    walls.push_back(std::move(wall));
  }
  return walls;
}

}  // namespace halfstep
