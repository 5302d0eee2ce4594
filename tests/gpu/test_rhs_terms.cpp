// Viscous terms, gravity, walls and fourth-order fluxes on a device agree with the host, and have the same
// bits however they are launched.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "physics/diagnostics/totals.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/given_flow.hpp"

using namespace halfstep;

namespace {

const std::string kFourth = "scheme.averages=fourth_order";
const std::string kStick = "[no_slip,no_slip]", kSlip = "[reflecting,reflecting]";

/// Returns a state with waves along every axis, at rest at walls.
Primitive<double> waves(const Box& cell) {
  const double tau = 2 * std::acos(-1.0);
  const double x = tau * cell.center(0), y = tau * cell.center(1), z = tau * cell.center(2);
  return {1 + 0.2 * std::sin(x + 1) * std::cos(y), 0.3 * std::sin(x) * std::cos(z + y),
          0.2 * std::cos(z + x) * std::sin(y), 0.25 * std::sin(y + x) * std::sin(z),
          1 + 0.1 * std::cos(z + x + y)};
}

/// Waves in blocks of more and fewer threads than a row has cells.
const std::string kDriving =
    "driving={pressure_gradient: [0.2, -0.1, 0], acceleration: 0.5, waves: 3, correlation_time: 0.05}";

struct Row {
  std::string cells;
  Overrides more;
};

/// Returns rows with every set of axes, every kind of wall, and meshes of many blocks and of less than one.
std::vector<Row> rows() {
  std::vector<Row> all = {
      {"[200,1,1]", {"mesh.boundary.x=" + kStick, "gravity=[0.3,0,0]"}},
      {"[1,70,1]", {"mesh.boundary.y=[reflecting,no_slip]", "gravity=[0,-0.5,0]"}},
      {"[1,1,50]", {"mesh.boundary.z=" + kStick}},
      {"[50,33,1]", {"mesh.boundary.y=" + kStick, "gravity=[0.2,-0.1,0]"}},
      {"[33,1,21]", {"mesh.boundary.x=" + kSlip, "mesh.boundary.z=" + kStick}},
      {"[2,3,4]", {"scheme.reconstruction=plm", "mesh.boundary.x=" + kStick, "mesh.boundary.z=" + kStick}},
      {"[40,17,13]", {"mesh.boundary.x=" + kStick, "mesh.boundary.y=" + kStick, "mesh.boundary.z=" + kSlip}},
      {"[35,20,12]", {"gravity=[0.1,0.2,0.3]"}},
      {"[35,20,12]", {"gas.viscosity=0", "gravity=[0,0,-0.3]", "mesh.boundary.z=" + kSlip}},
      {"[35,20,12]", {"gas.viscosity=0", kDriving}},
      {"[50,33,1]", {kDriving}},
      {"[200,1,1]", {"gas.viscosity=0", kFourth}},
      {"[33,1,21]", {"gas.viscosity=0", kFourth}},
      {"[40,17,13]", {"gas.viscosity=0", kFourth}},
      {"[50,33,1]", {kFourth, "mesh.boundary.y=" + kStick, "gravity=[0.2,-0.1,0]"}},
  };
  for (Row& row : all) {
    const auto has = [&](const char* side) {
      return std::any_of(row.more.begin(), row.more.end(),
                         [&](const std::string& value) { return value.find(side) != std::string::npos; });
    };
    const bool lower = has("[no_slip,"), upper = has(",no_slip]");
    if (lower) row.more.push_back("wall.velocity_lower=[0.1,0.2,-0.1]");
    if (upper)
      for (const char* value : {"wall.velocity_upper=[-0.2,0.3,0.1]", "wall.temperature_upper=1.3"})
        row.more.push_back(value);
  }
  return all;
}

CaseRun on(const std::string& backend, const Row& row, const Overrides& more) {
  const Overrides common = {"mesh.cells=" + row.cells, "gas.viscosity=0.02", "time.end=9"};
  CaseRun run = run_from(waves, with(with(common, row.more), more), 0, backend);
  run.wants_totals = true;
  run.run(30);
  return run;
}

}  // namespace

TEST_CASE("viscous terms, gravity, walls and corrected averages agree between host and CUDA") {
  for (const Row& row : rows())
    for (const char* order : {"2", "4"})
      for (const char* law : {"constant", "sutherland"})
        for (const char* precision : {"double", "single"}) {
          INFO((row.cells + ", order " + order + ", " + law + ", " + precision));
          const Overrides more = {std::string("scheme.viscous_order=") + order,
                                  std::string("gas.viscosity_law=") + law,
                                  std::string("scheme.precision=") + precision};
          const CaseRun host = on("host", row, more), cuda = on("cuda", row, more);
          CHECK(host.state.step == 30);
          CHECK(cuda.state.step == 30);
          CHECK(difference(host, cuda) <= (std::string(precision) == "double" ? 1e-12 : 2e-5));
          CHECK(cuda.rate == doctest::Approx(host.rate).epsilon(1e-5));
        }
}

TEST_CASE("viscous steps on CUDA have the same bits at once, in slices, pipelined, and every time") {
  for (const Row& row : rows())
    for (const char* order : {"2", "4"}) {
      INFO((row.cells + ", order " + order));
      const std::string of_order = std::string("scheme.viscous_order=") + order;
      const CaseRun whole = on("cuda", row, {of_order});
      for (const Overrides& other :
           {Overrides{of_order}, Overrides{of_order, "soft_error.poll=pipelined", "soft_error.depth=8"},
            Overrides{of_order, "interruptible.enabled=true", "interruptible.launch_budget_ms=1e-6"}}) {
        const CaseRun again = on("cuda", row, other);
        CHECK(again.state.time == whole.state.time);
        CHECK(again.rate == whole.rate);
        CHECK(identical(again.fields(), whole.fields()));
      }
    }
}

TEST_CASE("viscous terms on CUDA conserve what they should") {
  for (const char* order : {"2", "4"}) {
    const CaseRun run = on("cuda", {"[40,24,17]", {}}, {std::string("scheme.viscous_order=") + order});
    const Totals &before = run.totals.front(), &after = run.totals.back();
    const double moving = std::sqrt(2 * before.kinetic_energy * before.mass);
    CHECK(std::abs(after.mass - before.mass) < 1e-13 * before.mass);
    CHECK(std::abs(after.energy - before.energy) < 1e-13 * before.energy);
    CHECK(after.kinetic_energy < before.kinetic_energy);
    for (int a = 0; a < 3; ++a) CHECK(std::abs(after.momentum[a] - before.momentum[a]) < 1e-13 * moving);
  }
}

TEST_CASE("soft errors of viscous flow are diagnosed alike on host and CUDA, reproduced and cured") {
  const std::pair<std::string, Overrides> runs[] = {
      {"sod", {"time.dt=0.02", "gas.viscosity=1e-4"}},
      {"sedov_2d", {"mesh.cells=[40,40,1]", "time.dt=0.01", "gas.viscosity=1e-3", "scheme.viscous_order=4"}},
      {"near_vacuum", {"gas.viscosity=1e-8"}},
      {"near_vacuum", {kFourth}},
      {"strong_blast", {kFourth}},
  };
  for (const auto& [deck, overrides] : runs) {
    INFO(deck);
    CaseRun host(deck, overrides, 0, "host"), cuda(deck, overrides, 0, "cuda");
    for (CaseRun* run : {&host, &cuda}) run->run(30);
    REQUIRE(!cuda.rejections.empty());
    REQUIRE(cuda.rejections.size() == host.rejections.size());
    for (std::size_t n = 0; n < host.rejections.size(); ++n) {
      CHECK(cuda.rejections[n].error.kind == host.rejections[n].error.kind);
      CHECK(cuda.rejections[n].error.cell == host.rejections[n].error.cell);
      CHECK(cuda.rejections[n].replay.reproduced);
    }
    CHECK(cuda.remedied.size() == host.remedied.size());
    CHECK(difference(host, cuda) <= 1e-6);
  }
}
