// Closed surfaces of triangles.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "physics/mesh/mesh.hpp"

namespace halfstep {

using Triangle = std::array<std::uint32_t, 3>;  ///< corners, counter-clockwise as seen from outside

struct Triangles {
  std::vector<Point> corners;
  std::vector<Triangle> faces;
};

/// Joins the corners that are at one place. `soup` has three places for each triangle.
Triangles joined(const std::vector<std::array<Point, 3>>& soup);

/// Throws ShapeError where the triangles do not enclose a body: where there is none or one has no area, where
/// an edge belongs to one alone or to more than two, where normals are turned, and where one piece of the
/// surface is inside of another, unless as the wall of a cavity.
void expect_closed(const Triangles& triangles);

/// Distances from the triangles of a closed surface, with the sign that they have where the triangle is the
/// nearest of all.
class SignedTriangles {
 public:
  explicit SignedTriangles(Triangles closed);

  const Triangles& triangles() const { return own_; }
  /// Returns the distance of x from the triangle. Its sign is that of the normal at the nearest place: a
  /// face's, or at edges and corners the mean of the normals of the faces there, weighted by their angles
  /// (Baerentzen and Aanaes, 2005).
  double distance(const Point& x, std::uint32_t face) const;

 private:
  Triangles own_;
  std::vector<Point> face_normals_, corner_normals_;
  std::vector<std::array<Point, 3>> edge_normals_;  ///< of each face; edge n is that from corner n
};

}  // namespace halfstep
