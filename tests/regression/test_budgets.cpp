// Budgets: what comes in through sides, by forces and by sources explains the change of the totals to
// round-off, on any threads.
#include <doctest/doctest.h>

#include "tests/support/budgets.hpp"

using namespace halfstep;

TEST_CASE("the budget explains the change of the totals to round-off") { check_that_budgets_explain("host"); }

TEST_CASE("steady viscous flows drift by less than 1e-5 in single precision, in thousands of steps") {
  // What a step adds to them is less than half a unit in the last place of a cell.
  for (const char* deck : {"couette", "poiseuille"}) {
    CAPTURE(deck);
    CaseRun run(deck, {"output.budgets=true", "scheme.precision=single"});
    const Totals before = run.solver->totals();
    run.finish();
    CHECK(run.state.step > 6000);
    CHECK(largest(drift_of(before, run.solver->totals(), {run.budget, run.floored, run.sponged})) < 1e-5);
  }
}

TEST_CASE("the budget has the same bits on any threads, and nothing else changes for it") {
  for (const Flow& flow : kFlows) {
    CAPTURE(flow.deck);
    const Overrides budgets = with({"output.budgets=true"}, flow.overrides);
    CaseRun one(flow.deck, budgets), three(flow.deck, budgets, 3),
        without(flow.deck, with(flow.overrides, {"output.budgets=false"}));
    for (CaseRun* run : {&one, &three, &without}) run->run(25);
    CHECK(identical(one.budget, three.budget));
    CHECK(identical(one.fields(), without.fields()));
    CHECK(identical(without.budget, Budget{}));
  }
}

TEST_CASE("a wall of curved elements brings in the reverse of its loads, a far field the rest") {
  for (const char* degree : {"1", "2", "4"}) {
    CAPTURE(degree);
    // In one step of Euler's method, to round-off; the wall heats the gas.
    CaseRun run("cylinder_elements",
                {"output.budgets=true", "mesh.cells=[3,8,1]", "scheme.integrator=euler", "time.cfl=0.1",
                 "wall.temperature_lower=40", std::string("scheme.degree=") + degree});
    run.run(30);
    const Totals before = run.solver->totals();
    const Budget earlier = run.budget;
    const double time = run.state.time;
    run.run(31);
    const Totals after = run.solver->totals();
    const double dt = run.state.time - time;
    const Conserved<double> by_wall = run.budget.sides[0][0] - earlier.sides[0][0],
                            by_far_field = run.budget.sides[0][1] - earlier.sides[0][1];
    const BodyLoads& load = before.loads[0];
    const double by_force[] = {-dt * (load.pressure_force[0] + load.friction_force[0]),
                               -dt * (load.pressure_force[1] + load.friction_force[1])};
    CHECK(std::abs(load.heat) > 0.01);
    CHECK(std::abs(by_force[1]) > 1e-6);
    CHECK(std::abs(by_wall.mu - by_force[0]) < 1e-10 * std::abs(by_force[0]));
    CHECK(std::abs(by_wall.mv - by_force[1]) < 1e-10 * std::abs(by_force[0]));
    CHECK(std::abs(by_wall.energy + dt * load.heat) < 1e-10 * std::abs(dt * load.heat));
    CHECK(std::abs(by_wall.density) < 1e-14 * before.mass);
    CHECK(std::abs(by_far_field.density) > 5e-14 * before.mass);
    CHECK(std::abs(after.mass - before.mass - by_far_field.density) < 1e-14 * before.mass);
    CHECK(std::abs(after.energy - before.energy - by_wall.energy - by_far_field.energy) <
          1e-14 * before.energy);
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

  // At rest: nothing passes a body, and its parts balance but for the pressure on what is not closed.
  CaseRun rest("uniform", {"output.budgets=true", "mesh.cells=[20,18,1]", "case.velocity=[0,0,0]", kBall,
                           "time.end=0.1"});
  rest.finish();
  CHECK(rest.budget.bodies.density == 0);
  CHECK(rest.budget.bodies.energy == 0);
  CHECK(std::abs(rest.budget.bodies.mu) < 1e-15);

  // In a steady stream the momentum that a body takes is its force.
  CaseRun cylinder("cylinder_mach3", {"output.budgets=true", "mesh.cells=[45,60,1]", "time.end=2"});
  cylinder.finish();
  const double before = cylinder.budget.bodies.mu,
               force = cylinder.solver->totals().loads[0].pressure_force[0];
  cylinder.limits.end = 2.2;
  cylinder.finish();
  CHECK(before - cylinder.budget.bodies.mu == doctest::Approx(0.2 * force).epsilon(0.02));

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
