// Ghost cells: every boundary, corners, thin meshes, and states prescribed in place and time.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "physics/mesh/ghosts.hpp"
#include "tests/support/cells.hpp"
#include "tests/support/make_case.hpp"

using namespace halfstep;

namespace {

constexpr int kLayers = 3;
const Boundaries all_periodic = {{{Boundary::periodic, Boundary::periodic},
                                  {Boundary::periodic, Boundary::periodic},
                                  {Boundary::periodic, Boundary::periodic}}};

Boundaries everywhere(Boundary kind) { return {{{kind, kind}, {kind, kind}, {kind, kind}}}; }

/// A buffer whose interior cells encode their place: density 1 + i + 100 j + 10000 k, momenta 1, 2 and 3
/// times that.
struct Numbered {
  Mesh mesh;
  Layout layout;
  std::vector<double> u;

  explicit Numbered(const std::array<int, 3>& cells, int layers = kLayers, int fields = kFields)
      : mesh{cells}, layout(mesh, layers, fields), u(layout.values(), std::nan("")) {
    for_every_cell(cells, [&](const auto& cell) {
      const auto& [i, j, k] = cell;
      const double n = number(i, j, k);
      store(layout, u.data(), i, j, k, Conserved<double>{n, n, 2 * n, 3 * n, 100 * n});
      for (int s = 0; s < layout.scalars(); ++s) scalar(layout, u.data(), s, i, j, k) = (0.5 + s) * n;
    });
  }
  static double number(int i, int j, int k) { return 1 + i + 100 * j + 10000 * k; }

  BoundaryConditions<double> rules(const Boundaries& boundaries, const DirichletState& state = {}) const {
    return {layout, mesh, boundaries, state, 1.4};
  }
  Conserved<double> ghost(const Boundaries& boundaries, int i, int j, int k, const DirichletState& state = {},
                          double time = 0) const {
    Conserved<double> c{};
    REQUIRE(ghost_state(rules(boundaries, state), u.data(), i, j, k, time, c));
    return c;
  }
};

/// Whether `c` is the state of the interior cell (i, j, k) with its momenta multiplied by the signs.
bool is_image(const Conserved<double>& c, int i, int j, int k, std::array<int, 3> sign = {1, 1, 1}) {
  const double n = Numbered::number(i, j, k);
  return c.density == n && c.mu == sign[0] * n && c.mv == sign[1] * 2 * n && c.mw == sign[2] * 3 * n &&
         c.energy == 100 * n;
}

}  // namespace

TEST_CASE("a mesh with more ghost cells than a number of 32 bits can count is refused") {
  CHECK(GhostCells(Layout({30000, 30000, 2}, {1, 1, 1})).count() > 0);
  CHECK_THROWS_AS(GhostCells(Layout({50000, 50000, 2}, {1, 1, 1})), std::length_error);
}

TEST_CASE("every ghost cell is filled once, and no interior cell") {
  for (const std::array<int, 3>& cells :
       {std::array<int, 3>{5, 4, 3}, {7, 1, 1}, {1, 6, 1}, {1, 1, 2}, {4, 1, 5}, {1, 3, 2}, {2, 2, 1}})
    for (int layers = 1; layers <= 3; ++layers) {
      const Layout l(Mesh{cells}, layers);
      const GhostCells ghosts(l);
      std::set<std::array<int, 3>> seen;
      for (std::int64_t n = 0; n < ghosts.count(); ++n) {
        int at[3];
        ghosts.cell(l, n, at[0], at[1], at[2]);
        bool outside = false;
        for (int a = 0; a < 3; ++a) {
          REQUIRE(at[a] >= -l.ghosts[a]);
          REQUIRE(at[a] < l.cells[a] + l.ghosts[a]);
          outside |= at[a] < 0 || at[a] >= l.cells[a];
        }
        REQUIRE(outside);
        REQUIRE(seen.insert({at[0], at[1], at[2]}).second);
      }
      std::int64_t all = 1, interior = 1;
      for (int a = 0; a < 3; ++a) all *= l.cells[a] + 2 * l.ghosts[a], interior *= l.cells[a];
      CHECK(ghosts.count() == all - interior);
    }
}

TEST_CASE("periodic ghosts are the opposite side's cells, round corners too") {
  const Numbered m({5, 4, 6});
  CHECK(is_image(m.ghost(all_periodic, -1, 2, 3), 4, 2, 3));
  CHECK(is_image(m.ghost(all_periodic, 7, 2, 3), 2, 2, 3));
  CHECK(is_image(m.ghost(all_periodic, 1, -3, 3), 1, 1, 3));
  CHECK(is_image(m.ghost(all_periodic, 1, 1, 6), 1, 1, 0));
  CHECK(is_image(m.ghost(all_periodic, -1, 4, 8), 4, 0, 2));
}

TEST_CASE("outflow ghosts are the last cell, round corners too") {
  const Numbered m({5, 4, 6});
  const Boundaries b = everywhere(Boundary::outflow);
  for (int layer = 1; layer <= 3; ++layer) {
    CHECK(is_image(m.ghost(b, -layer, 2, 3), 0, 2, 3));
    CHECK(is_image(m.ghost(b, 4 + layer, 2, 3), 4, 2, 3));
    CHECK(is_image(m.ghost(b, 2, 3 + layer, 3), 2, 3, 3));
    CHECK(is_image(m.ghost(b, 2, 2, -layer), 2, 2, 0));
    CHECK(is_image(m.ghost(b, -layer, 3 + layer, -layer), 0, 3, 0));
  }
}

TEST_CASE("reflecting ghosts are the mirror image with the normal velocity reversed, round corners too") {
  const Numbered m({5, 4, 6});
  const Boundaries b = everywhere(Boundary::reflecting);
  for (int layer = 1; layer <= 3; ++layer) {
    CHECK(is_image(m.ghost(b, -layer, 2, 3), layer - 1, 2, 3, {-1, 1, 1}));
    CHECK(is_image(m.ghost(b, 4 + layer, 2, 3), 5 - layer, 2, 3, {-1, 1, 1}));
    CHECK(is_image(m.ghost(b, 2, -layer, 3), 2, layer - 1, 3, {1, -1, 1}));
    CHECK(is_image(m.ghost(b, 2, 2, 5 + layer), 2, 2, 6 - layer, {1, 1, -1}));
  }
  CHECK(is_image(m.ghost(b, -2, 5, 2), 1, 2, 2, {-1, -1, 1}));
  CHECK(is_image(m.ghost(b, -1, -1, -1), 0, 0, 0, {-1, -1, -1}));
}

TEST_CASE("axes with different boundaries meet at corners") {
  const Numbered m({5, 4, 1});
  Boundaries b = all_periodic;
  b[0] = {Boundary::reflecting, Boundary::outflow};
  CHECK(is_image(m.ghost(b, -2, -1, 0), 1, 3, 0, {-1, 1, 1}));
  CHECK(is_image(m.ghost(b, 6, 4, 0), 4, 0, 0));
}

TEST_CASE("meshes thinner than the ghost layers are wrapped and mirrored more than once") {
  const Numbered m({2, 2, 1});
  for (int i = -3; i < 5; ++i) {
    if (i == 0 || i == 1) continue;
    CHECK(is_image(m.ghost(all_periodic, i, 0, 0), ((i % 2) + 2) % 2, 0, 0));
  }
  const Boundaries mirrors = everywhere(Boundary::reflecting);
  const int images[] = {1, 1, 0, 0, 1, 1, 0, 0};  // for i = -3, ..., 4
  const int signs[] = {1, -1, -1, 1, 1, -1, -1, 1};
  for (int i = -3; i < 5; ++i)
    if (i < 0 || i > 1) CHECK(is_image(m.ghost(mirrors, i, 1, 0), images[i + 3], 1, 0, {signs[i + 3], 1, 1}));
  CHECK(is_image(m.ghost(everywhere(Boundary::outflow), -3, 4, 0), 0, 1, 0));
}

TEST_CASE("inflow ghosts stay as they are") {
  const Numbered m({5, 4, 1});
  Boundaries b = all_periodic;
  b[0] = {Boundary::inflow, Boundary::outflow};
  Conserved<double> c{-7, 0, 0, 0, 0};
  CHECK_FALSE(ghost_state(m.rules(b), m.u.data(), -1, 2, 0, 0.0, c));
  CHECK_FALSE(ghost_state(m.rules(b), m.u.data(), -1, -1, 0, 0.0, c));  // corner
  CHECK(c.density == -7);
  CHECK(is_image(m.ghost(b, 5, 2, 0), 4, 2, 0));
}

TEST_CASE("ghosts are the same numbers in single precision") {
  const Numbered m({5, 4, 3});
  const std::vector<float> single(m.u.begin(), m.u.end());
  const BoundaryConditions<float> rules(m.layout, m.mesh, everywhere(Boundary::reflecting), {}, 1.4);
  Conserved<float> c{};
  REQUIRE(ghost_state(rules, single.data(), -1, 1, 1, 0.0, c));
  CHECK(c.density == float(Numbered::number(0, 1, 1)));
  CHECK(c.mu == -c.density);
}

TEST_CASE("the radial inflow of Noh is compressed as it falls in") {
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    Numbered m({4, dimensions > 1 ? 4 : 1, dimensions > 2 ? 4 : 1});
    const DirichletState noh = make_case("noh", m.mesh, 1.4)->dirichlet();
    const double time = 0.6;
    // Checks the first cell beyond the upper x side of a unit box with 4 cells along each axis.
    const double x = 4.5 / 4, y = dimensions > 1 ? 1.5 / 4 : 0, z = dimensions > 2 ? 2.5 / 4 : 0;
    const double r = std::sqrt(x * x + y * y + z * z);
    const auto c = m.ghost(everywhere(Boundary::prescribed), 4, dimensions > 1 ? 1 : 0,
                           dimensions > 2 ? 2 : 0, noh, time);
    const double density = std::pow(1 + time / r, dimensions - 1);
    CHECK(c.density == doctest::Approx(density).epsilon(1e-14));
    CHECK(c.mu == doctest::Approx(-density * x / r).epsilon(1e-14));
    CHECK(c.mv == doctest::Approx(-density * y / r).epsilon(1e-14));
    CHECK(c.mw == doctest::Approx(-density * z / r).epsilon(1e-14));
    CHECK(c.energy == doctest::Approx(1e-6 / 0.4 + 0.5 * density).epsilon(1e-14));
  }
}

TEST_CASE("the oblique shock moves along the top, and its foot parts the bottom") {
  Numbered m({40, 10, 1});
  m.mesh.upper = {4, 1, 1};
  const DirichletState shock = make_case("double_mach", m.mesh, 1.4, {{"foot", 0.3}})->dirichlet();
  Boundaries b = all_periodic;
  b[0] = {Boundary::inflow, Boundary::outflow};
  b[1] = {Boundary::prescribed, Boundary::prescribed};

  // At the top, at height y, the front stands at foot + (y + 2 speed t) / sqrt 3.
  for (const double time : {0.0, 0.05, 0.1})
    for (int layer = 0; layer < kLayers; ++layer) {
      const double y = 1 + (layer + 0.5) * 0.1, front = 0.3 + (y + 20 * time) / std::sqrt(3.0);
      for (int i = 0; i < 40; ++i) {
        const double x = (i + 0.5) * 0.1;
        CHECK(m.ghost(b, i, 10 + layer, 0, shock, time).density ==
              doctest::Approx(x < front ? 8 : 1.4).epsilon(1e-14));
      }
    }

  // At the bottom the gas up to the foot is behind the shock for all time; from there on it is a wall.
  for (const double time : {0.0, 0.1})
    for (int layer = 1; layer <= kLayers; ++layer)
      for (int i = 0; i < 40; ++i) {
        const auto c = m.ghost(b, i, -layer, 0, shock, time);
        if ((i + 0.5) * 0.1 >= 0.3)
          CHECK(is_image(c, i, layer - 1, 0, {1, -1, 1}));
        else {
          CHECK(c.density == doctest::Approx(8));
          CHECK(c.mu == doctest::Approx(8 * 8.25 * std::sqrt(0.75)));
          CHECK(c.mv == doctest::Approx(-8 * 8.25 / 2));
        }
      }
}

TEST_CASE("a ghost cell has the scalars of the cell it is made of; prescribed states have none") {
  const auto filled = [](Boundary kind, int i, int j, int k, const DirichletState& state = {}) {
    Numbered m({5, 4, 6}, kLayers, kFields + 2);
    fill_ghost(m.rules(everywhere(kind), state), m.u.data(), i, j, k, 0.0);
    const double first = scalar(m.layout, m.u.data(), 0, i, j, k);
    CHECK((scalar(m.layout, m.u.data(), 1, i, j, k) == 3 * first || std::isnan(first)));
    return first;
  };
  CHECK(filled(Boundary::periodic, -1, 4, 8) == 0.5 * Numbered::number(4, 0, 2));
  CHECK(filled(Boundary::outflow, -2, 5, 3) == 0.5 * Numbered::number(0, 3, 3));
  CHECK(filled(Boundary::reflecting, -2, 2, 7) == 0.5 * Numbered::number(1, 2, 4));
  CHECK(filled(Boundary::prescribed, -1, 2, 3, make_case("noh", Mesh{{5, 4, 6}}, 1.4)->dirichlet()) == 0);
  CHECK(std::isnan(filled(Boundary::inflow, -1, 2, 3)));  // the ghost cell stays as it is

  Numbered m({5, 4, 6}, kLayers, kFields + 1);
  fill_ghost(m.rules(everywhere(Boundary::reflecting)), m.u.data(), -1, 2, 3, 0.0);
  CHECK(is_image(load(m.layout, m.u.data(), -1, 2, 3), 0, 2, 3, {-1, 1, 1}));
}
