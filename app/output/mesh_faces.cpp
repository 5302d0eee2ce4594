#include "app/output/mesh_faces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

namespace halfstep {

std::vector<double> faces_of(const Mesh& mesh, int axis) {
  std::vector<double> faces;
  for (int i = 0; i <= mesh.cells[axis]; ++i) faces.push_back(mesh.face(axis, i));
  return faces;
}

void set_faces(Mesh& mesh, int axis, const std::vector<double>& faces) {
  const auto refuse = [&](const char* reason) {
    throw std::runtime_error(fmt::format("its faces along {} {}", "xyz"[axis], reason));
  };
  if (faces.size() != static_cast<std::size_t>(mesh.cells[axis]) + 1) refuse("do not fit its cells");
  for (std::size_t n = 0; n < faces.size(); ++n) {
    if (!std::isfinite(faces[n])) refuse("are not finite");
    if (n > 0 && !(faces[n] > faces[n - 1])) refuse("are not increasing");
  }
  mesh.lower[axis] = faces.front();
  mesh.upper[axis] = faces.back();
  mesh.stretched[axis] = nullptr;
  // What lies beyond the ends is of no use to those who read a file: periodic or not is the same.
  if (faces_of(mesh, axis) != faces)
    mesh.stretched[axis] = std::make_shared<const StretchedAxis>(faces, false);
}

namespace {

/// Whether the points of two meshes are at the same places: maps round differently on different processors.
bool at_same_places(const Mesh& a, const Mesh& b) {
  const auto& here = a.points->place;
  const auto& there = b.points->place;
  bool same = here.size() == there.size();
  double largest = 0;
  for (const Point& x : here)
    for (const double coordinate : x) largest = std::max(largest, std::abs(coordinate));
  for (std::size_t n = 0; same && n < here.size(); ++n)
    for (int c = 0; c < 3; ++c) same = same && std::abs(here[n][c] - there[n][c]) <= 1e-12 * largest;
  return same;
}

}  // namespace

bool same_mesh(const Mesh& a, const Mesh& b) {
  if (a.points || b.points) return a.points && b.points && a.cells == b.cells && at_same_places(a, b);
  bool same = a.cells == b.cells && a.lower == b.lower && a.upper == b.upper;
  for (int axis = 0; axis < 3 && same; ++axis)
    if (a.is_stretched(axis) || b.is_stretched(axis)) same = faces_of(a, axis) == faces_of(b, axis);
  return same;
}

}  // namespace halfstep
