// The part of a mesh of hexahedra that a rank has: its elements, what is beyond them, and which one is left.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "physics/hexahedra/mapped_box.hpp"
#include "physics/hexahedra/part_of_mesh.hpp"

using namespace halfstep;

namespace {

/// A ring of 3 x 6 elements between two sides.
Hexahedra ring() {
  return mapped_box({.count = {3, 6, 1}, .is_periodic = {false, true, false}, .order = 2},
                    [](const Point& x) {
                      const double angle = x[1] == 1 ? 0 : 2 * 3.141592653589793 * x[1];
                      return Point{(1 + x[0]) * std::cos(angle), (1 + x[0]) * std::sin(angle), 0};
                    });
}

}  // namespace

TEST_CASE("elements that share a face are neighbours in the graph, also around a ring") {
  const Hexahedra mesh = ring();
  const exchange::RowGraph graph = graph_of(mesh);
  REQUIRE(graph.count() == 18);
  CHECK(std::vector<int>(graph.beside.begin(), graph.beside.begin() + graph.first[1]) ==
        std::vector<int>{1, 15, 3});
  CHECK(graph.first[2] - graph.first[1] == 4);
}

TEST_CASE("a part has the places, neighbours and left elements of the whole mesh") {
  const Hexahedra mesh = ring();
  std::vector<std::int32_t> owners;
  for (int n = 0; n < mesh.count; ++n) owners.push_back(n * 5 % 7 % 3);
  const exchange::Decomposition cut = exchange::decompose({9, mesh.count, 1}, graph_of(mesh), owners, 3);
  for (int rank = 0; rank < 3; ++rank) {
    const exchange::RowsOfRank& rows = *cut.block(rank).rows;
    const auto own = static_cast<std::int32_t>(rows.own.size());
    const Hexahedra part = part_of(mesh, rows);
    REQUIRE(part.count == own + std::ssize(rows.near));
    for (std::int32_t element = 0; element < part.count; ++element) {
      const std::int32_t number = part.number(element);
      CHECK(number == (element < own ? rows.own[element] : rows.near[element - own]));
      for (int node = 0; node < 9; ++node)
        CHECK(part.nodes[9 * element + node] == mesh.nodes[9 * number + node]);
      for (int face = 0; face < 4; ++face) {
        const Neighbour &beyond = part.neighbour(element, face), &in_mesh = mesh.neighbour(number, face);
        CHECK(beyond.face == in_mesh.face);
        CHECK(beyond.turn == in_mesh.turn);
        CHECK(part.is_left(element, face) == mesh.is_left(number, face));
        CHECK(beyond.side == (element < own ? in_mesh.side : -1));
        CHECK((beyond.element < 0 ? -1 : part.number(beyond.element)) == in_mesh.element);
        CHECK((element >= own || beyond.element < part.count));
      }
    }
  }
}
