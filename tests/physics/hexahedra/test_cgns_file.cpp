// CGNS files: those that the library writes are read as they were, and what is wrong with some.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "physics/hexahedra/cgns_nodes.hpp"
#include "physics/hexahedra/hexahedra_error.hpp"
#include "tests/support/cgns_files.hpp"
#include "tests/support/hexahedra.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

/// Returns the numbers, in the tensor product, of nodes that are given by their indices along the axes.
std::vector<int> numbers(int order, const std::vector<std::array<int, 3>>& nodes) {
  std::vector<int> all;
  for (const auto& [i, j, k] : nodes) all.push_back((k * (order + 1) + j) * (order + 1) + i);
  return all;
}

/// Returns some of the nodes, counted from 1 as in CGNS.
std::vector<int> part(const std::vector<int>& nodes, int first, int last) {
  return {nodes.begin() + first - 1, nodes.begin() + last};
}

TEST_CASE("nodes have the order of CGNS's tables") {
  // The figures and tables of the Standard Interface Data Structures, section 3.3.
  CHECK(cgns_nodes(1, 2) == std::vector<int>{0, 1, 3, 2});
  CHECK(cgns_nodes(2, 2) == std::vector<int>{0, 2, 8, 6, 1, 5, 7, 3, 4});
  CHECK(cgns_nodes(3, 2) == std::vector<int>{0, 3, 15, 12, 1, 2, 7, 11, 14, 13, 8, 4, 5, 6, 10, 9});
  CHECK(part(cgns_nodes(4, 2), 17, 25) == std::vector<int>{6, 7, 8, 13, 18, 17, 16, 11, 12});
  CHECK(cgns_nodes(1, 3) == std::vector<int>{0, 1, 3, 2, 4, 5, 7, 6});
  CHECK(cgns_nodes(2, 3) == std::vector<int>{0,  2,  8,  6,  18, 20, 26, 24, 1,  5,  7,  3,  9, 11,
                                             17, 15, 19, 23, 25, 21, 4,  10, 14, 16, 12, 22, 13});
  const std::vector<int> cubic = cgns_nodes(3, 3), quartic = cgns_nodes(4, 3);
  CHECK(part(cubic, 17, 24) ==  // E5 to E8 go up
        numbers(3, {{0, 0, 1}, {0, 0, 2}, {3, 0, 1}, {3, 0, 2}, {3, 3, 1}, {3, 3, 2}, {0, 3, 1}, {0, 3, 2}}));
  CHECK(part(cubic, 33, 36) == numbers(3, {{1, 1, 0}, {2, 1, 0}, {2, 2, 0}, {1, 2, 0}}));  // F1
  CHECK(part(cubic, 37, 40) == numbers(3, {{1, 0, 1}, {2, 0, 1}, {2, 0, 2}, {1, 0, 2}}));  // F2
  CHECK(part(cubic, 45, 48) == numbers(3, {{2, 3, 1}, {1, 3, 1}, {1, 3, 2}, {2, 3, 2}}));  // F4
  CHECK(part(cubic, 49, 52) == numbers(3, {{0, 2, 1}, {0, 1, 1}, {0, 1, 2}, {0, 2, 2}}));  // F5
  CHECK(part(cubic, 61, 64) == numbers(3, {{1, 1, 2}, {2, 1, 2}, {2, 2, 2}, {1, 2, 2}}));
  CHECK(part(quartic, 45, 53) == numbers(4, {{1, 1, 0},
                                             {2, 1, 0},
                                             {3, 1, 0},
                                             {3, 2, 0},
                                             {3, 3, 0},
                                             {2, 3, 0},
                                             {1, 3, 0},
                                             {1, 2, 0},
                                             {2, 2, 0}}));
  for (int dimensions : {2, 3})
    for (int order = 1; order <= 4; ++order) {
      std::vector<int> all = cgns_nodes(order, dimensions);
      std::sort(all.begin(), all.end());
      CHECK(all.size() == std::pow(order + 1, dimensions));
      for (std::size_t n = 0; n < all.size(); ++n) CHECK(all[n] == static_cast<int>(n));
    }
}

#if HALFSTEP_HAS_CGNS

Point bent(const Point& x) {
  const double wave = 0.05 * std::sin(3 * x[0]) * std::cos(2 * x[1] + x[2]);
  return {x[0] + wave, x[1] - 2 * wave, x[2] + wave * x[0]};
}

/// Checks that two meshes are one, but for the order of their sides.
void check_same(const Hexahedra& got, const Hexahedra& expected) {
  CHECK(got.dimensions == expected.dimensions);
  CHECK(got.order == expected.order);
  REQUIRE(got.count == expected.count);
  CHECK(got.nodes == expected.nodes);
  REQUIRE(got.beyond.size() == expected.beyond.size());
  for (std::size_t n = 0; n < got.beyond.size(); ++n) {
    const Neighbour &own = got.beyond[n], &other = expected.beyond[n];
    CHECK(own.element == other.element);
    if (own.element >= 0) {
      CHECK(own.face == other.face);
      CHECK(own.turn == other.turn);
    } else {
      CHECK(got.sides[static_cast<std::size_t>(own.side)] ==
            expected.sides[static_cast<std::size_t>(other.side)]);
    }
  }
}

constexpr CgnsBoundaries kForms[] = {CgnsBoundaries::lists_of_faces, CgnsBoundaries::ranges_of_faces,
                                     CgnsBoundaries::vertices, CgnsBoundaries::families};

TEST_CASE("a file of any order, with any form of its boundaries, is read as it was written") {
  if (!can_read_cgns()) return;
  const TemporaryDirectory directory;
  for (int order = 1; order <= 4; ++order)
    for (const std::array<int, 3>& count : {std::array{3, 2, 1}, std::array{3, 2, 2}})
      for (const CgnsBoundaries form : kForms)
        for (const bool mixed : {false, true}) {
          CAPTURE(order);
          CAPTURE(count[2]);
          CAPTURE(static_cast<int>(form));
          const Hexahedra mesh = mapped_box({.count = count, .order = order}, bent);
          write_cgns(directory / "mesh.cgns", mesh, {.boundaries = form, .mixed = mixed});
          check_same(read_cgns(directory / "mesh.cgns"), mesh);
        }
}

TEST_CASE("a mesh around a cylinder has two boundaries and is closed") {
  if (!can_read_cgns()) return;
  const TemporaryDirectory directory;
  const Hexahedra mesh =
      mapped_box({.count = {2, 5, 1}, .is_periodic = {false, true, false}, .order = 3}, [](const Point& x) {
        const double angle = x[1] == 1 ? 0 : 2 * M_PI * x[1];
        return Point{(1 + x[0]) * std::cos(angle), (1 + x[0]) * std::sin(angle), 0};
      });
  for (const CgnsBoundaries form : kForms) {
    write_cgns(directory / "mesh.cgns", mesh, {.boundaries = form, .physical = 3});
    const Hexahedra got = read_cgns(directory / "mesh.cgns");
    check_same(got, mesh);
    CHECK(got.sides == std::vector<std::string>{"x_lower", "x_upper"});
  }
}

TEST_CASE("left-handed files are mended") {
  if (!can_read_cgns()) return;
  const TemporaryDirectory directory;
  for (const std::array<int, 3>& count : {std::array{2, 2, 1}, std::array{2, 2, 2}}) {
    Hexahedra mesh = mapped_box({.count = count, .order = 2}, [](const Point& x) { return x; });
    for (Point& x : mesh.nodes) x[0] = -x[0];
    write_cgns(directory / "mesh.cgns", mesh);
    const Hexahedra got = read_cgns(directory / "mesh.cgns");
    // The face x_lower, at the upper end, is now that of the element's second axis.
    CHECK(got.sides[static_cast<std::size_t>(got.neighbour(0, 2).side)] == "x_lower");
  }
}

TEST_CASE("files that hold no mesh say what is wrong") {
  if (!can_read_cgns()) return;
  const TemporaryDirectory directory;
  const std::string path = directory / "mesh.cgns";
  const auto refused = [&] { return refusal([&] { read_cgns(path); }); };
  CHECK(refused() == "cannot read '" + path + "'");
  put(path, "no mesh at all");
  CHECK(refused() == "'" + path + "' is no CGNS file");

  Hexahedra mesh = mapped_box({.count = {3, 2, 2}, .order = 2}, [](const Point& x) { return x; });
  write_cgns(path, mesh, {.without = "y_upper"});
  CHECK(refused() == "unmatched face of element 3 at (0.166667, 1, 0.25), and 5 more");

  Hexahedra folded = mesh;
  for (Point& x : folded.nodes)
    if (x == Point{1, 1, 1}) x = {0.4, 0.2, 0.3};
  write_cgns(path, folded);
  CHECK(refused().starts_with("element 11 has a Jacobian of -"));

  Hexahedra torn = mesh;  // element 0 has a corner of its own, at the middle of the mesh
  torn.nodes[26] = {0.34, 0.5, 0.5};
  write_cgns(path, torn, {.boundaries = CgnsBoundaries::vertices});
  CHECK(refused() == "unmatched face of element 0 at (0.333333, 0.25, 0.25), and 5 more");

  Hexahedra turned = mapped_box({.count = {2, 2, 1}}, [](const Point& x) { return x; });
  for (std::int32_t element : {0, 1}) reorient(&turned.nodes[element * 4u], 2, 2, {1, 0, 2}, {});
  write_cgns(path, turned);
  CHECK(refused().starts_with("element 0 has a Jacobian of -0.0625 at (0, 0, 0)"));

  Hexahedra named = mesh;
  named.sides = {"a", "b", "c", "d", "e", "f"};
  for (int extra = 0; extra < 2; ++extra) {
    named.sides.push_back("g" + std::to_string(extra));
    for (Neighbour& beyond : named.beyond)
      if (beyond.side == 0) {
        beyond.side = static_cast<std::int8_t>(named.sides.size() - 1);
        break;
      }
  }
  write_cgns(path, named);
  CHECK(refused() == "the file names 8 boundaries");

  // One element along x: the face between both walls has all its vertices in their list.
  Hexahedra thin = mapped_box({.count = {2, 1, 1}}, [](const Point& x) { return x; });
  for (Neighbour& beyond : thin.beyond)
    if (beyond.side == 3) beyond.side = 2;
  write_cgns(path, thin, {.boundaries = CgnsBoundaries::vertices});
  CHECK(refused() == "a face is on the boundaries 'x_lower' and 'y_lower'");

  Hexahedra leaning = mapped_box({.count = {2, 2, 1}}, [](const Point& x) { return x; });
  for (Point& x : leaning.nodes) x[2] = 0.1 * x[0];
  write_cgns(path, leaning, {.physical = 3});
  CHECK(refused() == "the quadrilaterals reach from z = 0 to 0.1");
}

/// Writes a structured zone with boundary conditions of vertices, or an empty base with two zones.
void write_structured(const std::string& path, int zones, CGNS_ENUMT(GridLocation_t) location) {
  int file = 0, base = 0, zone = 0, number = 0;
  cg_open(path.c_str(), CG_MODE_WRITE, &file);
  cg_base_write(file, "Base", 3, 3, &base);
  const cgsize_t size[] = {3, 4, 2, 2, 3, 1, 0, 0, 0};
  for (int n = 0; n < zones; ++n)
    cg_zone_write(file, base, ("Zone" + std::to_string(n)).c_str(), size, CGNS_ENUMV(Structured), &zone);
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> values;
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 3; ++i) values.push_back(bent({1.0 * i, 1.0 * j, 1.0 * k})[axis]);
    cg_coord_write(file, base, 1, CGNS_ENUMV(RealDouble), (std::string("Coordinate") + "XYZ"[axis]).c_str(),
                   values.data(), &number);
  }
  for (int side = 0; side < 6; ++side) {
    cgsize_t range[] = {1, 1, 1, 3, 4, 2};
    range[side / 2 + (side % 2 == 0 ? 3 : 0)] = side % 2 == 0 ? 1 : size[side / 2];
    cg_boco_write(file, base, 1, ("side" + std::to_string(side)).c_str(), CGNS_ENUMV(BCWall),
                  CGNS_ENUMV(PointRange), 2, range, &number);
    if (location != CGNS_ENUMV(Vertex)) cg_boco_gridlocation_write(file, base, 1, number, location);
  }
  cg_close(file);
}

TEST_CASE("a structured zone makes elements of order 1; several zones are refused") {
  if (!can_read_cgns()) return;
  const TemporaryDirectory directory;
  const std::string path = directory / "mesh.cgns";
  write_structured(path, 1, CGNS_ENUMV(Vertex));
  Hexahedra expected = mapped_box({.count = {2, 3, 2}, .upper = {2, 3, 2}}, bent);
  // The box has two layers where the file has one.
  expected.count = 6;
  const Hexahedra got = read_cgns(path);
  REQUIRE(got.count == 6);
  CHECK(std::equal(got.nodes.begin(), got.nodes.end(), expected.nodes.begin()));
  for (std::int32_t element = 0; element < 6; ++element)
    for (int face = 0; face < 6; ++face) {
      const Neighbour& own = got.neighbour(element, face);
      if (face < 4) CHECK(own.element == expected.neighbour(element, face).element);
      if (own.element < 0)
        CHECK(got.sides[static_cast<std::size_t>(own.side)] == "side" + std::to_string(face));
    }
  write_structured(path, 1, CGNS_ENUMV(FaceCenter));
  CHECK(refusal([&] { read_cgns(path); }) ==
        "the boundary 'side0' of a structured zone does not list vertices");
  write_structured(path, 2, CGNS_ENUMV(Vertex));
  CHECK(refusal([&] { read_cgns(path); }) == "the file has 2 zones");
}

#endif

}  // namespace
