// The places of cells in memory.
#include <doctest/doctest.h>

#include <vector>

#include "physics/mesh/layout.hpp"

using namespace halfstep;

TEST_CASE("every cell and ghost cell has a place of its own, inside the buffer") {
  for (const Mesh& mesh :
       {Mesh{{5, 4, 3}}, Mesh{{33, 1, 1}}, Mesh{{1, 7, 1}}, Mesh{{1, 1, 2}}, Mesh{{16, 16, 1}}})
    for (int layers = 1; layers <= 3; ++layers) {
      const Layout l(mesh, layers, kFields + 1);
      std::vector<int> visits(l.values());
      for (int f = 0; f < l.fields; ++f)
        for (int k = -l.ghosts[2]; k < l.cells[2] + l.ghosts[2]; ++k)
          for (int j = -l.ghosts[1]; j < l.cells[1] + l.ghosts[1]; ++j)
            for (int i = -l.ghosts[0]; i < l.cells[0] + l.ghosts[0]; ++i) {
              const auto at = f * l.field_stride + l.index(i, j, k);
              REQUIRE(at >= 0);
              REQUIRE(at < l.values());
              REQUIRE(++visits[at] == 1);
            }
    }
}

TEST_CASE("scalars are fields behind the others") {
  const Mesh mesh{{5, 4, 3}};
  const Layout without(mesh, 2), with(mesh, 2, kFields + 2);
  CHECK(without.scalars() == 0);
  CHECK(with.scalars() == 2);
  CHECK(with.field_stride == without.field_stride);
  CHECK(with.values() == without.values() + 2 * without.field_stride);
  std::vector<double> u(with.values(), 0.0);
  store(with, u.data(), 1, 2, 0, {2, 0, 0, 0, 0});
  scalar(with, u.data(), 1, 1, 2, 0) = 0.5;
  CHECK(u[6 * with.field_stride + with.index(1, 2, 0)] == 0.5);
  CHECK(mass_fraction(with, u.data(), 1, 1, 2, 0) == 0.25);
}

TEST_CASE("only swept axes have ghost cells") {
  const Layout l(Mesh{{8, 1, 4}}, 3);
  CHECK(l.ghosts[0] == 3);
  CHECK(l.ghosts[1] == 0);
  CHECK(l.ghosts[2] == 3);
}

TEST_CASE("the first interior cell of every row is aligned, in every field") {
  for (const Mesh& mesh : {Mesh{{5, 4, 3}}, Mesh{{100, 1, 1}}, Mesh{{1, 9, 2}}})
    for (int layers = 1; layers <= 3; ++layers) {
      const Layout l(mesh, layers);
      CHECK(l.stride[0] == 1);
      for (int f = 0; f < kFields; ++f)
        for (int k = -l.ghosts[2]; k < l.cells[2] + l.ghosts[2]; ++k)
          for (int j = -l.ghosts[1]; j < l.cells[1] + l.ghosts[1]; ++j)
            REQUIRE((f * l.field_stride + l.index(0, j, k)) % Layout::kAlignment == 0);
    }
}
