// Neighbours of elements that share corners, and what is no mesh.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "physics/hexahedra/connect.hpp"
#include "physics/hexahedra/element_map.hpp"
#include "physics/hexahedra/hexahedra_error.hpp"
#include "physics/hexahedra/jacobian.hpp"
#include "tests/support/hexahedra.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

bool same(const Neighbour& a, const Neighbour& b) {
  return a.element == b.element && a.face == b.face && a.turn == b.turn && a.side == b.side;
}

Point identity(const Point& x) { return x; }

/// A box of elements with their corners' ids.
struct Elements {
  explicit Elements(const BoxOfElements& box) : mesh(mapped_box(box, identity)), corners(corner_ids(box)) {}

  void reorient_element(std::int32_t element, const std::array<int, 3>& axes,
                        const std::array<bool, 3>& reversed) {
    const int nodes = mesh.nodes_of_element(), own = mesh.dimensions == 3 ? 8 : 4;
    reorient(&mesh.nodes[static_cast<std::size_t>(element) * nodes], mesh.order + 1, mesh.dimensions, axes,
             reversed);
    reorient(&corners[static_cast<std::size_t>(element) * own], 2, mesh.dimensions, axes, reversed);
  }

  Hexahedra mesh;
  std::vector<std::int64_t> corners;
};

/// Names all faces without a neighbour by the side 0.
int any_side(std::span<const std::int64_t>) { return 0; }

/// Returns the place on a face, whose own coordinates are first and second.
Point place_on_face(const Hexahedra& mesh, std::int32_t element, int face, double first, double second) {
  const int axis = face / 2;
  Point xi{};
  xi[axis] = face % 2 == 0 ? -1 : 1;
  xi[axis == 0 ? 1 : 0] = first;
  if (mesh.dimensions == 3) xi[axis == 2 ? 1 : 2] = second;
  return place_in_element(mesh, element, xi);
}

/// Checks that both sides of every face are at the same places, by the neighbours' faces and turns.
void check_places(const Hexahedra& mesh) {
  int inner = 0;
  for (std::int32_t element = 0; element < mesh.count; ++element)
    for (int face = 0; face < mesh.faces(); ++face) {
      const Neighbour& other = mesh.neighbour(element, face);
      if (other.element < 0) continue;
      ++inner;
      const Neighbour& back = mesh.neighbour(other.element, other.face);
      CHECK(back.element == element);
      CHECK(int{back.face} == face);
      for (const auto& [a, b] : {std::pair(0.3, -0.6), std::pair(-1.0, 0.2)}) {
        const double along = (other.turn & 2) != 0 ? -a : a, across = (other.turn & 4) != 0 ? -b : b;
        const Point own = place_on_face(mesh, element, face, a, b);
        const Point its = (other.turn & 1) != 0
                              ? place_on_face(mesh, other.element, other.face, across, along)
                              : place_on_face(mesh, other.element, other.face, along, across);
        for (int d = 0; d < 3; ++d) CHECK(own[d] == doctest::Approx(its[d]).epsilon(1e-12));
      }
    }
  CHECK(inner > 0);
}

TEST_CASE("elements that share corners have the neighbours of a box") {
  for (const BoxOfElements& box : {BoxOfElements{.count = {3, 4, 1}, .order = 2},
                                   BoxOfElements{.count = {3, 4, 5}, .is_periodic = {false, true, false}},
                                   BoxOfElements{.count = {3, 3, 1}, .is_periodic = {true, true, false}}}) {
    Elements own(box);
    const Hexahedra expected = own.mesh;
    // A face's side is the one at which all its corners are.
    const auto side_of = [&](std::span<const std::int64_t> corners) {
      for (int side = 0; side < expected.faces(); ++side) {
        const int axis = side / 2;
        const auto at = [&](std::int64_t id) {
          const std::int64_t nx = box.count[0] + (box.is_periodic[0] ? 0 : 1),
                             ny = box.count[1] + (box.is_periodic[1] ? 0 : 1);
          const std::int64_t index[] = {id % nx, id / nx % ny, id / nx / ny};
          return index[axis] == (side % 2 == 0 ? 0 : box.count[axis]);
        };
        if (!box.is_periodic[axis] && std::all_of(corners.begin(), corners.end(), at)) return side;
      }
      return -1;
    };
    connect(own.mesh, own.corners, side_of);
    REQUIRE(own.mesh.beyond.size() == expected.beyond.size());
    for (std::size_t n = 0; n < expected.beyond.size(); ++n)
      CHECK(same(own.mesh.beyond[n], expected.beyond[n]));
  }
}

TEST_CASE("a face has the same places from both sides, however its elements are turned") {
  std::mt19937 bits(5);
  for (const std::array<int, 3>& count : {std::array{3, 3, 3}, std::array{4, 3, 1}}) {
    Elements own({.count = count, .order = 2});
    bool exchanged = false, first_reversed = false, second_reversed = false;
    for (std::int32_t element = 0; element < own.mesh.count; ++element) {
      std::array<int, 3> axes{0, 1, 2};
      std::shuffle(axes.begin(), axes.begin() + own.mesh.dimensions, bits);
      own.reorient_element(element, axes, {bits() % 2 == 0, bits() % 2 == 0, bits() % 2 == 0});
    }
    connect(own.mesh, own.corners, any_side);
    check_places(own.mesh);
    for (const Neighbour& other : own.mesh.beyond) {
      exchanged = exchanged || (other.turn & 1) != 0;
      first_reversed = first_reversed || (other.turn & 2) != 0;
      second_reversed = second_reversed || (other.turn & 4) != 0;
    }
    CHECK(first_reversed);
    CHECK(exchanged == (own.mesh.dimensions == 3));
    CHECK(second_reversed == (own.mesh.dimensions == 3));
  }
}

TEST_CASE("left-handed elements are mended if all are") {
  for (const std::array<int, 3>& count : {std::array{2, 2, 2}, std::array{3, 2, 1}}) {
    Elements own({.count = count, .order = 3});
    const std::vector<Point> nodes = own.mesh.nodes;
    const std::vector<std::int64_t> corners = own.corners;
    for (std::int32_t element = 0; element < own.mesh.count; ++element)
      own.reorient_element(element, {1, 0, 2}, {});
    CHECK(own.mesh.nodes != nodes);
    mend_left_handed(own.mesh, own.corners);
    CHECK(own.mesh.nodes == nodes);
    CHECK(own.corners == corners);

    own.reorient_element(1, {1, 0, 2}, {});
    const std::vector<Point> mixed = own.mesh.nodes;
    mend_left_handed(own.mesh, own.corners);
    CHECK(own.mesh.nodes == mixed);
    CHECK(refusal([&] { expect_positive_jacobians(own.mesh); }).starts_with("element 1 has a Jacobian of -"));
  }
}

TEST_CASE("what is no mesh is refused, with the element and the place") {
  Elements own({.count = {2, 2, 2}});
  const auto refused = [&](const SideOfFace& side_of) {
    return refusal([&] { connect(own.mesh, own.corners, side_of); });
  };
  // Faces at x = 0 are on no side: the corners' ids there are multiples of 3.
  const auto only_elsewhere = [](std::span<const std::int64_t> corners) {
    return std::all_of(corners.begin(), corners.end(), [](std::int64_t id) { return id % 3 == 0; }) ? -1 : 0;
  };
  CHECK(refused(only_elsewhere) == "unmatched face of element 0 at (0, 0.25, 0.25), and 3 more");

  std::swap(own.corners[1], own.corners[3]);  // both at the face between elements 0 and 1
  CHECK(refused(any_side) == "elements 0 and 1 share a face twisted, at (0.5, 0.25, 0.25)");
  std::swap(own.corners[1], own.corners[3]);

  own.corners[5] = own.corners[4];
  CHECK(refused(any_side) == "element 0 has a corner twice, in the middle at (0.25, 0.25, 0.25)");
  own.corners[5] = own.corners[4] + 1;

  // A third element at the face of the first two.
  own.corners.insert(own.corners.end(), own.corners.begin(), own.corners.begin() + 8);
  own.mesh.nodes.insert(own.mesh.nodes.end(), own.mesh.nodes.begin(), own.mesh.nodes.begin() + 8);
  own.mesh.count = 9;
  CHECK(refused(any_side) == "elements 0, 1 and 8 share one face, at (0.5, 0.25, 0.25)");
}

TEST_CASE("a Jacobian that is nowhere positive or not everywhere is found") {
  const auto refused = [](const Hexahedra& mesh) {
    return refusal([&] { expect_positive_jacobians(mesh); });
  };
  Hexahedra mesh = mapped_box({.count = {2, 1, 1}}, identity);
  mesh.nodes[7] = {0.4, -0.2, 0};  // the last corner of element 1 beyond its diagonal
  CHECK(refused(mesh).starts_with("element 1 has a Jacobian of -"));
  mesh.nodes[7] = mesh.nodes[6];  // a triangle
  CHECK(refused(mesh).starts_with("element 1 has a Jacobian of 0 at (0.5, 1, 0)"));

  // The slope of x is (xi - 0.75)^2 (xi + 1.5) but for a constant, and negative between the nodes alone.
  const auto quartic = [&](double less) {
    return refusal([&] {
      mapped_box({.count = {1, 1, 1}, .lower = {-1, -1, 0}, .upper = {1, 1, 1}, .order = 4},
                 [less](const Point& x) {
                   const double square = x[0] * x[0];
                   return Point{0.25 * square * square - 0.84375 * square + (0.84375 - less) * x[0], x[1], 0};
                 });
    });
  };
  CHECK(quartic(0) == "");
  CHECK(quartic(0.1).starts_with("element 0 has a Jacobian of -"));
}

}  // namespace
