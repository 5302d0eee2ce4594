#include "app/plot/exact_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/output/mesh_faces.hpp"
#include "physics/gas/eos.hpp"

namespace halfstep {
namespace {

/// Returns the mesh with each cell cut into `parts` along an axis.
Mesh refined(const Mesh& mesh, int axis, int parts) {
  Mesh fine = mesh;
  fine.cells[axis] *= parts;
  if (!mesh.is_stretched(axis)) return fine;
  std::vector<double> faces;
  for (int n = 0; n <= fine.cells[axis]; ++n) {
    const int cell = std::min(n / parts, mesh.cells[axis] - 1);
    faces.push_back(std::lerp(mesh.face(axis, cell), mesh.face(axis, cell + 1),
                              static_cast<double>(n - cell * parts) / parts));
  }
  set_faces(fine, axis, faces);
  return fine;
}

}  // namespace

Json exact_profile(const RunConfig& config, double time) {
  const Mesh& mesh = config.problem.mesh;
  if (mesh.dimensions() != 1 || !config.has_exact(time)) return {};
  int axis = 0;
  while (!mesh.active(axis)) ++axis;
  // An integer fraction of the mesh's cells: cases may count coordinates in cells.
  constexpr int kSmooth = 2000;
  const Mesh fine = refined(mesh, axis, (kSmooth + mesh.cells[axis] - 1) / mesh.cells[axis]);
  Json profile = {{"position", Json::array()},   {"density", Json::array()},    {"velocity_x", Json::array()},
                  {"velocity_y", Json::array()}, {"velocity_z", Json::array()}, {"pressure", Json::array()}};
  for (int n = 0; n < fine.cells[axis]; ++n) {
    std::array<int, 3> cell{0, 0, 0};
    cell[axis] = n;
    const Box box = fine.cell(cell[0], cell[1], cell[2]);
    const Primitive<double> q =
        to_primitive(config.flow_case->exact(box, time), IdealGas<double>{config.problem.gamma});
    profile["position"].push_back(box.center(axis));
    profile["density"].push_back(json_number(q.density));
    profile["velocity_x"].push_back(json_number(q.u));
    profile["velocity_y"].push_back(json_number(q.v));
    profile["velocity_z"].push_back(json_number(q.w));
    profile["pressure"].push_back(json_number(q.pressure));
  }
  return profile;
}

}  // namespace halfstep
