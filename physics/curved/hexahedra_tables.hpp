// The geometry of hexahedra in the precision and the layout of a solver's states, and the mesh of their
// points.
#pragma once

#include <vector>

#include "physics/curved/geometry.hpp"
#include "physics/curved/viscous_element.hpp"

namespace halfstep {

/// Returns the extent along z of a mesh of points in the plane; 1 of one in space, whose volumes have it.
inline double depth_of(int dimensions, const Mesh& mesh) {
  return dimensions == 2 ? mesh.upper[2] - mesh.lower[2] : 1;
}

/// Returns the mesh of the points of a degree: a row for each element. `lower`, `upper`: of the box that a
/// deck has, which is as deep along z as a mesh in the plane.
inline Mesh mesh_of_points(const Hexahedra& hexahedra, int degree, const Point& lower, const Point& upper) {
  Mesh mesh;
  mesh.lower = lower;
  mesh.upper = upper;
  auto points = std::make_shared<PointPlaces>(places_of_points(hexahedra, degree));
  for (double& volume : points->volume) volume *= depth_of(hexahedra.dimensions, mesh);
  mesh.cells = {static_cast<int>(points->place.size() / hexahedra.count), hexahedra.count, 1};
  mesh.points = std::move(points);
  return mesh;
}

/// Returns the bytes that a solver has of hexahedra beside their states: the geometry, and what
/// flows through faces.
inline std::int64_t bytes_of_hexahedra(const Hexahedra& mesh, int degree, bool is_viscous,
                                       std::int64_t real_bytes) {
  const AnyCube c(degree, mesh.dimensions, nullptr);
  const int viscous = is_viscous ? kViscousFields : 0;
  const std::int64_t shapes = mesh.widths ? 1 : mesh.count;
  const int of_shape =
      (c.dimensions * c.dimensions + 1) * c.points + c.dimensions * face_points_of_element(c);
  const int at_faces = kFields + (is_viscous ? kFields + viscous : 0);
  return shapes * of_shape * real_bytes +
         mesh.count * ((viscous * c.points + at_faces * face_points_of_element(c)) * real_bytes +
                       face_points_of_element(c) * std::int64_t{3 * sizeof(double)} +
                       c.faces * std::int64_t{sizeof(Neighbour)});
}

/// The places in a list of the faces on a side.
struct FacesOnSide {
  int first, count;
};
/// The same of all sides, one behind the other.
struct FacesOnSides {
  int first[Hexahedra::kMaxSides + 1];

  HALFSTEP_HD FacesOnSide of(int side) const { return {first[side], first[side + 1] - first[side]}; }
};

/// The faces of a mesh, each once, as element * faces + face of the left element. Of a part of a mesh: those
/// of its own elements.
struct FacesOfMesh {
  std::vector<std::int32_t> faces;  ///< first those of two elements, then those on sides, side after side
  int of_two = 0;
  FacesOnSides on_sides{};

  /// `own`: how many of the elements of a part are own ones.
  FacesOfMesh(const Hexahedra& mesh, int own) {
    std::vector<std::int32_t> on_side[Hexahedra::kMaxSides];
    for (std::int32_t e = 0; e < mesh.count; ++e)
      for (int face = 0; face < mesh.faces(); ++face) {
        const Neighbour& beyond = mesh.neighbour(e, face);
        const bool is_own = e < own || (beyond.element >= 0 && beyond.element < own);
        if (is_own && mesh.is_left(e, face))
          (beyond.element < 0 ? on_side[beyond.side] : faces).push_back(e * mesh.faces() + face);
      }
    of_two = on_sides.first[0] = static_cast<int>(faces.size());
    for (int side = 0; side < Hexahedra::kMaxSides; ++side) {
      faces.insert(faces.end(), on_side[side].begin(), on_side[side].end());
      on_sides.first[side + 1] = static_cast<int>(faces.size());
    }
  }
};

/// The arrays of a HexahedraView.
template <class Real>
struct HexahedraTables {
  bool is_straight;
  StraightMetric<Real> straight{};
  std::vector<Real> metric, inverse_jacobian, area;
  std::vector<double> face_place;
  std::vector<Neighbour> beyond;

  HexahedraTables(const Hexahedra& mesh, const HexahedraGeometry& g)
      : is_straight(mesh.widths.has_value()),
        beyond(mesh.beyond),
        points_(std::int64_t{mesh.count} * g.points) {
    if (is_straight) {
      const StraightElement of(mesh.dimensions, *mesh.widths);
      straight = {{Real(of.area[0]), Real(of.area[1]), Real(of.area[2])}, Real(1 / of.jacobian)};
    }
    for (std::size_t n = 0; n < beyond.size(); ++n)
      beyond[n].own_is_left =
          mesh.is_left(static_cast<std::int32_t>(n) / mesh.faces(), static_cast<int>(n) % mesh.faces());
    for (const double jacobian : g.jacobian) inverse_jacobian.push_back(Real(1 / jacobian));
    const auto append = [](std::vector<Real>& to, const std::vector<double>& all, std::int32_t element,
                           int count) {
      for (int n = 0; n < count; ++n) to.push_back(Real(all[static_cast<std::size_t>(element) * count + n]));
    };
    metric.reserve(g.jacobian.size() * mesh.dimensions * mesh.dimensions);
    area.reserve(g.area[0].size() * mesh.dimensions);
    for (std::int32_t e = 0; e < g.shapes(); ++e) {
      for (int d = 0; d < mesh.dimensions; ++d)
        for (int c = 0; c < mesh.dimensions; ++c) append(metric, g.metric[d][c], e, g.points);
      for (int c = 0; c < mesh.dimensions; ++c) append(area, g.area[c], e, mesh.faces() * g.face_points);
    }
    for (const Point& x : g.face_place) face_place.insert(face_place.end(), x.begin(), x.end());
  }

  /// Returns the face points of all elements, those that two share twice.
  std::int64_t face_points() const { return std::ssize(face_place) / 3; }
  std::int64_t points() const { return points_; }
  HexahedraView<Real> view(const Layout& layout) const {
    return {layout,      is_straight,       straight,     metric.data(), inverse_jacobian.data(),
            area.data(), face_place.data(), beyond.data()};
  }

 private:
  std::int64_t points_;
};

}  // namespace halfstep
