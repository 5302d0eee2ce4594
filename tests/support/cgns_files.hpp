// CGNS files, for tests.
#pragma once

#include <doctest/doctest.h>

#include "physics/hexahedra/cgns_file.hpp"

namespace halfstep {

/// Whether CGNS files can be read here; says so if they cannot.
inline bool can_read_cgns() {
  const bool can = !cgns_version().empty();
  if (!can) MESSAGE("skipped: built without the CGNS library (package libcgns-dev)");
  return can;
}

}  // namespace halfstep

#if HALFSTEP_HAS_CGNS

#include <cgnslib.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "physics/hexahedra/cgns_nodes.hpp"

namespace halfstep {

/// How a file names the sides of a mesh.
enum class CgnsBoundaries { lists_of_faces, ranges_of_faces, vertices, families };

struct CgnsOptions {
  CgnsBoundaries boundaries = CgnsBoundaries::lists_of_faces;
  std::string without = {};  ///< the side that has no boundary condition
  bool mixed = false;        ///< the elements are in a MIXED section
  int physical = 0;          ///< dimensions of the places; 0: as many as those of the elements
};

/// Writes a mesh; nodes at one place are one vertex.
class CgnsWriter {
 public:
  CgnsWriter(const std::filesystem::path& path, const Hexahedra& mesh, const CgnsOptions& options = {})
      : mesh_(mesh), options_(options) {
    done(cg_set_file_type(CG_FILE_HDF5));
    done(cg_open(path.c_str(), CG_MODE_WRITE, &file_));
    done(cg_base_write(file_, "Base", mesh.dimensions, options.physical ? options.physical : mesh.dimensions,
                       &base_));
    number_vertices();
    cgsize_t size[3] = {static_cast<cgsize_t>(places_.size()), mesh.count, 0};
    done(cg_zone_write(file_, base_, "Zone", size, CGNS_ENUMV(Unstructured), &zone_));
    write_places();
    write_elements();
    for (std::size_t side = 0; side < mesh.sides.size(); ++side)
      if (mesh.sides[side] != options.without) write_side(static_cast<int>(side));
    done(cg_close(file_));
  }

 private:
  static void done(int code) {
    if (code != CG_OK) FAIL(cg_get_error());
  }

  void number_vertices() {
    for (const Point& x : mesh_.nodes) {
      const auto [at, is_new] = numbers_.emplace(x, static_cast<cgsize_t>(places_.size()) + 1);
      if (is_new) places_.push_back(x);
      vertices_.push_back(at->second);
    }
  }

  void write_places() {
    for (int axis = 0; axis < (options_.physical ? options_.physical : mesh_.dimensions); ++axis) {
      std::vector<double> values;
      for (const Point& x : places_) values.push_back(x[axis]);
      int coordinate = 0;
      done(cg_coord_write(file_, base_, zone_, CGNS_ENUMV(RealDouble),
                          (std::string("Coordinate") + "XYZ"[axis]).c_str(), values.data(), &coordinate));
    }
  }

  CGNS_ENUMT(ElementType_t) type_of(int dimensions) const {
    constexpr CGNS_ENUMT(ElementType_t)
        types[3][4] = {{CGNS_ENUMV(BAR_2), CGNS_ENUMV(BAR_3), CGNS_ENUMV(BAR_4), CGNS_ENUMV(BAR_5)},
                       {CGNS_ENUMV(QUAD_4), CGNS_ENUMV(QUAD_9), CGNS_ENUMV(QUAD_16), CGNS_ENUMV(QUAD_25)},
                       {CGNS_ENUMV(HEXA_8), CGNS_ENUMV(HEXA_27), CGNS_ENUMV(HEXA_64), CGNS_ENUMV(HEXA_125)}};
    return types[dimensions - 1][mesh_.order - 1];
  }

  void write_elements() {
    const std::vector<int> order = cgns_nodes(mesh_.order, mesh_.dimensions);
    std::vector<cgsize_t> all, offsets{0};
    for (std::int32_t element = 0; element < mesh_.count; ++element) {
      if (options_.mixed) all.push_back(type_of(mesh_.dimensions));
      for (const int n : order) all.push_back(vertices_[element * order.size() + n]);
      offsets.push_back(static_cast<cgsize_t>(all.size()));
    }
    int section = 0;
    last_ = mesh_.count;
    if (options_.mixed)
      done(cg_poly_section_write(file_, base_, zone_, "Elements", CGNS_ENUMV(MIXED), 1, last_, 0, all.data(),
                                 offsets.data(), &section));
    else
      done(cg_section_write(file_, base_, zone_, "Elements", type_of(mesh_.dimensions), 1, last_, 0,
                            all.data(), &section));
  }

  /// Returns the vertices of a face, its first coordinate fastest.
  std::vector<cgsize_t> vertices_of_face(std::int32_t element, int face) const {
    const int n = mesh_.order + 1, strides[] = {1, n, n * n};
    const int axis = face / 2, first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    std::vector<cgsize_t> all;
    for (int b = 0; b < (mesh_.dimensions == 3 ? n : 1); ++b)
      for (int a = 0; a < n; ++a) {
        const int node = (face % 2 == 0 ? 0 : n - 1) * strides[axis] + a * strides[first] +
                         (mesh_.dimensions == 3 ? b * strides[second] : 0);
        all.push_back(vertices_[static_cast<std::size_t>(element) * mesh_.nodes_of_element() + node]);
      }
    return all;
  }

  /// Returns the order of CGNS for the nodes of a face.
  std::vector<int> nodes_of_face() const {
    if (mesh_.dimensions == 3) return cgns_nodes(mesh_.order, 2);
    std::vector<int> all{0, mesh_.order};
    for (int n = 1; n < mesh_.order; ++n) all.push_back(n);
    return all;
  }

  void write_side(int side) {
    std::vector<cgsize_t> connectivity, numbers, vertices;
    const cgsize_t first = last_ + 1;
    for (std::int32_t element = 0; element < mesh_.count; ++element)
      for (int face = 0; face < mesh_.faces(); ++face) {
        if (mesh_.neighbour(element, face).side != side) continue;
        const std::vector<cgsize_t> own = vertices_of_face(element, face);
        for (const int n : nodes_of_face()) connectivity.push_back(own[static_cast<std::size_t>(n)]);
        vertices.insert(vertices.end(), own.begin(), own.end());
        numbers.push_back(++last_);
      }
    if (numbers.empty()) return;
    const std::string& name = mesh_.sides[static_cast<std::size_t>(side)];
    int number = 0;
    if (options_.boundaries == CgnsBoundaries::vertices) {
      last_ = first - 1;
      done(cg_boco_write(file_, base_, zone_, name.c_str(), CGNS_ENUMV(BCWall), CGNS_ENUMV(PointList),
                         static_cast<cgsize_t>(vertices.size()), vertices.data(), &number));
      return;
    }
    done(cg_section_write(file_, base_, zone_, name.c_str(), type_of(mesh_.dimensions - 1), first, last_, 0,
                          connectivity.data(), &number));
    const bool is_range = options_.boundaries == CgnsBoundaries::ranges_of_faces;
    const bool has_family = options_.boundaries == CgnsBoundaries::families;
    const cgsize_t range[] = {first, last_};
    done(cg_boco_write(file_, base_, zone_, has_family ? ("bc" + name).c_str() : name.c_str(),
                       has_family ? CGNS_ENUMV(FamilySpecified) : CGNS_ENUMV(BCWall),
                       is_range ? CGNS_ENUMV(PointRange) : CGNS_ENUMV(PointList),
                       is_range ? 2 : static_cast<cgsize_t>(numbers.size()),
                       is_range ? range : numbers.data(), &number));
    done(cg_boco_gridlocation_write(file_, base_, zone_, number,
                                    mesh_.dimensions == 3 ? CGNS_ENUMV(FaceCenter) : CGNS_ENUMV(EdgeCenter)));
    if (!has_family) return;
    int family = 0;
    done(cg_family_write(file_, base_, name.c_str(), &family));
    done(cg_goto(file_, base_, "Zone_t", zone_, "ZoneBC_t", 1, "BC_t", number, "end"));
    done(cg_famname_write(name.c_str()));
  }

  const Hexahedra& mesh_;
  CgnsOptions options_;
  int file_ = 0, base_ = 0, zone_ = 0;
  cgsize_t last_ = 0;  // number of an element
  std::map<Point, cgsize_t> numbers_;
  std::vector<Point> places_;
  std::vector<cgsize_t> vertices_;  // of the mesh's nodes
};

inline void write_cgns(const std::filesystem::path& path, const Hexahedra& mesh,
                       const CgnsOptions& options = {}) {
  CgnsWriter(path, mesh, options);
}

}  // namespace halfstep

#endif
