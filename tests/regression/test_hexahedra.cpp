// Flux reconstruction in curved elements: what stays, orders, sides, viscous terms, the ladder, and the same
// bits however a run is made.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/support/difference.hpp"

using namespace halfstep;

namespace {

constexpr const char* kForms[] = {"scheme.dealiasing=none", "scheme.dealiasing=split_form",
                                  "scheme.dealiasing=over_integration"};

Overrides bent(int degree, int order, const Overrides& more = {}) {
  return with({"scheme.method=flux_reconstruction", "scheme.degree=" + std::to_string(degree),
               "mesh.map={kind: bend, amplitude: 0.05}", "mesh.order=" + std::to_string(order)},
              more);
}

/// Sod's tube across bent elements, whose shock needs the ladder.
Overrides tube(const std::string& rung, const Overrides& more = {}) {
  return with(bent(3, 3,
                   {"mesh.cells=[16,3,1]", "mesh.boundary={x: outflow, y: reflecting, z: outflow}",
                    "soft_error.on_exhausted=" + rung}),
              more);
}

void check_conserved(const Totals& before, const Totals& after) {
  CHECK(after.mass == doctest::Approx(before.mass).epsilon(1e-13));
  CHECK(after.energy == doctest::Approx(before.energy).epsilon(1e-13));
  for (int axis = 0; axis < 3; ++axis)
    CHECK(std::abs(after.momentum[axis] - before.momentum[axis]) < 1e-12 * before.energy);
}

}  // namespace

TEST_CASE("a free stream stays in bent elements of every order, in two and three dimensions") {
  for (const char* dealiasing : kForms)
    for (int order = 1; order <= 4; ++order)
      for (const char* cells : {"mesh.cells=[3,4,1]", "mesh.cells=[3,2,2]"})
        for (const std::string precision : {"double", "single"}) {
          CaseRun run =
              stepped(10, "uniform", bent(3, order, {cells, "scheme.precision=" + precision, dealiasing}));
          CAPTURE(dealiasing);
          CAPTURE(order);
          CAPTURE(cells);
          REQUIRE(run.state.step == 10);
          for (const char* field : {"density", "velocity", "pressure"})
            CHECK(run.error(field).linf < (precision == "double" ? 5e-14 : 5e-5));
        }
}

TEST_CASE("a vortex in bent elements converges with order degree + 1") {
  for (const char* dealiasing : kForms)
    for (int degree = 2; degree <= 4; ++degree) {
      const auto error = [&](int n) {
        const double dt = 0.01 * std::pow(6.0 / n, (degree + 1) / 3.0);
        return finished("isentropic_vortex",
                        bent(degree, 4,
                             {"mesh.cells=[" + std::to_string(n) + "," + std::to_string(n) + ",1]",
                              "mesh.lower=[-7,-7,0]", "mesh.upper=[7,7,1]", "time.end=0.2",
                              "time.dt=" + std::to_string(dt), dealiasing}))
            .error("density")
            .l2;
      };
      CAPTURE(degree);
      CAPTURE(dealiasing);
      const double coarse = error(14), fine = error(28);
      CHECK(std::log2(coarse / fine) == doctest::Approx(degree + 1).epsilon(0.35 / (degree + 1)));
    }
}

TEST_CASE("bent elements conserve between walls and across periodic sides, with and without viscosity") {
  for (const char* viscosity : {"gas.viscosity=0", "gas.viscosity=0.01"})
    for (const char* boundary : {"mesh.boundary={x: periodic, y: periodic, z: periodic}",
                                 "mesh.boundary={x: reflecting, y: reflecting, z: reflecting}"})
      for (const char* dealiasing : kForms) {
        CaseRun run("taylor_green", bent(3, 2, {"mesh.cells=[3,3,2]", viscosity, boundary, dealiasing}));
        const Totals before = run.solver->totals();
        run.run(8);
        CAPTURE(viscosity);
        CAPTURE(boundary);
        CAPTURE(dealiasing);
        REQUIRE(run.state.step == 8);
        Totals after = run.solver->totals();
        if (std::string(boundary).find("reflecting") != std::string::npos) after.momentum = before.momentum;
        check_conserved(before, after);
      }
}

TEST_CASE("turbulence that 12^3 points do not resolve stops collocated fluxes, not those without aliasing") {
  const auto end = [](const std::string& dealiasing) {
    CaseRun run("taylor_green", bent(5, 4,
                                     {"mesh.cells=[2,2,2]", "gas.viscosity=0", "scheme.riemann=roe",
                                      "time.end=10", "time.cfl=0.8", "soft_error.max_halvings=3",
                                      "soft_error.on_exhausted=abort", "scheme.dealiasing=" + dealiasing}));
    return run.run();
  };
  CHECK(end("none") == DriveEnd::exhausted);
  CHECK(end("split_form") == DriveEnd::finished);
  CHECK(end("over_integration") == DriveEnd::finished);
}

TEST_CASE("viscous flow in bent elements converges: Couette's, between isothermal walls") {
  const auto error = [](int n) {
    return finished("couette", bent(2, 4,
                                    {"mesh.cells=[" + std::to_string(n) + "," + std::to_string(n) + ",1]",
                                     "time.end=0.5"}))
        .error("velocity")
        .l2;
  };
  const double coarse = error(4), fine = error(8);
  CAPTURE(coarse);
  CAPTURE(fine);
  CHECK(std::log2(coarse / fine) > 2.7);
}

TEST_CASE("a shear wave in viscous elements does not grow") {
  // With a face's own lifting counted once it grows from round-off.
  CaseRun run("kelvin_helmholtz", bent(2, 2, {"mesh.cells=[8,8,1]", "gas.viscosity=0.05", "time.end=0.6"}));
  const double before = run.solver->totals().kinetic_energy;
  run.finish();
  CHECK(run.solver->totals().kinetic_energy < 0.7 * before);
}

TEST_CASE("each rung of the ladder acts in bent elements") {
  const auto finish = [](const std::string& rung, const Overrides& more) {
    CaseRun run("sod_elements", tube(rung, with({"mesh.cells=[32,3,1]"}, more)));
    run.finish();
    CAPTURE(rung);
    CHECK(run.rejections.size() > 0);
    for (const Rejection& rejection : run.rejections) CHECK(rejection.replay.reproduced);
    Remedy last = Remedy::none;
    for (const AttemptResult& step : run.remedied) last = std::max(last, step.remedy);
    return last;
  };
  const Overrides blast = {"case.left={density: 1, velocity: [0,0,0], pressure: 1000}",
                           "case.right={density: 1, velocity: [0,0,0], pressure: 0.01}",
                           "soft_error.max_halvings=2", "time.end=0.01"};
  CHECK(finish("scaling", {}) == Remedy::scaling);
  CHECK(finish("first_order", blast) == Remedy::first_order);
}

TEST_CASE("an injected fault in a curved element is found, at its point") {
  CaseRun run("isentropic_vortex",
              bent(3, 3,
                   {"mesh.cells=[5,4,1]", "time.max_steps=6",
                    "inject={step: 3, stage: 2, cell: [7, 9, 0], kind: negative_density}"}));
  run.run();
  REQUIRE(run.rejections.size() == 1);
  CHECK(run.rejections[0].error.kind == SoftErrorKind::negative_density);
  CHECK(run.rejections[0].error.cell == std::array<int, 3>{7, 9, 0});
  CHECK_FALSE(run.rejections[0].replay.reproduced);
}

TEST_CASE("curved elements have the same bits with any threads, in slices and under remedies") {
  for (const char* dealiasing : kForms) {
    const Overrides one = tube(
        "first_order", {"time.max_steps=25", "gas.viscosity=1e-4", dealiasing, "soft_error.max_halvings=1",
                        "case.left={density: 1, velocity: [0,0,0], pressure: 1000}"});
    CAPTURE(dealiasing);
    CaseRun whole("sod_elements", one, 1);
    whole.run();
    CHECK(whole.remedied.size() > 0);
    for (const Rejection& rejection : whole.rejections) CHECK(rejection.replay.reproduced);
    const Fields expected = whole.fields();
    for (const int threads : {2, 3}) {
      CaseRun run("sod_elements", one, threads);
      run.run();
      CHECK(run.fields().conserved == expected.conserved);
    }
    CaseRun sliced("sod_elements",
                   with(one, {"interruptible.enabled=true", "interruptible.launch_budget_ms=0.02"}));
    sliced.run();
    CHECK(sliced.fields().conserved == expected.conserved);
  }
}

TEST_CASE("straight elements flow as those of a map that bends nothing") {
  const auto run_with = [](const std::string& map) {
    CaseRun run(
        "taylor_green",
        bent(3, 2, {"mesh.map=" + map, "mesh.cells=[4,3,2]", "gas.viscosity=0.01", "time.max_steps=10"}));
    run.run();
    return run;
  };
  CHECK(difference(run_with("straight"), run_with("{kind: bend, amplitude: 0}")) < 1e-12);
}

TEST_CASE("an annulus between walls keeps mass and energy, and a stream leaves through far fields") {
  CaseRun ring("kelvin_helmholtz",
               {"scheme.method=flux_reconstruction", "scheme.degree=3", "mesh.cells=[3,12,1]",
                "mesh.map={kind: annulus, inner: 1, outer: 2}", "mesh.order=3",
                "mesh.boundary={x: reflecting, y: periodic, z: periodic}"});
  const Totals before = ring.solver->totals();
  ring.run(10);
  REQUIRE(ring.state.step == 10);
  CHECK(ring.solver->totals().mass == doctest::Approx(before.mass).epsilon(1e-13));
  CHECK(ring.solver->totals().energy == doctest::Approx(before.energy).epsilon(1e-13));

  const std::string far = "{kind: far_field, density: 1, velocity: [1, 0.5, 0], pressure: 1}";
  CaseRun stream("uniform",
                 {"scheme.method=flux_reconstruction", "scheme.degree=2", "case.velocity=[1,0.5,0]",
                  "mesh.cells=[3,12,1]", "mesh.map={kind: annulus, inner: 1, outer: 2}", "mesh.order=2",
                  "mesh.boundary={x: " + far + ", y: periodic, z: periodic}"});
  stream.run(10);
  CHECK(stream.error("velocity").linf < 1e-12);
}

TEST_CASE("walls of bent elements bear the pressure of a gas at rest") {
  for (const char* cells : {"mesh.cells=[3,4,1]", "mesh.cells=[2,3,2]"}) {
    CaseRun run("uniform", bent(3, 3,
                                {cells, "case.velocity=[0,0,0]", "case.pressure=2", "mesh.upper=[2,3,1]",
                                 "mesh.boundary={x: reflecting, y: reflecting, z: reflecting}"}));
    const std::vector<BodyLoads> loads = run.solver->totals().loads;
    const int axes = static_cast<int>(loads.size()) / 2;
    REQUIRE(axes == (std::string(cells).find(",1]") != std::string::npos ? 2 : 3));
    const double areas[3] = {3, 2, 6};
    for (int wall = 0; wall < 2 * axes; ++wall)
      for (int c = 0; c < 3; ++c) {
        CAPTURE(wall);
        const double expected = c == wall / 2 ? (wall % 2 == 0 ? -2 : 2) * areas[wall / 2] : 0;
        CHECK(loads[wall].pressure_force[c] == doctest::Approx(expected).epsilon(1e-13));
        CHECK(std::abs(loads[wall].friction_force[c]) < 1e-13);
      }
    // About the origin: the middle of a wall is its arm.
    CHECK(loads[1].moment[2] == doctest::Approx(-1.5 * 6).epsilon(1e-13));
    CHECK(loads[3].moment[2] == doctest::Approx(1.0 * 4).epsilon(1e-13));
  }
}

TEST_CASE("walls of bent elements feel the friction of Couette's flow") {
  CaseRun run("couette", bent(3, 3, {"mesh.cells=[4,4,1]", "time.max_steps=200"}), 2);
  run.run();
  const std::vector<BodyLoads> loads = run.solver->totals().loads;
  REQUIRE(loads.size() == 2);  // along x it is periodic
  CHECK(loads[0].friction_force[0] == doctest::Approx(0.15).epsilon(1e-3));
  CHECK(loads[1].friction_force[0] == doctest::Approx(-0.15).epsilon(1e-3));
  CHECK(loads[0].pressure_force[1] == doctest::Approx(-1).epsilon(1e-3));
}

TEST_CASE("a spike of the states interpolated to a face is repaired, or raised and replayed") {
  const auto run_with = [](const std::string& soft_error) {
    CaseRun run("sod", tube("first_order", {"soft_error=" + soft_error, "time.max_steps=20"}));
    run.run();
    return run;
  };
  const std::string strict =
      "{on_exhausted: first_order, max_halvings: 3, spike: {factor: 1.2, field: density}, face: ";
  const CaseRun repaired = run_with(strict + "repair}");
  CHECK(repaired.state.step == 20);
  CHECK(repaired.repaired_faces > 0);
  CHECK(repaired.rejections.empty());

  const CaseRun raised = run_with(strict + "raise}");
  REQUIRE_FALSE(raised.rejections.empty());
  for (const Rejection& r : raised.rejections) {
    CHECK(r.error.kind == SoftErrorKind::spike);
    CHECK(r.replay.reproduced);
  }

  const CaseRun loose =
      run_with("{on_exhausted: first_order, spike: {limit: 1e6, factor: 1e6}, face: raise}");
  const CaseRun without = run_with("{on_exhausted: first_order, face: raise}");
  CHECK(loose.rejections.size() == without.rejections.size());
  CHECK(loose.state.time == without.state.time);
}

TEST_CASE("ssprk4 is of fourth order in time in curved elements, where ssprk3 is of third") {
  const auto density = [](const std::string& integrator, int steps) {
    return finished("entropy_wave",
                    bent(5, 4,
                         {"mesh.cells=[4,4,1]", "time.end=0.5", "soft_error.cfl_limit=0",
                          "scheme.integrator=" + integrator, "time.dt=" + std::to_string(0.5 / steps)}))
        .fields()
        .conserved[0];
  };
  const std::vector<double> exact_in_time = density("ssprk4", 400);
  const auto order = [&](const std::string& integrator, int steps) {
    const auto error = [&](int n) {
      const std::vector<double> found = density(integrator, n);
      double sum = 0;
      for (std::size_t point = 0; point < found.size(); ++point)
        sum += std::abs(found[point] - exact_in_time[point]);
      return sum;
    };
    return std::log2(error(steps) / error(2 * steps));
  };
  CHECK(order("ssprk3", 100) == doctest::Approx(3).epsilon(0.05));
  CHECK(order("ssprk4", 25) == doctest::Approx(4).epsilon(0.05));
}
