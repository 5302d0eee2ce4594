// The ladder of remedies with injected faults: each rung where it is needed, and its cost in accuracy.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "physics/diagnostics/totals.hpp"
#include "physics/recovery/floors.hpp"
#include "tests/support/run_case.hpp"

using namespace halfstep;

TEST_CASE("first-order fluxes get past a near vacuum where halving makes dt collapse") {
  CaseRun halving("near_vacuum", {"soft_error.on_exhausted=abort", "time.max_steps=3000"});
  halving.run();
  CHECK(halving.state.time < 0.5 * halving.limits.end);
  CHECK(halving.remedied.empty());

  CaseRun robust("toro_2", {});  // a solver that needs no remedy sets the number of steps
  robust.finish();
  CHECK(robust.rejections.empty());
  for (const char* reconstruction : {"weno5z", "ppm", "plm", "constant"})
    for (const char* variables : {"primitive", "characteristic"}) {
      CaseRun cured = finished("near_vacuum", {std::string("scheme.reconstruction=") + reconstruction,
                                               std::string("scheme.variables=") + variables});
      INFO((std::string(reconstruction) + " " + variables));
      CHECK(cured.remedied.size() > 0);
      CHECK(cured.state.step < robust.state.step * 5 / 4);
      CHECK(cured.rejections.size() < cured.steps.size() / 2);
      if (std::string(reconstruction) != "constant") CHECK(cured.error("density").l1 < 0.02);
    }
}

TEST_CASE("a step that is only too long is no reason for first-order fluxes") {
  const CaseRun sod = finished("sod", {"time.cfl=1e300"});
  CHECK(sod.rejections.size() > 8);
  CHECK(sod.error("density").l1 < 1.6e-3);  // a first-order scheme has 1.3e-2
  CHECK(finished("near_vacuum", {"time.cfl=1.5"}).error("density").l1 < 0.012);
}

TEST_CASE("what flows in faster than all there is inside sets every step") {
  CaseRun jet("jet", {"mesh.cells=[32,16,1]", "time.max_steps=20"});
  jet.run();
  REQUIRE(jet.steps.size() == 20);
  for (const StepPlan& step : jet.steps) CHECK(step.dt <= 0.4 / (800 * 32));
}

TEST_CASE("a vacuum that is meant to be one does not make dt collapse") {
  // The streams part faster than the gas can follow: 2 (c_l + c_r) / (gamma - 1) = 7.5.
  for (const char* speed : {"4", "6"}) {
    const std::string v = speed;
    const Overrides parting = {"case.left={density: 1, velocity: [-" + v + ", 0, 0], pressure: 0.4}",
                               "case.right={density: 1, velocity: [" + v + ", 0, 0], pressure: 0.4}",
                               "time.end=0.06"};
    CHECK(finished("near_vacuum", parting).state.step < finished("toro_2", parting).state.step * 5 / 4);
  }
}

TEST_CASE("first-order repairs conserve") {
  CaseRun run("near_vacuum", {"mesh.boundary.x=[periodic, periodic]"});
  const Totals before = run.solver->totals();
  run.finish();
  REQUIRE(run.remedied.size() > 0);
  const Totals after = run.solver->totals();
  CHECK(after.mass == doctest::Approx(before.mass).epsilon(1e-12));
  CHECK(after.energy == doctest::Approx(before.energy).epsilon(1e-12));
}

TEST_CASE("a remedy is about the cells of all attempts at its step, and of no step before") {
  CaseRun run("sod",
              {"time.dt=0.02", "inject={step: 1, stage: 1, cell: [30, 0, 0], kind: negative_pressure}"});
  Solver& solver = *run.solver;
  solver.resume(run.limits, run.state, run.rate);
  const auto fail = [&](const Attempt& attempt) {
    solver.launch(attempt);
    REQUIRE_FALSE(solver.await().accepted);
    solver.diagnose();
  };
  const auto corrected = [&](const Attempt& attempt) {
    solver.launch(attempt);
    const std::vector<std::uint8_t> flags = solver.get_progress().flags;
    solver.await();
    return flags;
  };
  fail({.epoch = 1, .step = 1, .number = 1});  // the fault strikes here, and the jump is too steep for dt
  fail({.epoch = 2, .step = 1, .number = 2});
  CHECK(solver.diagnosis().error.cell == std::array{127, 0, 0});
  const auto both = corrected({.epoch = 3, .step = 1, .number = 3, .remedy = Remedy::first_order});
  CHECK(both[30] == 1);
  CHECK(both[127] == 1);
  CHECK(both[31] == 0);
  run.begin_from(run.fields());
  solver.resume(run.limits, run.state, run.rate);
  fail({.epoch = 4, .step = 2, .number = 1});
  const auto one = corrected({.epoch = 5, .step = 2, .number = 2, .remedy = Remedy::first_order});
  CHECK(one[30] == 0);
}

TEST_CASE("a pressure below round-off needs floors, and nothing less will do") {
  for (const char* remedy : {"abort", "first_order"}) {
    CaseRun run("cold_stream", {std::string("soft_error.on_exhausted=") + remedy, "time.max_steps=1000"});
    run.run();
    INFO(std::string(remedy));
    CHECK(run.state.time < run.limits.end);
  }
  CaseRun floors = finished("cold_stream");
  FloorSums sum;
  for (const AttemptResult& verdict : floors.remedied) sum.cells += verdict.floored.cells;
  CHECK(sum.cells > 0);
  CHECK(floors.state.step < 1000);
  const Totals end = floors.solver->totals();
  CHECK(end.min_pressure > 0);
  CHECK(end.min_density > 0);
}

/// Returns the result of a step of length dt under floors, whatever its Courant number.
AttemptResult floored_step(CaseRun& run, double dt) {
  StepLimits limits = run.limits;
  limits.fixed_dt = dt;
  limits.cfl_limit = 0;
  run.solver->resume(limits, run.state, run.rate);
  run.solver->launch({.epoch = 1, .step = 1, .number = 2, .remedy = Remedy::floor, .wants_totals = true});
  const AttemptResult verdict = run.solver->await();
  REQUIRE(verdict.accepted);
  REQUIRE(verdict.totals);
  return verdict;
}

TEST_CASE("what floors add in mass and energy is what the totals gain") {
  for (const char* integrator : {"euler", "ssprk2", "ssprk3", "ssprk4"}) {
    CaseRun run("sod",
                {"mesh.boundary.x=[periodic, periodic]", "soft_error.floor={density: 0.2, pressure: 0.5}",
                 std::string("scheme.integrator=") + integrator});
    const Totals before = run.solver->totals();
    INFO(integrator);
    const AttemptResult verdict = floored_step(run, 1e-4);
    CHECK(verdict.floored.cells > 100);
    CHECK(verdict.totals->mass - before.mass == doctest::Approx(verdict.floored.mass).epsilon(1e-11));
    CHECK(verdict.totals->energy - before.energy == doctest::Approx(verdict.floored.energy).epsilon(1e-11));
    // Expects the floor's excess density times the width of the cells below it, but for the waves at the
    // ends.
    CHECK(verdict.floored.mass == doctest::Approx(0.5 * (0.2 - 0.125)).epsilon(0.05));
  }
}

TEST_CASE("what floors take in momentum is what the totals lose") {
  for (const char* integrator : {"euler", "ssprk2", "ssprk4"}) {
    CaseRun run("sod", {"mesh.boundary.x=[periodic, periodic]", "case.left.velocity=[0.3,0.2,-0.1]",
                        "case.right.velocity=[0.3,0.2,-0.1]", "scheme.riemann=roe",
                        std::string("scheme.integrator=") + integrator});
    const Totals before = run.solver->totals();
    INFO(integrator);
    const AttemptResult verdict = floored_step(run, 0.02);  // far too long: densities become negative
    for (int axis = 0; axis < 3; ++axis) {
      CHECK(verdict.floored.momentum[axis] != 0);
      CHECK(verdict.totals->momentum[axis] - before.momentum[axis] ==
            doctest::Approx(verdict.floored.momentum[axis]).epsilon(1e-10));
    }
  }
}

TEST_CASE("a detected fault that is redone with the same dt leaves no trace in the flow") {
  const Overrides blast = {"mesh.cells=[20,18,16]", "time.end=0.05", "soft_error.redo=same_dt",
                           "soft_error.spike={field: pressure, limit: 0, factor: 30}"};
  const auto computed = [](const Overrides& overrides) {
    CaseRun run("sedov_3d", overrides);
    run.wants_totals = true;
    run.finish();
    return run;
  };
  const CaseRun clean = computed(blast);
  CHECK(clean.rejections.empty());
  for (const char* kind : {"negative_density", "negative_pressure", "not_finite", "spike"})
    for (const char* stage : {"1", "2"}) {
      const CaseRun run = computed(with(blast, {std::string("inject={step: 4, stage: ") + stage +
                                                ", cell: [10, 9, 8], kind: " + kind + "}"}));
      INFO((std::string(kind) + ", stage " + stage));
      REQUIRE(run.rejections.size() == 1);
      const Rejection& rejection = run.rejections.front();
      CHECK(rejection.step == 3);
      CHECK(rejection.error.stage == std::stoi(stage));
      CHECK(rejection.error.cell == std::array{10, 9, 8});
      CHECK(name_of(rejection.error.kind) == kind);
      CHECK_FALSE(rejection.replay.reproduced);  // reported as a transient fault
      CHECK(identical(run.fields(), clean.fields()));
      REQUIRE(run.totals.size() == clean.totals.size());
      for (std::size_t n = 0; n < run.totals.size(); ++n) REQUIRE((run.totals[n] == clean.totals[n]));
      REQUIRE(run.steps.size() == clean.steps.size());
      for (std::size_t n = 0; n < run.steps.size(); ++n) REQUIRE(run.steps[n].dt == clean.steps[n].dt);
    }
}

TEST_CASE("a fault is redone with half of dt where the deck says so, and strikes but once") {
  const CaseRun run =
      finished("sod", {"inject={step: 10, stage: 3, cell: [100, 0, 0], kind: not_finite, field: energy}"});
  REQUIRE(run.rejections.size() == 1);
  CHECK(run.rejections.front().dt == 2 * run.steps[9].dt);
  CHECK(run.error("density").l1 < 1.8e-3);
}
