// Sums and extrema over cells.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "physics/cases/initial_state.hpp"
#include "physics/diagnostics/sums.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/solver/solver.hpp"
#include "tests/support/make_case.hpp"

using namespace halfstep;

TEST_CASE("a cell adds its densities, and its extrema count") {
  const IdealGas<double> gas{1.4};
  PartialTotals t;
  add_cell(t, to_conserved({2.0, 3.0, 0.0, -4.0, 5.0}, gas), 1.4);
  CHECK(t.density == 2);
  CHECK(t.mu == 6);
  CHECK(t.mv == 0);
  CHECK(t.mw == -8);
  CHECK(t.kinetic_energy == doctest::Approx(25).epsilon(1e-15));
  CHECK(t.energy == doctest::Approx(5 / 0.4 + 25).epsilon(1e-15));
  CHECK(t.min_density == 2);
  CHECK(t.min_pressure == doctest::Approx(5).epsilon(1e-14));
  CHECK(std::sqrt(t.max_mach2) == doctest::Approx(5 / std::sqrt(1.4 * 5 / 2)).epsilon(1e-14));
}

TEST_CASE("merging adds sums and keeps extrema") {
  const IdealGas<double> gas{1.4};
  PartialTotals a, b;
  add_cell(a, to_conserved({2.0, 3.0, 0.0, 0.0, 5.0}, gas), 1.4);
  add_cell(b, to_conserved({0.5, 0.0, 1.0, 0.0, 9.0}, gas), 1.4);
  const double mach2 = a.max_mach2;
  merge(a, b);
  CHECK(a.density == 2.5);
  CHECK(a.mu == 6);
  CHECK(a.mv == 0.5);
  CHECK(a.min_density == 0.5);
  CHECK(a.min_pressure == doctest::Approx(5).epsilon(1e-14));
  CHECK(a.max_mach2 == mach2);
  merge(a, PartialTotals{});  // the totals of no cells
  CHECK(a.density == 2.5);
  CHECK(a.min_density == 0.5);
}

TEST_CASE("scalars are added up where there are some") {
  for (const int fields : {kFields, kFields + 2}) {
    const Layout l(Mesh{{2, 1, 1}}, 1, fields);
    std::vector<float> u(l.values(), 1.0F);
    if (l.scalars() > 0) scalar(l, u.data(), 1, 0, 0, 0) = 0.25F;
    PartialTotals a, b;
    add_cell(a, l, u.data(), 0, 0, 0, 1.4);
    add_cell(b, l, u.data(), 1, 0, 0, 1.4);
    merge(a, b);
    CHECK(a.density == 2);
    CHECK(a.scalar[0] == (l.scalars() > 0 ? 2 : 0));
    CHECK(a.scalar[1] == (l.scalars() > 0 ? 1.25 : 0));
    CHECK(to_totals(a, {{2, 1, 1}, {0, 0, 0}, {1, 1, 1}}).scalar_mass[1] == 0.5 * a.scalar[1]);
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
  const Fields ghosts = extended_initial_fields(*flow, problem.mesh, {1.4}, 3);
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
    const Fields ghosts = extended_initial_fields(*flow, problem.mesh, {1.4}, 3);
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
    CHECK(enstrophy_density(l, u.data(), 0, 0, 0, inverse_dx) == doctest::Approx(9).epsilon(1e-14));
  }
}
