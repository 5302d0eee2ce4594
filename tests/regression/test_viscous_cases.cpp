// Flows with viscosity, walls and gravity against their exact solutions, and the jet, which runs to its end
// by repairs or remedies.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "physics/cases/exact/rayleigh_taylor.hpp"
#include "tests/support/run_case.hpp"

using namespace halfstep;

namespace {

double error(const std::string& deck, const Overrides& overrides, const std::string& field) {
  CaseRun run(deck, overrides);
  return run.finish().error(field).l1;
}

/// Returns the observed order of the L1 error from one mesh to one twice as fine.
double order(const std::string& deck, const std::string& coarse, const std::string& fine, Overrides overrides,
             const std::string& field) {
  overrides.push_back("mesh.cells=" + coarse);
  const double of_coarse = error(deck, overrides, field);
  overrides.back() = "mesh.cells=" + fine;
  return std::log2(of_coarse / error(deck, overrides, field));
}

}  // namespace

TEST_CASE("Couette flow stays at its exact state to second order, with heat through one wall or both") {
  for (const char* wall : {"wall.temperature_lower=1", "wall.temperature_lower=0"})
    for (const char* field : {"velocity", "pressure", "density"}) {
      INFO("wall ", wall, ", field ", field);
      CHECK(order("couette", "[1,8,1]", "[1,16,1]", {"time.end=4", wall}, field) > 1.85);
    }
}

TEST_CASE("Poiseuille flow stays at its exact state to second order") {
  for (const char* field : {"velocity", "pressure", "density"}) {
    CAPTURE(field);
    CHECK(order("poiseuille", "[3,12,1]", "[3,24,1]", {"time.end=2"}, field) > 1.8);
  }
}

TEST_CASE("a disturbed channel flow comes back to its steady state") {
  // A remainder of 1e-6 of the disturbance would be detected.
  for (const auto& [deck, cells] :
       {std::pair{"couette", "mesh.cells=[1,8,1]"}, {"poiseuille", "mesh.cells=[3,8,1]"}}) {
    CAPTURE(deck);
    const Overrides common{cells, "time.end=43"};
    const CaseRun calm = finished(deck, common),
                  shaken = finished(deck, with(common, {"case.disturbance=0.4"}));
    for (const char* field : {"velocity", "density"})
      CHECK(shaken.error(field).l1 == doctest::Approx(calm.error(field).l1).epsilon(1e-2));
  }
}

TEST_CASE("a travelling viscous shock keeps Becker's profile, to second and to fourth order") {
  const Overrides second{"time.end=1", "scheme.viscous_order=2"}, fourth{"time.end=1"};
  CHECK(order("viscous_shock", "[64,1,1]", "[128,1,1]", second, "density") > 1.8);
  CHECK(order("viscous_shock", "[64,1,1]", "[128,1,1]", fourth, "density") > 2.2);
  CHECK(error("viscous_shock", {"time.end=1"}, "density") <
        0.7 * error("viscous_shock", {"time.end=1", "scheme.viscous_order=2"}, "density"));
}

TEST_CASE("heavy gas over light gas grows as linear theory says") {
  CaseRun run("rayleigh_taylor", {"mesh.cells=[32,64,1]", "time.end=0.8"});
  run.wants_totals = true;
  run.finish();
  const auto at = [&](double time) {  // kinetic energy
    std::size_t n = 0;
    while (run.steps[n].time_after < time) ++n;
    return std::pair{run.steps[n].time_after, run.totals[n].kinetic_energy};
  };
  const auto [begin, before] = at(0.2);
  const auto [end, after] = at(0.79);
  const double rate = 0.5 * std::log(after / before) / (end - begin);
  const RayleighTaylorMode mode({1.4}, {1, 2, 0.01, 5, 1}, 4 * std::numbers::pi, -0.5, 0.5);
  // With 32 cells a wave and an interface that one cell resolves the rate is 1.2 % off, with 64 cells 0.2 %.
  CHECK(rate == doctest::Approx(mode.growth_rate()).epsilon(0.02));
  CHECK(rate < mode.growth_rate());
}

TEST_CASE("what a resolved vortex loses of its kinetic energy is what its enstrophy says") {
  CaseRun run("taylor_green_re1600", {"mesh.cells=[24,24,24]", "gas.viscosity=0.02", "time.end=0.1"});
  run.wants_totals = true;
  const double before = run.solver->totals().kinetic_energy, first = run.solver->totals().enstrophy;
  run.finish();
  const double lost = (before - run.totals.back().kinetic_energy) / run.state.time;
  CHECK(lost == doctest::Approx(0.02 * (first + run.totals.back().enstrophy)).epsilon(0.02));
}

TEST_CASE("a jet at Mach 2000 comes to its end by repaired faces, or by first-order steps without") {
  const std::string mesh = "mesh.cells=[80,40,1]";
  CaseRun repaired = finished("jet", {mesh});
  CHECK(repaired.rejections.empty());  // the first step is short enough for what is about to flow in
  CHECK(repaired.repaired_faces > 0);
  CHECK(repaired.remedied.empty());
  CaseRun raised = finished("jet", {mesh, "soft_error.face=raise"});
  CHECK(raised.remedied.size() > 0);
  CHECK(raised.config.limits.last_remedy == Remedy::first_order);
  // Ram pressures balance at its head, which moves at u / (1 + sqrt(ambient / jet density)) (Norman et al.
  // 1982). The bow shock is ahead of that, and slower than the shock before a wide piston of this speed.
  const Fields fields = raised.fields();
  int front = 0;
  for (int i = 0; i < 80; ++i)
    if (fields.conserved[1][20 * 80 + i] > 1) front = i;
  const double head = 0.001 * 800 / (1 + std::sqrt(0.1)), shock = raised.mesh().face(0, front + 1);
  CHECK(shock > head);
  CHECK(shock < 4.0 / 3 * head);
}
