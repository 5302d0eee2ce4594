// Bodies in the flow: gas at rest stays at rest, solid cells count for nothing, and the bits do not depend on
// threads, slices and where a run is stopped.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "physics/solids/solid_cell.hpp"
#include "physics/solids/solids.hpp"
#include "tests/support/run_case.hpp"

using namespace halfstep;

namespace {

const std::string kBall = "{shape: ball, name: ball, center: [0.45, 0.52, 0.5], radius: 0.2}";

Overrides around_a_ball(const Overrides& more = {}) {
  return with({"mesh.cells=[28,24,20]", "time.end=0.4", "output.every=0", "solids=[" + kBall + "]"}, more);
}

/// Returns the largest difference between the fields of a cell in two states.
double largest_difference(const Fields& a, const Fields& b, std::size_t cell) {
  double most = 0;
  for (int f = 0; f < kFields; ++f)
    most = std::max(most, std::abs(a.conserved[f][cell] - b.conserved[f][cell]));
  return most;
}

}  // namespace

TEST_CASE("gas at rest around a body stays at rest, whatever its pressure inside") {
  CaseRun run("uniform", around_a_ball({"case.velocity=[0,0,0]"}));
  const Fields before = run.fields();
  run.finish();
  CHECK(identical(before, run.fields()));
  const Totals totals = run.solver->totals();
  const double volume = 1 - 4 * std::numbers::pi / 3 * 0.008;
  CHECK(totals.mass ==
        doctest::Approx(run.config.problem.gamma > 0 ? volume * before.conserved[0][0] : 0).epsilon(0.01));
  CHECK(totals.kinetic_energy == 0);
  for (const double force : totals.loads.at(0).pressure_force) CHECK(std::abs(force) < 1e-12);
}

TEST_CASE("gas at rest around the edges and corners of a box stays at rest, with slip and without") {
  for (const std::string viscosity : {"0", "1e-3"}) {
    CaseRun run("uniform", {"mesh.cells=[28,24,20]", "time.end=0.4", "output.every=0",
                            "case.velocity=[0,0,0]", "gas.viscosity=" + viscosity,
                            "solids=[{shape: box, lower: [0.31, 0.25, 0.42], upper: [0.64, 0.5, 0.78]}]"});
    const std::vector<SolidCell>& near = run.config.problem.solids->cells().near;
    CHECK(std::count_if(near.begin(), near.end(), [](const SolidCell& c) { return c.at_edge; }) > 60);
    const Fields before = run.fields();
    run.finish();
    CHECK(identical(before, run.fields()));
  }
}

TEST_CASE("a stream of Mach 3 is stopped by a step, wherever its walls are between cells") {
  for (const int columns : {60, 61, 62, 63, 64})
    for (const int rows : {20, 21, 22, 23, 24}) {
      INFO(columns, " ", rows);
      CaseRun run("forward_step",
                  {"mesh.cells=[" + std::to_string(columns) + "," + std::to_string(rows) + ",1]",
                   "time.end=0.4", "output.every=0"});
      run.finish();
      const std::vector<std::uint8_t>& mask = run.config.problem.solids->cells().mask;
      const auto first = static_cast<std::size_t>(
          std::find_if(mask.begin(), mask.end(), [](int m) { return m != 0; }) - mask.begin());
      REQUIRE(first < static_cast<std::size_t>(columns));
      const Fields fields = run.fields();
      const auto field = [&](int f) { return fields.conserved[static_cast<std::size_t>(f)][first - 1]; };
      const double pressure = 0.4 * (field(4) - 0.5 * (field(1) * field(1) + field(2) * field(2)) / field(0));
      CHECK(pressure == doctest::Approx(12).epsilon(0.15));  // 12.06 where the stream is brought to rest
    }
}

TEST_CASE("a body through a periodic side is pressed on from both ends of the mesh") {
  CaseRun run("uniform", around_a_ball({"case.velocity=[0,0,0]", "solids.0.center=[0.05, 0.52, 0.98]"}));
  const BodyLoads load = run.solver->totals().loads.at(0);
  for (const double force : load.pressure_force) CHECK(std::abs(force) < 1e-12);
}

TEST_CASE("a source acts on the gas alone") {
  const std::string cooling =
      "source={kind: cooling, max_substeps: 40, cooling: {coefficient: 1, exponent: 0.5, equilibrium: 0.1}}";
  CaseRun run("uniform",
              around_a_ball({"case.velocity=[0,0,0]", "time.end=0.2", "solids.0.radius=0.4", cooling}));
  CaseRun gas("uniform", {"mesh.cells=[28,24,20]", "case.velocity=[0,0,0]", "time.end=0.2", cooling});
  run.finish();
  gas.finish();
  CHECK(run.rejections.empty());
  const std::vector<std::uint8_t>& mask = run.config.problem.solids->cells().mask;
  const Fields around = run.fields(), everywhere = gas.fields();
  double most = 0;
  for (std::size_t cell = 0; cell < mask.size(); ++cell)
    if (mask[cell] == 0)
      most = std::max(most, std::abs(around.conserved[4][cell] / everywhere.conserved[4][cell] - 1));
  CHECK(most < 1e-12);  // gas that cools everywhere alike stays at rest
  const std::vector<CellPlace>& core = run.config.problem.solids->cells().core;
  REQUIRE_FALSE(core.empty());
  const double energy = 1 / (1.4 - 1);  // of the initial state, in which deep cells stay
  for (const auto& [i, j, k] : core)
    CHECK(around.conserved[4][static_cast<std::size_t>((k * 24 + j) * 28 + i)] ==
          doctest::Approx(energy).epsilon(1e-14));

  CaseRun gives_up("uniform",
                   around_a_ball({"source={kind: cooling, max_substeps: 1, tolerance: 1e-10, cooling: "
                                  "{coefficient: 100, exponent: 0.5, equilibrium: 0.1}}",
                                  "soft_error.max_halvings=2"}));
  CHECK(gives_up.run() == DriveEnd::exhausted);
  CHECK(gives_up.rejections.back().error.kind == SoftErrorKind::source_failure);
}

TEST_CASE("the bits around bodies are the same for any number of threads, in slices, and after a stop") {
  const Overrides overrides = around_a_ball({"case.velocity=[0.6,0.3,0.2]", "gas.viscosity=1e-3",
                                             "scalars={dye: \"x > 0.3\"}", "scheme.riemann=hllc"});
  const CaseRun one = stepped(30, "uniform", overrides), three = stepped(30, "uniform", overrides, 3);
  CHECK(identical(one.fields(), three.fields()));
  CHECK(one.state.time == three.state.time);
  const CaseRun sliced =
      stepped(30, "uniform", with(overrides, {"interruptible={enabled: true, launch_budget_ms: 0.05}"}));
  CHECK(identical(one.fields(), sliced.fields()));
  CaseRun again = stepped(12, "uniform", overrides);
  again.begin_from(again.fields());
  again.run(30);
  CHECK(identical(one.fields(), again.fields()));
  const Overrides fourth = around_a_ball({"case.velocity=[0.6,0.3,0.2]", "scheme.averages=fourth_order"});
  CHECK(identical(stepped(10, "uniform", fourth).fields(), stepped(10, "uniform", fourth, 3).fields()));
}

TEST_CASE("fourth-order fluxes keep a stream along a wall that follows the mesh, and its bits everywhere") {
  const Overrides along_wall = {"mesh.cells=[16,24,20]", "case.velocity=[1,0,0.5]", "time.end=0.2",
                                "solids=[{shape: box, lower: [-9, 0, -9], upper: [9, 0.25, 9]}]",
                                "output.every=0"};
  for (const char* reconstruction : {"ppm", "weno5z"}) {
    const Overrides all = with(along_wall, {std::string("scheme.reconstruction=") + reconstruction});
    CaseRun plain("uniform", all), fourth("uniform", with(all, {"scheme.averages=fourth_order"}));
    const Fields before = fourth.fields();
    plain.run(10);
    fourth.run(10);
    CHECK(identical(fourth.fields(), plain.fields()));
    const Fields after = fourth.fields();
    double most = 0;
    for (std::size_t cell = 0; cell < after.conserved[0].size(); ++cell)
      most = std::max(most, largest_difference(after, before, cell));
    CHECK(most < 1e-13);
  }
}

TEST_CASE(
    "fourth-order fluxes away from a body are what they are without one, and near it those of second order") {
  const Overrides vortex = {"mesh={cells: [48, 48, 1], lower: [-3, -3, 0], upper: [3, 3, 1]}", "time.dt=1e-3",
                            "scheme.integrator=euler"};
  const std::string body = "solids=[{shape: ball, center: [0.8, 0.5, 0.5], radius: 0.6}]",
                    fourth = "scheme.averages=fourth_order";
  const auto after_a_step = [&](const Overrides& more) {
    return stepped(1, "isentropic_vortex", with(vortex, more)).fields();
  };
  const CaseRun run("isentropic_vortex", with(vortex, {body, fourth}));
  const SolidCells& cells = run.config.problem.solids->cells();
  const Fields both = after_a_step({body, fourth}), alone = after_a_step({fourth}),
               second = after_a_step({body});
  int away = 0, near = 0;
  for (int j = 0; j < 48; ++j)
    for (int i = 0; i < 48; ++i) {
      const auto cell = static_cast<std::size_t>(j * 48 + i);
      const auto change = [&](const Fields& other) { return largest_difference(both, other, cell); };
      const Point x = run.mesh().center(i, j, 0);
      if (std::hypot(x[0] - 0.8, x[1] - 0.5) > 0.6 + 6 * run.mesh().spacing(0)) {
        CHECK(change(alone) == 0);
        away += change(second) > 1e-12;
      } else if (cells.mask[cell] == 0 && (cells.uncorrected[cell] & 15) == 15) {
        CHECK(change(second) < 1e-14);
        near += change(alone) > 1e-12;
      }
    }
  CHECK(away > 100);
  CHECK(near > 5);
}

TEST_CASE("an error beside a body is mended with fourth-order fluxes by every remedy") {
  for (const char* remedy : {"soft_error.max_halvings=3", "soft_error.max_halvings=0"}) {
    CaseRun run("uniform",
                around_a_ball({"scheme.averages=fourth_order", remedy,
                               "inject={step: 5, stage: 2, cell: [18, 12, 10], kind: negative_density}"}));
    run.run(10);
    CHECK(run.rejections.size() == 1);
    CHECK(run.state.step == 10);
  }
}

TEST_CASE("cells in bodies limit no time step and raise no error") {
  CaseRun run("uniform", around_a_ball({"case.velocity=[1.5,0.2,0]", "scheme.reconstruction=plm",
                                        "scheme.integrator=ssprk2"}));
  const std::vector<std::uint8_t>& mask = run.config.problem.solids->cells().mask;
  for (int n = 0; n < 20; ++n) {
    run.run(run.state.step + 1);
    const Fields fields = run.fields();
    double rate = 0;
    for (std::size_t cell = 0; cell < mask.size(); ++cell) {
      if (mask[cell] != 0) continue;
      const Primitive<double> q = primitive_of_cell(fields, cell, run.gas());
      const double c = std::sqrt(1.4 * q.pressure / q.density);
      double own = 0;
      for (int axis = 0; axis < 3; ++axis)
        own += ((axis == 0   ? std::abs(q.u)
                 : axis == 1 ? std::abs(q.v)
                             : std::abs(q.w)) +
                c) /
               run.mesh().spacing(axis);
      rate = std::max(rate, own);
    }
    CHECK(run.rate == doctest::Approx(rate).epsilon(1e-13));
  }
  CHECK(run.rejections.empty());
}

TEST_CASE("an error in the gas is found beside a body, and mended") {
  CaseRun run("uniform",
              around_a_ball({"inject={step: 5, stage: 2, cell: [18, 12, 10], kind: negative_density}"}));
  run.run(10);
  REQUIRE(run.rejections.size() == 1);
  CHECK(run.rejections[0].error.kind == SoftErrorKind::negative_density);
  CHECK(run.state.step == 10);
}

TEST_CASE("a sponge in a body adds nothing, and one around it only what it adds to the gas") {
  const std::string target = "target: {density: 3, pressure: 2}}";
  const auto sponged = [&](const std::string& shape, const std::string& body) {
    CaseRun run("uniform", {"mesh.cells=[20,20,20]", "time.end=1", "output.every=0", "solids=[" + body + "]",
                            "sponges=[{" + shape + ", rate: 5, " + target + "]"});
    run.run(5);
    return run.sponged;
  };
  const SpongeSums inside = sponged("shape: ball, center: [0.45, 0.52, 0.5], radius: 0.1", kBall);
  CHECK(inside.mass == 0);
  CHECK(inside.energy == 0);
  // A body that fills half of a sponge halves what the sponge adds at first.
  const std::string sponge = "shape: box, lower: [0, 0, 0.25], upper: [1, 1, 0.75]";
  const std::string half = "{shape: box, lower: [0, 0, 0.25], upper: [1, 1, 0.5]}",
                    none = "{shape: box, lower: [0, 0, 0], upper: [1, 1, 0.2]}";
  const double ratio = sponged(sponge, half).mass / sponged(sponge, none).mass;
  CHECK(ratio == doctest::Approx(0.5).epsilon(0.1));
}

TEST_CASE("a stream pushes a body along, and the momentum that the gas loses is the force") {
  CaseRun run("cylinder_mach3", {"mesh.cells=[60,80,1]", "time.end=2", "output.every=0"});
  run.finish();
  const BodyLoads load = run.solver->totals().loads.at(0);
  const double coefficient = load.pressure_force[0] / (0.5 * 1.4 * 9);
  CHECK(coefficient > 1.1);  // of cylinders at Mach 3 some 1.3
  CHECK(coefficient < 1.6);
  CHECK(std::abs(load.pressure_force[1]) < 1e-6);
}
