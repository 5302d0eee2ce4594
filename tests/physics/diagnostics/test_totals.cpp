// Sums and extrema over cells.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "physics/cases/initial_state.hpp"
#include "physics/diagnostics/sums.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/solver/solver.hpp"
#include "tests/support/make_case.hpp"
#include "tests/support/stretched.hpp"

using namespace halfstep;

namespace {

/// Returns a state of random cells, of which some are still and few are like the next.
Fields random_cells(const Mesh& mesh, int scalars) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  Fields fields;
  fields.scalars.resize(scalars);
  for (int f = 0; f < kFields + scalars; ++f) fields.field(f).resize(mesh.cell_count());
  for (std::int64_t n = 0; n < mesh.cell_count(); ++n) {
    const double speed = std::exp(30 * number(random) - 25), still = random() % 5 == 0 ? 0 : 1;
    const Primitive<double> q{1 + 0.5 * number(random), speed * number(random), still * number(random), 0,
                              std::exp(number(random))};
    const Conserved<double> c = to_conserved(q, {1.4});
    const double values[] = {c.density, c.mu, c.mv, c.mw, c.energy};
    for (int f = 0; f < kFields; ++f) fields.field(f)[n] = values[f];
    for (int s = 0; s < scalars; ++s) fields.field(kFields + s)[n] = q.density * std::abs(number(random));
  }
  return fields;
}

/// Returns the totals of the box of cells from `begin` to `end`, as a process sums them that has only this
/// box.
ExactTotals totals_of_box(const Mesh& mesh, const Fields& fields, std::array<int, 3> begin,
                          std::array<int, 3> end) {
  Mesh box = mesh;
  for (int axis = 0; axis < 3; ++axis) box.cells[axis] = end[axis] - begin[axis];
  const Layout l(box, 2, kFields + static_cast<int>(fields.scalars.size()));
  std::vector<double> u(l.values(), 1.0);
  ExactTotals totals;
  for (int k = 0; k < box.cells[2]; ++k)
    for (int j = 0; j < box.cells[1]; ++j) {
      for (int i = 0; i < box.cells[0]; ++i)
        for (int f = 0; f < l.fields; ++f)
          u[l.index(i, j, k) + f * l.field_stride] =
              fields.field(f)[begin[0] + i +
                              mesh.cells[0] * (begin[1] + j + std::int64_t{mesh.cells[1]} * (begin[2] + k))];
      add_row(totals, l, u.data(), j, k, {{1.4}}, nullptr, AxisTableViews<double>{});
    }
  return totals;
}

}  // namespace

TEST_CASE("a cell adds its densities, and its extrema count") {
  const IdealGas<double> gas{1.4};
  const PartialTotals t = totals_of_cell(to_conserved({2.0, 3.0, 0.0, -4.0, 5.0}, gas), gas);
  CHECK(t.sums.conserved.density == 2);
  CHECK(t.sums.conserved.mu == 6);
  CHECK(t.sums.conserved.mv == 0);
  CHECK(t.sums.conserved.mw == -8);
  CHECK(t.sums.kinetic_energy == doctest::Approx(25).epsilon(1e-15));
  CHECK(t.sums.conserved.energy == doctest::Approx(5 / 0.4 + 25).epsilon(1e-15));
  CHECK(t.min_density == 2);
  CHECK(t.min_pressure == doctest::Approx(5).epsilon(1e-14));
  CHECK(std::sqrt(t.max_mach2) == doctest::Approx(5 / std::sqrt(1.4 * 5 / 2)).epsilon(1e-14));
}

TEST_CASE("merging adds sums and keeps extrema") {
  const IdealGas<double> gas{1.4};
  const PartialTotals cells[] = {totals_of_cell(to_conserved({2.0, 3.0, 0.0, 0.0, 5.0}, gas), gas),
                                 totals_of_cell(to_conserved({0.5, 0.0, 1.0, 0.0, 9.0}, gas), gas)};
  ExactTotals all;
  for (const PartialTotals& cell : cells) {
    ExactTotals one;
    TotalsWindow window;
    window.add(cell, one);
    window.flush(one);
    merge(all, one);
  }
  merge(all, ExactTotals{});
  const auto t = rounded<PartialTotals>(all);
  CHECK(t.sums.conserved.density == 2.5);
  CHECK(t.sums.conserved.mu == 6);
  CHECK(t.sums.conserved.mv == 0.5);
  CHECK(t.min_density == 0.5);
  CHECK(t.min_pressure == cells[0].min_pressure);
  CHECK(t.max_mach2 == cells[0].max_mach2);
}

TEST_CASE("the totals of no cells are zero, with extrema that no cell has") {
  const auto t = rounded<PartialTotals>(ExactTotals{});
  CHECK(t.sums.conserved.density == 0);
  CHECK(t.min_density == std::numeric_limits<double>::infinity());
  CHECK(t.min_pressure == std::numeric_limits<double>::infinity());
  CHECK(t.max_mach2 == 0);
}

TEST_CASE("bits of numbers order like the numbers") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double numbers[] = {-infinity, -2, -1, -1e-310, 0, 1e-310, 1, 2, infinity};
  for (std::size_t n = 0; n < std::size(numbers); ++n) {
    CHECK(from_ordered_bits(ordered_bits(numbers[n])) == numbers[n]);
    CHECK(ordered_bits(numbers[n]) != 0);
    if (n > 0) CHECK(ordered_bits(numbers[n]) > ordered_bits(numbers[n - 1]));
  }
}

TEST_CASE("totals have the same bits however the mesh is cut") {
  const Mesh mesh{{13, 6, 5}, {0, 0, 0}, {1, 1, 1}};
  const Fields fields = random_cells(mesh, 2);
  const auto whole = rounded<PartialTotals>(totals_of_box(mesh, fields, {0, 0, 0}, mesh.cells));
  CHECK(whole.sums.scalar[1] > 0);
  for (int axis = 0; axis < 3; ++axis)
    for (int cut = 1; cut < mesh.cells[axis]; ++cut) {
      std::array<int, 3> begin{}, end = mesh.cells;
      begin[axis] = end[axis] = cut;
      ExactTotals parts = totals_of_box(mesh, fields, begin, mesh.cells);
      merge(parts, totals_of_box(mesh, fields, {0, 0, 0}, end));
      const auto t = rounded<PartialTotals>(parts);
      CHECK(std::memcmp(&t, &whole, sizeof t) == 0);
    }
}

TEST_CASE("scalars are added up where there are some") {
  for (const int fields : {kFields, kFields + 2}) {
    const Layout l(Mesh{{2, 1, 1}}, 1, fields);
    std::vector<float> u(l.values(), 1.0F);
    if (l.scalars() > 0) scalar(l, u.data(), 1, 0, 0, 0) = 0.25F;
    ExactTotals exact;
    add_row(exact, l, u.data(), 0, 0, {{1.4}}, nullptr, AxisTableViews<float>{});
    const auto t = rounded<PartialTotals>(exact);
    CHECK(t.sums.conserved.density == 2);
    CHECK(t.sums.scalar[0] == (l.scalars() > 0 ? 2 : 0));
    CHECK(t.sums.scalar[1] == (l.scalars() > 0 ? 1.25 : 0));
    CHECK(to_totals(t, {{2, 1, 1}, {0, 0, 0}, {1, 1, 1}}).scalar_mass[1] == 0.5 * t.sums.scalar[1]);
  }
}

TEST_CASE_TEMPLATE("a solver's totals are the integrals over the mesh, whatever the threads", Precision,
                   double, float) {
  constexpr bool is_double = sizeof(Precision) == 8;
  Problem problem;
  // The mesh has more cells a row than lanes, and cell volumes that are not 1.
  problem.mesh = {{70, 6, 5}, {0, 0, 0}, {7, 3, 1}};
  problem.boundary = {{{Boundary::outflow, Boundary::outflow},
                       {Boundary::outflow, Boundary::outflow},
                       {Boundary::outflow, Boundary::outflow}}};
  problem.scheme.precision =
      is_double ? halfstep::Precision::double_precision : halfstep::Precision::single_precision;
  const auto flow = make_case("riemann", problem.mesh, 1.4,
                              {{"position", 2.8},
                               {"left.density", 3.0},
                               {"left.velocity", std::vector<double>{2, -1, 0.5}},
                               {"left.pressure", 1.0},
                               {"right.density", 0.5},
                               {"right.velocity", std::vector<double>{0, 0, 0}},
                               {"right.pressure", 0.25}});
  const Fields ghosts = extended_initial_fields(*flow, problem.mesh, {{1.4}}, 3);
  const Fields interior = interior_of(ghosts, problem.mesh, 3);
  Totals first;
  for (int threads = 1; threads <= 3; ++threads) {
    const auto solver = make_host_solver(problem, threads);
    solver->set_state(interior, ghosts, 0);
    const Totals t = solver->totals();
    const double left = 2.8 * 3, right = 4.2 * 3, round_off = is_double ? 1e-14 : 1e-6;
    CHECK(t.mass == doctest::Approx(3 * left + 0.5 * right).epsilon(round_off));
    CHECK(t.momentum[0] == doctest::Approx(6 * left).epsilon(round_off));
    CHECK(t.momentum[1] == doctest::Approx(-3 * left).epsilon(round_off));
    CHECK(t.momentum[2] == doctest::Approx(1.5 * left).epsilon(round_off));
    CHECK(t.kinetic_energy == doctest::Approx(1.5 * 5.25 * left).epsilon(round_off));
    CHECK(t.energy == doctest::Approx((2.5 + 1.5 * 5.25) * left + 0.625 * right).epsilon(round_off));
    CHECK(t.min_density == 0.5);
    CHECK(t.min_pressure == doctest::Approx(0.25).epsilon(round_off));
    CHECK(t.max_mach == doctest::Approx(std::sqrt(5.25 * 3 / 1.4)).epsilon(round_off));
    if (threads == 1) first = t;
    CHECK(t.mass == first.mass);
    CHECK(t.energy == first.energy);
    CHECK(t.momentum == first.momentum);
  }
}

TEST_CASE("the enstrophy of the Taylor-Green vortex is known on any threads, and 0 unless asked for") {
  const double length = 2 * std::numbers::pi;
  for (const int n : {8, 20}) {
    CAPTURE(n);
    Problem problem;
    problem.mesh = {{n, n, n}, {0, 0, 0}, {length, length, length}};
    problem.boundary = {{{Boundary::periodic, Boundary::periodic},
                         {Boundary::periodic, Boundary::periodic},
                         {Boundary::periodic, Boundary::periodic}}};
    const auto flow = make_case("taylor_green", problem.mesh, 1.4);
    const Fields ghosts = extended_initial_fields(*flow, problem.mesh, {{1.4}}, 3);
    const auto enstrophy = [&](int threads) {
      const auto solver = make_host_solver(problem, threads);
      solver->set_state(interior_of(ghosts, problem.mesh, 3), ghosts, 0);
      return solver->totals().enstrophy;
    };
    CHECK(enstrophy(1) == 0);
    problem.enstrophy = true;
    // Cell averages of sines, and their differences, are the sines' own times these factors.
    const double h = length / n, mean = std::sin(0.5 * h) / (0.5 * h);
    const double slope = (8 * std::sin(h) - std::sin(2 * h)) / (6 * h);
    CHECK(enstrophy(1) ==
          doctest::Approx(0.375 * std::pow(length, 3) * std::pow(mean, 6) * slope * slope).epsilon(1e-13));
    CHECK(enstrophy(3) == enstrophy(1));
  }
}

TEST_CASE("a shear flow has the enstrophy of its shear along every pair of axes") {
  for (int across = 0; across < 3; ++across) {
    CAPTURE(across);
    Mesh mesh;
    mesh.cells[across] = 10;
    const Layout l(mesh, 2);
    std::vector<double> u(l.values(), 1.0);
    const int along = (across + 1) % 3;
    for (int n = -2; n < 12; ++n) {
      std::array<int, 3> at{};
      at[across] = n;
      Conserved<double> c{2, 0, 0, 0, 1};
      (along == 0 ? c.mu : along == 1 ? c.mv : c.mw) = 2 * 0.3 * n;  // velocity 0.3 a cell
      store(l, u.data(), at[0], at[1], at[2], c);
    }
    const double inverse_dx[3] = {10, 10, 10};
    CHECK(enstrophy_density(l, u.data(), 0, 0, 0, inverse_dx, AxisTableViews<double>{}) ==
          doctest::Approx(9).epsilon(1e-14));
  }
}

TEST_CASE("the totals of a stretched mesh are the integrals over it, and a linear shear has its enstrophy") {
  const Mesh mesh = stretched({{6, 5, 4}, {0, 0, 0}, {2, 3, 0.5}});
  const AxisTables<double> tables(mesh);
  const Layout l(mesh, 2, kFields + 1);
  std::vector<double> u(l.values(), 1.0);
  double mass = 0, momentum = 0, energy = 0, kinetic = 0, scalars = 0, enstrophy = 0;
  for (int k = -2; k < 6; ++k)
    for (int j = -2; j < 7; ++j)
      for (int i = -2; i < 8; ++i) {
        const double density = 1 + 0.1 * i * i + 0.2 * j + 0.3 * std::abs(k);
        const double speed = 3 * mesh.center(i, j, k)[1];
        const Conserved<double> c = to_conserved({density, speed, 0.0, 0.0, 2.0}, IdealGas<double>{1.4});
        store(l, u.data(), i, j, k, c);
        scalar(l, u.data(), 0, i, j, k) = 0.5 * density;
        if (!l.holds(i, j, k)) continue;
        const double own = volume(mesh.cell(i, j, k));
        mass += own * c.density, momentum += own * c.mu, energy += own * c.energy;
        kinetic += own * 0.5 * density * speed * speed, scalars += own * 0.5 * density;
        enstrophy += own * 0.5 * density * 9;
      }
  const InverseSpacing inverse(mesh);
  ExactTotals exact;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 5; ++j) add_row(exact, l, u.data(), j, k, {{1.4}}, &inverse, tables.views());
  const Totals t = to_totals(rounded<PartialTotals>(exact), mesh);
  CHECK(t.mass == doctest::Approx(mass).epsilon(1e-14));
  CHECK(t.momentum[0] == doctest::Approx(momentum).epsilon(1e-14));
  CHECK(t.energy == doctest::Approx(energy).epsilon(1e-14));
  CHECK(t.kinetic_energy == doctest::Approx(kinetic).epsilon(1e-14));
  CHECK(t.scalar_mass[0] == doctest::Approx(scalars).epsilon(1e-14));
  CHECK(t.enstrophy == doctest::Approx(enstrophy).epsilon(1e-13));
}

TEST_CASE("the cell that limits dt is that with the largest rate, and the first of the same") {
  CHECK(FastestCell::number(0) == -1);
  CHECK(FastestCell::key(0, 5) == 0);
  CHECK(FastestCell::number(FastestCell::key(3.5, 123456789012)) == 123456789012);
  CHECK(FastestCell::key(2, 7) > FastestCell::key(1.999, 3));
  CHECK(FastestCell::key(2, 3) > FastestCell::key(2, 7));
  CHECK(FastestCell::key(2.00001, 7) < FastestCell::key(2, 3));

  Problem problem;
  problem.mesh = {.cells = {4, 3, 2}};
  problem.scheme.reconstruction = Reconstruction::plm;
  const auto flow = make_case("riemann", problem.mesh, 1.4);
  const int layers = ghost_layers(problem.scheme.reconstruction);
  const Fields ghosts = extended_initial_fields(*flow, problem.mesh, {{1.4}}, layers);
  for (const int threads : {1, 3})
    for (const int hot : {17, 23, -1}) {
      Fields interior = interior_of(ghosts, problem.mesh, layers);
      for (int n = 0; n < 24; ++n) {
        const double values[] = {1, 0, 0, 0, n == hot ? 10.0 : 2.5};
        for (int f = 0; f < kFields; ++f) interior.field(f)[n] = values[f];
      }
      const auto solver = make_host_solver(problem, threads);
      solver->set_state(interior, ghosts, 0);
      CHECK(solver->totals().fastest_cell == std::max(hot, 0));
    }
}
