// An exact solution is claimed only as long as the boundaries do not disturb it.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "app/deck/deck.hpp"

using namespace halfstep;

namespace {

std::string lost(const std::string& deck, const std::vector<std::string>& overrides, double time) {
  const RunConfig config = load_deck(HALFSTEP_SOURCE_DIR "/inputs/" + deck + ".yaml", overrides);
  CHECK(config.flow_case->has_exact(time));
  CHECK(config.has_exact(time) == config.lost_exact(time).empty());
  return config.lost_exact(time);
}

const std::string kWave = "a wave has met a boundary",
                  kBoundary = "a boundary disturbs the flow that has one";

}  // namespace

TEST_CASE("every deck with an exact solution has it to its end") {
  for (const char* deck :
       {"sod",         "lax",         "toro_1",         "toro_2",        "toro_3",
        "toro_4",      "toro_5",      "leblanc",        "near_vacuum",   "strong_blast",
        "noh_1d",      "noh_2d",      "noh_3d",         "sedov_2d",      "sedov_3d",
        "uniform",     "linear_wave", "linear_wave_3d", "entropy_wave",  "isentropic_vortex",
        "cooling_box", "detonation",  "detonation_cj",  "viscous_shock", "gresho"}) {
    CAPTURE(deck);
    const RunConfig config = load_deck(HALFSTEP_SOURCE_DIR "/inputs/" + std::string(deck) + ".yaml", {});
    CHECK(lost(deck, {}, config.limits.end) == "");
  }
}

TEST_CASE("shock tubes lose it when a wave is at an end, or an end moves the gas beside it") {
  CHECK(lost("sod", {"mesh.boundary.x=[reflecting,reflecting]"}, 0.2) == "");
  CHECK(lost("sod", {"mesh.boundary.x=[reflecting,reflecting]"}, 0.5) == kWave);
  CHECK(lost("sod", {}, 0.5) == kWave);
  CHECK(lost("sod", {"mesh.boundary.x=[periodic,periodic]"}, 0.01) == kBoundary);
  CHECK(lost("toro_2", {"mesh.boundary.x=[reflecting,outflow]"}, 0.01) == kBoundary);
  CHECK(lost("sod", {"mesh.cells=[64,8,1]", "mesh.boundary.y=[inflow,outflow]"}, 0.1) == kBoundary);
  CHECK(lost("sod", {"gravity=[0.1,0,0]"}, 0.1) == "the case's is without viscosity and gravity");
}

TEST_CASE("blasts and implosions lose it when the shock is at a side, or a side is no mirror") {
  CHECK(lost("sedov_2d", {}, 100) == kWave);
  CHECK(lost("sedov_2d", {"mesh.lower=[0,0,0]"}, 0.5) == kBoundary);
  CHECK(lost("sedov_2d",
             {"mesh.lower=[0,0,0]", "mesh.boundary.x=[reflecting,outflow]",
              "mesh.boundary.y=[reflecting,outflow]"},
             0.5) == "");
  CHECK(lost("noh_1d", {"mesh.boundary.x=[reflecting,outflow]"}, 0.5) == "");
  CHECK(lost("noh_2d", {"mesh.boundary.x=[reflecting,outflow]"}, 0.5) == kBoundary);
  CHECK(lost("noh_2d", {}, 100) == kWave);
  const RunConfig thin = load_deck(HALFSTEP_SOURCE_DIR "/inputs/sedov_2d.yaml", {"gas.gamma=1.001"});
  CHECK_FALSE(thin.flow_case->has_exact(0.5));  // the shell is far thinner than a cell
}

TEST_CASE("periodic and uniform flows lose it where a boundary is not what they need") {
  CHECK(lost("linear_wave", {"mesh.boundary.x=[outflow,outflow]"}, 0.1) == kBoundary);
  CHECK(lost("isentropic_vortex", {"mesh.boundary.y=[reflecting,reflecting]"}, 0.1) == kBoundary);
  CHECK(lost("gresho", {"mesh.boundary.y=[reflecting,outflow]"}, 0.1) == "");
  CHECK(lost("gresho", {"mesh.boundary.y=[reflecting,outflow]", "case.velocity=[1,0,0]"}, 0.1) == "");
  CHECK(lost("gresho", {"mesh.boundary.y=[reflecting,outflow]", "case.velocity=[0,1,0]"}, 0.1) == kBoundary);
  CHECK(lost("uniform", {"mesh.boundary.x=[reflecting,reflecting]"}, 0.1) == kBoundary);
  CHECK(lost("uniform", {"mesh.boundary.x=[inflow,outflow]"}, 0.1) == "");
  CHECK(lost("cooling_box", {"mesh.boundary.x=[inflow,outflow]"}, 0.1) == kBoundary);
  CHECK(lost("detonation", {"mesh.boundary.x=[reflecting,outflow]"}, 0.1) == kBoundary);
  CHECK(lost("viscous_shock", {"mesh.cells=[64,8,1]", "mesh.boundary.y=[no_slip,no_slip]"}, 0.1) ==
        kBoundary);
  CHECK(lost("couette", {"mesh.cells=[8,16,1]", "mesh.boundary.x=[reflecting,reflecting]"}, 1e9) ==
        kBoundary);
}
