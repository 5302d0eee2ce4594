// Walls that bear the gas's weight: nothing passes them but pressure, whatever the scheme.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>

#include "physics/diagnostics/totals.hpp"
#include "tests/support/given_flow.hpp"
#include "tests/support/with_reactant.hpp"

using namespace halfstep;

namespace {

const std::string kAxes = "xyz";

/// Returns a box with walls of one kind across an axis, on which gas of unit temperature rests.
Overrides closed_box(int axis, const std::string& wall, const std::string& cells, double gravity) {
  std::string pull[3] = {"0", "0", "0"};
  pull[axis] = std::to_string(gravity);
  return {"mesh.cells=" + cells, "mesh.boundary." + kAxes.substr(axis, 1) + "=[" + wall + "," + wall + "]",
          "gravity=[" + pull[0] + "," + pull[1] + "," + pull[2] + "]",
          std::string("gas.viscosity=") + (wall == "no_slip" ? "1e-4" : "0")};
}

/// Returns the averages of gas at rest with unit temperature, with density and pressure exp(-gravity height).
StateOfCell isothermal(int axis, double gravity) {
  return [=](const Box& cell) -> Primitive<double> {
    const double a = std::exp(-gravity * cell.lower[axis]), b = std::exp(-gravity * cell.upper[axis]);
    const double mean = (a - b) / (gravity * cell.width(axis));
    return {mean, 0, 0, 0, mean};
  };
}

/// Returns waves along x and y, at rest nowhere.
Primitive<double> waves(const Box& cell) {
  const double tau = 2 * std::acos(-1.0), x = tau * cell.center(0), y = tau * cell.center(1);
  return {1 + 0.3 * std::sin(x + 1) * std::cos(y), 0.4 * std::sin(x + 2 * y), 0.5 * std::cos(x) + 0.2,
          0.3 * std::sin(y + x), 1 + 0.4 * std::cos(x + y)};
}

double relative(double after, double before) { return std::abs(after / before - 1); }

}  // namespace

TEST_CASE("a closed column keeps its mass for thousands of steps, by every scheme, along every axis") {
  int n = 0;
  for (const char* riemann : {"rusanov", "hll", "hllc", "lhllc", "roe"})
    for (const char* reconstruction : {"constant", "plm", "ppm", "weno5z"})
      for (const char* wall : {"reflecting", "no_slip"}) {
        const int axis = n++ % 3;
        INFO((std::string(riemann) + ", " + reconstruction + ", " + wall + " across " + kAxes[axis]));
        std::array<std::string, 3> cells = {"1", "1", "1"};
        cells[axis] = "32";
        Overrides deck = closed_box(axis, wall, "[" + cells[0] + "," + cells[1] + "," + cells[2] + "]", -4);
        for (const std::string& more :
             {std::string("scheme.riemann=") + riemann,
              std::string("scheme.reconstruction=") + reconstruction, std::string("time.end=1e9")})
          deck.push_back(more);
        CaseRun run = run_from(isothermal(axis, 4), deck);
        const double before = run.solver->totals().mass;
        run.run(3000);
        CHECK(run.state.step == 3000);
        CHECK(relative(run.solver->totals().mass, before) < 1e-13);
      }
}

TEST_CASE("in single precision a closed column keeps its mass as well as its sums are known") {
  Overrides deck = closed_box(0, "reflecting", "[32,1,1]", -4);
  for (const char* more : {"scheme.precision=single", "time.end=1e9"}) deck.push_back(more);
  CaseRun run = run_from(isothermal(0, 4), deck);
  const double before = run.solver->totals().mass;
  run.run(3000);
  CHECK(relative(run.solver->totals().mass, before) < 1e-5);
}

TEST_CASE("in a closed box energy changes by gravity's work alone, and nothing drags along its walls") {
  const Overrides schemes[] = {
      {},
      {"scheme.averages=fourth_order"},
      {"positivity=hu_adams_shu"},
      {"scheme.averages=fourth_order", "scheme.reconstruction=ppm", "scheme.riemann=rusanov"},
      {"scheme.riemann=hll", "scheme.reconstruction=plm"}};
  for (const Overrides& scheme : schemes)
    for (const bool closed_across_x : {false, true}) {
      INFO((scheme.empty() ? std::string("weno5z") : scheme[0]));
      Overrides deck = closed_box(1, "reflecting", "[24,16,1]", -2);
      deck.push_back("scheme.integrator=euler");
      if (closed_across_x) {
        deck.push_back("mesh.boundary.x=[reflecting,reflecting]");
        deck.push_back("gravity=[1.5,-2,0]");
      }
      deck.insert(deck.end(), scheme.begin(), scheme.end());
      CaseRun run = run_from(waves, deck);
      for (int step = 0; step < 20; ++step) {
        const Totals before = run.solver->totals();
        const double dt = 2e-3;
        REQUIRE(run.attempt(dt, 0).accepted);
        const Totals after = run.solver->totals();
        const double work = dt * (-2 * before.momentum[1] + (closed_across_x ? 1.5 * before.momentum[0] : 0));
        CHECK(relative(after.mass, before.mass) < 1e-14);
        CHECK(std::abs(after.energy - before.energy - work) < 1e-14 * before.energy);
        CHECK(std::abs(after.momentum[2] - before.momentum[2]) < 1e-14);
        if (!closed_across_x) CHECK(std::abs(after.momentum[0] - before.momentum[0]) < 1e-14);
      }
    }
}

TEST_CASE("a closed box keeps its mass through first-order faces on its walls") {
  CaseRun run("uniform", {"mesh.cells=[100,1,1]", "mesh.boundary.x=[reflecting,reflecting]",
                          "gravity=[-1,0,0]", "case.velocity=[9,0,0]", "scheme.riemann=roe", "time.end=0.1",
                          "output.every=0", "soft_error.on_exhausted=first_order"});
  const double before = run.solver->totals().mass;
  run.finish();
  CHECK(!run.remedied.empty());
  bool on_a_wall = false;
  for (const Rejection& rejection : run.rejections) {
    on_a_wall |= rejection.error.cell[0] == 0;
    CHECK(rejection.replay.reproduced);
  }
  CHECK(on_a_wall);
  CHECK(relative(run.solver->totals().mass, before) < 1e-13);
}

TEST_CASE("no reactant passes a closed wall") {
  Overrides deck = closed_box(1, "reflecting", "[1,32,1]", -4);
  deck.push_back("time.end=2");
  CaseRun run(with_reactant("uniform", deck, reactant_above(0.5, 1)));
  const double before = run.solver->totals().scalar_mass[0];
  run.finish();
  CHECK(relative(run.solver->totals().scalar_mass[0], before) < 1e-13);
}
