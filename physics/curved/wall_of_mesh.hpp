// The walls of a mesh of hexahedra: their names and faces, and what the gas does to them.
#pragma once

#include <cctype>
#include <string>
#include <vector>

#include "physics/curved/hexahedron.hpp"
#include "physics/diagnostics/load_of_flux.hpp"

namespace halfstep {

/// A side of the mesh that is a wall.
struct WallOfMesh {
  std::string name;                 ///< the side's, in letters, digits and underscores
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
    for (std::size_t face = 0; face < mesh.beyond.size(); ++face)
      if (mesh.beyond[face].element < 0 && mesh.beyond[face].side == side)
        wall.faces.push_back(static_cast<std::int32_t>(face));
    walls.push_back(std::move(wall));
  }
  return walls;
}

/// Returns the load of the gas in a.in on a wall at face point number n of those of `faces`. Moments are
/// about the origin. `depth`: depth_of() the mesh.
template <class C, class Real>
HALFSTEP_HD BodyLoads load_on_wall(const C& c, const StageArguments<Real>& a, const HexahedraStage<Real>& s,
                                   const std::int32_t* faces, std::int64_t n, double depth) {
  const std::int32_t face = faces[n / c.face_points];
  const FacePoint f{face / c.faces, face % c.faces, static_cast<int>(n % c.face_points)};
  const ComputedAnew<C, Real> anew{c, a, s, {}};
  const FaceOfTwo<Real> both = anew.face(f);
  double weights = depth * weight(c, f.point % c.n);
  if (c.dimensions == 3) weights *= weight(c, f.point / c.n);
  const double* const place = s.mesh.face_place + 3 * s.mesh.slot(c, f);
  return load_of_flux(widened(both.frame.through(both.record.flux)),
                      s.is_viscous ? widened(anew.viscous_flux(both)) : Conserved<double>{}, weights,
                      {place[0], place[1], place[2]});
}

}  // namespace halfstep
