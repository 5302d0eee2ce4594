// Budgets: what comes in through sides, by forces and by sources explains the change of the totals to
// round-off, whatever the scheme, the remedies and the threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/output/budget_table.hpp"
#include "tests/support/given_flow.hpp"

using namespace halfstep;

namespace {

/// A deck with what it must have met on its way.
struct Flow {
  std::string deck;
  Overrides overrides;
  bool has_remedies = false, has_floors = false;
};

const std::string kPuff = "gas.second={\"gamma\": 1.2, \"fraction\": \"y>0\"}";
const std::string kSponge =
    "sponges=[{shape: half_space, point: [0.7, 0, 0], normal: x, rate: 30, target: {density: 1, velocity: "
    "[1, "
    "0, 0], pressure: 1}}]";

const std::vector<Flow> kFlows = {
    {"shu_osher", {"mesh.cells=[100,1,1]"}},
    {"double_mach", {"mesh.cells=[60,15,1]", "time.end=0.05"}},
    // Walls that bear the gas's weight, with every term that crosses them.
    {"rayleigh_taylor",
     {"mesh.cells=[16,32,1]", "time.end=0.3", "scheme.averages=fourth_order", "gas.viscosity=1e-3",
      "scheme.viscous_order=4"}},
    {"rayleigh_taylor", {"mesh.cells=[16,32,1]", "time.end=0.3", "scheme.riemann=hllc", kPuff}},
    {"channel", {"mesh.cells=[16,8,1]", "time.end=1", "scheme.averages=fourth_order", "gas.viscosity=1e-2"}},
    {"boundary_layer", {"mesh.cells=[16,12,1]", "time.end=0.05"}},
    {"kelvin_helmholtz",
     {"mesh.cells=[24,24,1]", "time.end=0.1", "gas.viscosity=1e-3", "gravity=[0.1,-0.2,0]",
      "driving={pressure_gradient: [-0.1, 0.2, 0], acceleration: 2, waves: 3}"}},
    {"kelvin_helmholtz",
     {"mesh.cells=[24,24,1]", "time.end=0.1", "mesh.boundary.y=[no_slip,outflow]", "gas.viscosity=1e-3",
      "driving.pressure_gradient=[-0.1, 0, 0]", "gravity=[0.1,-0.2,0]"}},
    {"detonation", {"mesh.cells=[200,1,1]", "time.end=0.3", kSponge}},
    {"strong_blast", {"positivity=hu_adams_shu"}},
    {"near_vacuum", {"mesh.cells=[50,1,1]", "scheme.averages=fourth_order"}, true},
    {"near_vacuum",
     {"mesh.cells=[50,1,1]", "gas.viscosity=1e-8", "gravity=[0.1,0,0]", "mesh.boundary.x=reflecting"},
     true},
    {"sod",
     {"mesh.cells=[50,1,1]", "soft_error.on_exhausted=floor", "soft_error.max_halvings=0",
      "soft_error.floor.density=0.2",
      "inject={step: 20, stage: 2, cell: [10, 0, 0], kind: negative_density}"},
     true},
    {"cold_stream",
     {"soft_error.on_exhausted=floor", "soft_error.max_halvings=0", "time.max_steps=60"},
     true,
     true},
};

CaseRun run_of(const Flow& flow, int threads = 1) {
  CaseRun run(flow.deck, with({"output.budgets=true"}, flow.overrides), threads);
  return run;
}

double largest(const Drift& drift) {
  double most = std::max(std::abs(drift.mass), std::abs(drift.energy));
  for (const double momentum : drift.momentum) most = std::max(most, std::abs(momentum));
  return most;
}

}  // namespace

TEST_CASE("the budget explains the change of the totals to round-off") {
  for (const Flow& flow : kFlows) {
    CaseRun run = run_of(flow);
    CAPTURE(flow.deck);
    CAPTURE(flow.overrides);
    const Totals before = run.solver->totals();
    run.finish();
    const Totals after = run.solver->totals();
    const bool is_single = run.config.problem.scheme.precision == Precision::single_precision;
    CHECK(largest(drift_of(before, after, {run.budget, run.floored, run.sponged})) <
          (is_single ? 1e-6 : 2e-14));
    CHECK(largest(drift_of(before, after, {})) > (is_single ? 1e-3 : 1e-9));
    CHECK(run.remedied.empty() != flow.has_remedies);
    CHECK((run.floored.cells > 0) == flow.has_floors);
  }
}

TEST_CASE("the budget has the same bits on any threads, and nothing else changes for it") {
  for (const Flow& flow : kFlows) {
    CAPTURE(flow.deck);
    CaseRun one = run_of(flow), three = run_of(flow, 3),
            without(flow.deck, with(flow.overrides, {"output.budgets=false"}));
    for (CaseRun* run : {&one, &three, &without}) run->run(25);
    CHECK(identical(one.budget, three.budget));
    CHECK(identical(one.fields(), without.fields()));
    CHECK(identical(without.budget, Budget{}));
  }
}

TEST_CASE("what comes in is told by its way: a stream by its sides, weight by gravity, heat by the source") {
  // A uniform stream: the sides carry it in and out again, with its pressure.
  CaseRun stream("uniform", {"output.budgets=true",
                             "mesh={cells: [8, 6, 1], upper: [2, 1, 1], boundary: {x: outflow, y: outflow}}",
                             "case.velocity=[0.5,0,0]", "time.end=0.4"});
  const Totals totals = stream.solver->totals();
  const double density = totals.mass / 2, momentum = 0.5 * density;
  stream.finish();
  const auto& [lower, upper] = stream.budget.sides[0];
  CHECK(lower.density == doctest::Approx(0.4 * momentum).epsilon(1e-13));
  CHECK(upper.density == doctest::Approx(-0.4 * momentum).epsilon(1e-13));
  CHECK(lower.energy == doctest::Approx(-upper.energy).epsilon(1e-13));
  CHECK(stream.budget.sides[1][0].mv == doctest::Approx(-stream.budget.sides[1][1].mv).epsilon(1e-13));
  CHECK(stream.budget.sides[1][0].density == 0);
  CHECK(stream.budget.sides[2][0].mw == 0);

  CaseRun fall("uniform", {"output.budgets=true", "mesh.cells=[6,6,1]", "gravity=[0,-2,0]", "time.end=0.3"});
  const double mass = fall.solver->totals().mass;
  fall.finish();
  CHECK(fall.budget.forces.mv == doctest::Approx(-0.6 * mass).epsilon(1e-13));
  CHECK(fall.budget.forces.density == 0);

  CaseRun cools("cooling_box", {"output.budgets=true"});
  const double energy = cools.solver->totals().energy;
  cools.finish();
  CHECK(cools.budget.sources.energy ==
        doctest::Approx(cools.solver->totals().energy - energy).epsilon(1e-13));
}
