// Ghost cells: every boundary, corners, thin meshes, and states prescribed in place and time.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include "physics/mesh/ghosts.hpp"
#include "tests/support/cells.hpp"
#include "tests/support/make_case.hpp"
#include "tests/support/stretched.hpp"

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
    return {layout, mesh, boundaries, state, {{1.4}}};
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
  const BoundaryConditions<float> rules(m.layout, m.mesh, everywhere(Boundary::reflecting), {}, {{1.4}});
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

namespace {

/// Returns states of sides whose density is 10 (axis + 1) + side + x + t, at unit pressure.
DirichletState states_of_sides(double pressure = 1) {
  DirichletState states;
  Formulas& f = states.formulas;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      const Formula zero = f.constant(0), p = f.constant(pressure);
      states.set_side(axis, side,
                      {10.0 * (axis + 1) + side + f.coordinate(0) + f.time(), zero, zero, zero, p});
    }
  return states;
}

}  // namespace

TEST_CASE("a side gives mass fractions of place and time: a state all, another one those of what flows in") {
  const int i = -2, j = 2, k = 3;
  const auto filled = [&](Boundary kind, double pressure, bool gives) {
    Numbered m({5, 4, 6}, kLayers, kFields + 2);
    DirichletState states = states_of_sides(pressure);
    if (gives)
      states.set_fraction(0, 0, 1, 0.5 + 0.5 * states.formulas.coordinate(1) * states.formulas.time());
    CHECK(fill_ghost(m.rules(everywhere(kind), states), m.u.data(), i, j, k, 0.25));
    return m;
  };
  const auto fraction = [&](const Numbered& m, int s) {
    return scalar(m.layout, m.u.data(), s, i, j, k) / load(m.layout, m.u.data(), i, j, k).density;
  };
  const double given = 0.5 + 0.5 * (2.5 / 4) * 0.25;
  const Numbered prescribed = filled(Boundary::state, 1, true);
  CHECK(fraction(prescribed, 0) == 0);
  CHECK(fraction(prescribed, 1) == doctest::Approx(given).epsilon(1e-15));
  // Much pressure beyond the side pushes gas in; of little the gas inside expands into it, or is not let out.
  for (const Boundary kind : {Boundary::far_field, Boundary::reservoir}) {
    const Numbered in = filled(kind, 1e8, true), none = filled(kind, 1e8, false);
    CHECK(load(in.layout, in.u.data(), i, j, k).mu > 0);
    CHECK(fraction(in, 0) == doctest::Approx(0.5).epsilon(1e-15));
    CHECK(fraction(in, 1) == doctest::Approx(given).epsilon(1e-15));
    CHECK(fraction(none, 1) == doctest::Approx(1.5).epsilon(1e-15));
    const Numbered out = filled(kind, 1, true);
    CHECK(load(out.layout, out.u.data(), i, j, k).mu <= 0);
    CHECK(fraction(out, 1) == doctest::Approx(1.5).epsilon(1e-15));
  }
}

TEST_CASE("mass fractions of a side are those of its part, and of the first axis in a corner") {
  Boundaries b = everywhere(Boundary::outflow);
  b[0][0] = b[1][0] = Boundary::state;
  DirichletState states = states_of_sides();
  Formulas& f = states.formulas;
  states.set_fraction(0, 0, 0, f.constant(0.25));
  states.set_fraction(1, 0, 0, f.constant(0.75));
  states.set_part(0, 0, less(f.coordinate(2), 0.5), Boundary::outflow);
  Numbered m({5, 4, 6}, kLayers, kFields + 1);
  const auto fraction = [&](int i, int j, int k) {
    fill_ghost(m.rules(b, states), m.u.data(), i, j, k, 0.0);
    return scalar(m.layout, m.u.data(), 0, i, j, k) / load(m.layout, m.u.data(), i, j, k).density;
  };
  CHECK(fraction(-1, 2, 1) == 0.25);
  CHECK(fraction(-1, 2, 4) == 0.5);  // of the cell inside
  CHECK(fraction(-1, -1, 1) == 0.25);
  CHECK(fraction(-1, -1, 4) == 0.75);
  CHECK(fraction(2, -2, 4) == 0.75);
}

TEST_CASE("each side has its own state of place and time; in a corner the first axis' holds") {
  const Numbered m({5, 4, 6});
  const Boundaries b = everywhere(Boundary::state);
  const DirichletState states = states_of_sides();
  const double dx = 1.0 / 5;
  CHECK(m.ghost(b, -1, 2, 3, states, 7).density == doctest::Approx(10 - 0.5 * dx + 7));
  CHECK(m.ghost(b, 6, 2, 3, states, 7).density == doctest::Approx(11 + 1 + 1.5 * dx + 7));
  CHECK(m.ghost(b, 2, -1, 3, states, 7).density == doctest::Approx(20 + 0.5 + 7));
  CHECK(m.ghost(b, 2, 1, 7, states, 7).density == doctest::Approx(31 + 0.5 + 7));
  CHECK(m.ghost(b, -1, 5, 7, states).density == doctest::Approx(10 - 0.5 * dx));
  CHECK(m.ghost(b, 2, 5, 7, states).density == doctest::Approx(21 + 0.5));
  // A state beside other sides: it holds in their corners, too, but where the case's inflow is.
  Boundaries mixed = b;
  mixed[0] = {Boundary::reflecting, Boundary::far_field};
  CHECK(m.ghost(mixed, -1, -1, 2, states).density == doctest::Approx(20 - 0.5 * dx));
  CHECK(m.ghost(mixed, 5, -1, 2, states).density == doctest::Approx(20 + 1 + 0.5 * dx));
  mixed[0][0] = Boundary::inflow;
  Conserved<double> c{};
  CHECK_FALSE(ghost_state(m.rules(mixed, states), m.u.data(), -1, -1, 2, 0.0, c));
}

TEST_CASE("a state of place is that of the middle of a ghost cell as wide as its mirror image") {
  Numbered m({5, 4, 6});
  m.mesh = stretched(m.mesh);
  const AxisTables<double> tables(m.mesh);
  BoundaryConditions<double> rules = m.rules(everywhere(Boundary::state), states_of_sides());
  rules.axes = tables.views();
  for (int layer = 0; layer < kLayers; ++layer) {
    CAPTURE(layer);
    double lower = 0, upper = 1;
    for (int n = 0; n < layer; ++n) lower -= m.mesh.width(0, n), upper += m.mesh.width(0, 4 - n);
    lower -= 0.5 * m.mesh.width(0, layer), upper += 0.5 * m.mesh.width(0, 4 - layer);
    Conserved<double> c{};
    REQUIRE(ghost_state(rules, m.u.data(), -1 - layer, 2, 3, 0.0, c));
    CHECK(c.density == doctest::Approx(10 + lower).epsilon(1e-14));
    REQUIRE(ghost_state(rules, m.u.data(), 5 + layer, 2, 3, 0.0, c));
    CHECK(c.density == doctest::Approx(11 + upper).epsilon(1e-14));
  }
}

TEST_CASE("the gas behind a wall of a stretched axis weighs by the distance of the cells' middles") {
  Numbered m({5, 4, 6});
  m.mesh = stretched(m.mesh);
  const AxisTables<double> tables(m.mesh);
  BoundaryConditions<double> rules(m.layout, m.mesh, everywhere(Boundary::reflecting), {}, {{1.4}},
                                   {0, -0.7, 0});
  rules.axes = tables.views();
  double lower = 0, upper = 0;  // from the walls to the cells' middles
  for (int layer = 0; layer < kLayers; ++layer) {
    CAPTURE(layer);
    const double low_width = m.mesh.width(1, layer), high_width = m.mesh.width(1, 3 - layer);
    lower += 0.5 * low_width, upper += 0.5 * high_width;
    const auto gained = [&](int ghost, int image) {
      Conserved<double> c{};
      REQUIRE(ghost_state(rules, m.u.data(), 2, ghost, 3, 0.0, c));
      const Conserved<double> inside = load(m.layout, m.u.data(), 2, image, 3);
      return 0.4 * (c.energy - inside.energy) / inside.density;
    };
    CHECK(gained(-1 - layer, layer) == doctest::Approx(0.7 * 2 * lower).epsilon(1e-10));
    CHECK(gained(4 + layer, 3 - layer) == doctest::Approx(-0.7 * 2 * upper).epsilon(1e-10));
    lower += 0.5 * low_width, upper += 0.5 * high_width;
  }
}

TEST_CASE(
    "a characteristic side makes all its ghost cells from the cell beside it, one side after the other") {
  const Numbered m({5, 4, 6});
  Boundaries b = everywhere(Boundary::outflow);
  b[0][1] = Boundary::subsonic_outflow;
  b[1][0] = Boundary::reflecting;
  b[2][1] = Boundary::subsonic_outflow;
  const double pressure = 1e6;
  const DirichletState states = states_of_sides(pressure);
  const auto pressure_at = [&](int i, int j, int k) {
    return to_primitive(m.ghost(b, i, j, k, states), {1.4}).pressure;
  };
  for (int layer = 0; layer < kLayers; ++layer)
    CHECK(pressure_at(5 + layer, 2, 3) == doctest::Approx(pressure).epsilon(1e-12));
  const auto beside = m.ghost(b, 5, 2, 3, states), beyond = m.ghost(b, 7, 2, 3, states);
  CHECK(beside.density == beyond.density);
  CHECK(pressure_at(5, -1, 3) == doctest::Approx(pressure).epsilon(1e-12));
  CHECK(m.ghost(b, 5, -1, 3, states).mv == -m.ghost(b, 5, 0, 3, states).mv);
  CHECK(pressure_at(6, 5, 8) == doctest::Approx(pressure).epsilon(1e-12));
  CHECK(is_image(m.ghost(b, -1, 2, 3, states), 0, 2, 3));

  int at[3];
  bool mirrored[3];
  const BoundaryConditions<double> rules = m.rules(b, states);
  CHECK(ghost_source(rules, 6, 2, 3, at, mirrored) == GhostSource::cell);
  CHECK((at[0] == 4 && at[1] == 2 && at[2] == 3));
  CHECK_FALSE(copies_interior(rules, 0, 5));
  CHECK_FALSE(wraps(rules));
}

TEST_CASE("a boundary condition holds in its part of the side, and another elsewhere") {
  const Numbered m({5, 4, 6});
  for (const Boundary kind : {Boundary::state, Boundary::subsonic_outflow, Boundary::prescribed}) {
    Boundaries b = everywhere(Boundary::outflow);
    b[0][0] = b[1][0] = kind;
    for (const Boundary elsewhere : {Boundary::reflecting, Boundary::outflow}) {
      DirichletState states = states_of_sides(1e6), whole = states;
      states.set_part(0, 0, less(states.formulas.coordinate(1), 0.5), elsewhere);
      const auto same = [](const Conserved<double>& p, const Conserved<double>& q) {
        return p.density == q.density && p.mu == q.mu && p.mv == q.mv && p.mw == q.mw && p.energy == q.energy;
      };
      // The part ends at y = 0.5, where cell 2 of 4 begins.
      if (kind != Boundary::prescribed)
        CHECK(same(m.ghost(b, -2, 1, 3, states), m.ghost(b, -2, 1, 3, whole)));
      const bool is_wall = elsewhere == Boundary::reflecting;
      CHECK(is_image(m.ghost(b, -2, 2, 3, states), is_wall ? 1 : 0, 2, 3, {is_wall ? -1 : 1, 1, 1}));
      CHECK(is_image(m.ghost(b, -1, 5, 3, states), 0, 3, 3, {is_wall ? -1 : 1, 1, 1}));
      // In the corner with a whole side that side's state holds beyond the part.
      if (kind == Boundary::state) {
        Boundaries two = b;
        two[1][1] = kind;
        CHECK(same(m.ghost(two, -1, 4, 3, states),
                   m.ghost({{{Boundary::outflow, Boundary::outflow}, two[1], two[2]}}, -1, 4, 3, whole)));
      }
    }
  }
}

TEST_CASE("beyond a side with values a scalar keeps its mass fraction") {
  Numbered m({5, 4, 6}, kLayers, kFields + 1);
  Boundaries b = everywhere(Boundary::outflow);
  b[0][1] = Boundary::subsonic_outflow;
  fill_ghost(m.rules(b, states_of_sides(1e6)), m.u.data(), 6, 2, 3, 0.0);
  CHECK(std::abs(load(m.layout, m.u.data(), 6, 2, 3).density / Numbered::number(4, 2, 3) - 1) > 0.05);
  CHECK(mass_fraction(m.layout, m.u.data(), 0, 6, 2, 3) == doctest::Approx(0.5).epsilon(1e-14));
}

TEST_CASE("a ghost cell beyond one side tells whether formulas gave it a state that a gas has") {
  for (const double pressure : {1.0, 0.0, -1.0, std::nan("")}) {
    CAPTURE(pressure);
    const bool sound = pressure > 0;
    Numbered m({5, 4, 6});
    Boundaries b = everywhere(Boundary::outflow);
    b[1][1] = Boundary::state;
    const BoundaryConditions<double> rules = m.rules(b, states_of_sides(pressure));
    CHECK(fill_ghost(rules, m.u.data(), 2, 5, 3, 0.0) == sound);
    CHECK(fill_ghost(rules, m.u.data(), 2, -1, 3, 0.0));
    CHECK(fill_ghost(rules, m.u.data(), 5, 2, 3, 0.0));
    CHECK(fill_ghost(rules, m.u.data(), -1, 5, 3, 0.0));  // a corner, which no Riemann problem reads
    CHECK(fill_ghost_row(rules, m.u.data(), 5, 3, 0.0) == sound);
    CHECK(fill_ghost_row(rules, m.u.data(), 3, 3, 0.0));
    b = everywhere(Boundary::outflow);
    b[0][0] = Boundary::state;
    CHECK(fill_ghost_row(m.rules(b, states_of_sides(pressure)), m.u.data(), 3, 3, 0.0) == sound);
  }
}

TEST_CASE("where no side has formulas ghost cells may be filled without them") {
  for (const Boundary kind :
       {Boundary::periodic, Boundary::outflow, Boundary::reflecting, Boundary::no_slip, Boundary::inflow}) {
    Numbered one({5, 4, 6}, kLayers, kFields + 1), other = one;
    const BoundaryConditions<double> rules(one.layout, one.mesh, everywhere(kind), {}, {{1.4}},
                                           {0.1, -2, 0.3});
    CHECK_FALSE(rules.has_formulas);
    const GhostCells cells(one.layout);
    for (std::int64_t n = 0; n < cells.count(); ++n) {
      int i, j, k;
      cells.cell(one.layout, n, i, j, k);
      fill_ghost<false>(rules, one.u.data(), i, j, k, 0.0);
      fill_ghost<true>(rules, other.u.data(), i, j, k, 0.0);
    }
    CHECK(std::memcmp(one.u.data(), other.u.data(), one.u.size() * sizeof(double)) == 0);
  }
  const Layout layout(Mesh{{5, 4, 6}}, kLayers);
  for (const Boundary kind : {Boundary::prescribed, Boundary::state, Boundary::far_field})
    CHECK(BoundaryConditions<double>(layout, Mesh{{5, 4, 6}}, everywhere(kind), {}, {{1.4}}).has_formulas);
}

TEST_CASE("rows of ghost cells are filled as single cells are, whatever the sides") {
  const Boundary kinds[] = {Boundary::state,     Boundary::subsonic_outflow, Boundary::subsonic_inflow,
                            Boundary::reservoir, Boundary::far_field,        Boundary::reflecting};
  for (const Boundary x : kinds)
    for (const Boundary y : kinds) {
      Boundaries b = everywhere(Boundary::outflow);
      b[0] = {x, y};
      b[1] = {y, x};
      Numbered cells({5, 4, 1}, kLayers, kFields + 2), rows({5, 4, 1}, kLayers, kFields + 2);
      DirichletState states = states_of_sides(400);
      for (int axis = 0; axis < 2; ++axis)
        for (int side = 0; side < 2; ++side)
          states.set_fraction(axis, side, side, 0.1 * states.formulas.coordinate(axis));
      for (int j = -kLayers; j < 4 + kLayers; ++j)
        fill_ghost_row(rows.rules(b, states), rows.u.data(), j, 0, 0.25);
      const GhostCells ghosts(cells.layout);
      for (std::int64_t n = 0; n < ghosts.count(); ++n) {
        int i, j, k;
        ghosts.cell(cells.layout, n, i, j, k);
        fill_ghost(cells.rules(b, states), cells.u.data(), i, j, k, 0.25);
        const auto one = load(cells.layout, cells.u.data(), i, j, k),
                   other = load(rows.layout, rows.u.data(), i, j, k);
        REQUIRE(one.density == other.density);
        REQUIRE(one.energy == other.energy);
        REQUIRE(one.mu == other.mu);
        for (int s = 0; s < 2; ++s)
          REQUIRE(scalar(cells.layout, cells.u.data(), s, i, j, k) ==
                  scalar(rows.layout, rows.u.data(), s, i, j, k));
      }
    }
}

TEST_CASE("a far field's ghost cells are the same where the cells beside them are another rank's") {
  const std::array<int, 3> cells = {5, 8, 1};
  const DirichletState states = [] {
    DirichletState one;
    Formulas& f = one.formulas;
    for (int side = 0; side < 2; ++side)
      one.set_side(0, side,
                   {f.constant(1), f.constant(side - 0.5), f.constant(0.1), f.constant(0), f.constant(1)});
    return one;
  }();
  const auto state = [](int i, int j) {
    return to_conserved(
        Primitive<double>{1 + 0.1 * std::sin(i + 2.0 * j), 0.5 * (i < 2 ? -1 : 1) + 0.1 * std::cos(j),
                          0.3 * std::sin(j), 0, 1 + 0.05 * std::cos(i - 3.0 * j)},
        IdealGas<double>{1.4});
  };
  const Boundaries whole_sides = {{{Boundary::far_field, Boundary::far_field},
                                   {Boundary::periodic, Boundary::periodic},
                                   {Boundary::periodic, Boundary::periodic}}};
  Boundaries block_sides = whole_sides;
  block_sides[1] = {Boundary::exchanged, Boundary::exchanged};
  Numbered whole(cells), block({5, 3, 1});
  block.mesh.whole = cells;
  block.mesh.first = {0, 5, 0};
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 8; ++j) store(whole.layout, whole.u.data(), i, j, 0, state(i, j));
    for (int j = -kLayers; j < 3 + kLayers; ++j)
      store(block.layout, block.u.data(), i, j, 0, state(i, (j + 5) % 8));
  }
  for (const int i : {-3, -2, -1, 5, 6, 7})
    for (int j = -2; j < 5; ++j) {  // all but the outermost layer, which no scheme reads
      const Conserved<double> a = whole.ghost(whole_sides, i, (j + 5) % 8, 0, states),
                              b = block.ghost(block_sides, i, j, 0, states),
                              image = whole.ghost(whole_sides, i, j + 5, 0, states);
      CHECK(a.density == b.density);
      CHECK(a.mu == b.mu);
      CHECK(a.energy == b.energy);
      CHECK(a.energy == image.energy);
      CHECK(a.density != state(i < 0 ? 0 : 4, (j + 5) % 8).density);
    }
}

TEST_CASE("sides of an axis with one cell have no effect") {
  const Numbered m({5, 1, 1});
  Boundaries b = everywhere(Boundary::outflow);
  b[1] = {Boundary::far_field, Boundary::state};
  CHECK_FALSE(m.rules(b).has_characteristic);
  CHECK(is_image(m.ghost(b, -1, 0, 0), 0, 0, 0));
}
