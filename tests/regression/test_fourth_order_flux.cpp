// The fourth-order flux: the rate of change of a flow that is nonlinear along all axes, and its behaviour at
// shocks, remedies, walls and in very cold gas.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "physics/diagnostics/totals.hpp"
#include "physics/rhs/fourth_order_flux.hpp"
#include "tests/support/averaged_flow.hpp"

using namespace halfstep;

namespace {

const Overrides kFourth = {"scheme.averages=fourth_order"};

/// Returns the least observed order of the fields.
double least_order(const std::array<int, 3>& cells, const Overrides& overrides) {
  std::array<int, 3> finer = cells;
  for (int& n : finer)
    if (n > 1) n *= 2;
  const auto coarse = rate_errors(cells, overrides), fine = rate_errors(finer, overrides);
  double least = 99;
  for (int f = 0; f < kFields; ++f) least = std::min(least, std::log2(coarse[f] / fine[f]));
  return least;
}

}  // namespace

TEST_CASE("rates of change are of fourth order along every set of axes, and of second without corrections") {
  for (const char* reconstruction : {"weno5z", "ppm"})
    for (const char* variables : {"primitive", "characteristic"})
      for (const std::array<int, 3>& cells : {std::array{32, 1, 1},
                                              {1, 32, 1},
                                              {1, 1, 32},
                                              {32, 32, 1},
                                              {32, 1, 32},
                                              {1, 32, 32},
                                              {24, 24, 24}}) {
        INFO((std::string(reconstruction) + " " + variables + " " + text_of(cells)));
        Overrides scheme = {std::string("scheme.reconstruction=") + reconstruction,
                            std::string("scheme.variables=") + variables};
        CHECK(least_order(cells, scheme) < 2.3);
        scheme.push_back(kFourth[0]);
        CHECK(least_order(cells, scheme) > 3.7);
      }
}

TEST_CASE("corrected averages have the same bits on any number of threads") {
  const Overrides all = {"mesh.cells=[40,17,9]", "time.max_steps=5", kFourth[0]};
  CHECK(identical(finished("taylor_green", all).fields(), stepped(5, "taylor_green", all, 3).fields()));
}

TEST_CASE("shocks are no harder with corrected averages") {
  for (const char* deck : {"sod", "toro_1", "toro_2", "toro_3", "toro_4", "toro_5", "lax", "noh_1d"}) {
    INFO(deck);
    const CaseRun plain = finished(deck, {"scheme.reconstruction=weno5z"}),
                  fourth = finished(deck, {"scheme.reconstruction=weno5z", kFourth[0]});
    CHECK(plain.rejections.empty());
    CHECK(fourth.rejections.empty());
    CHECK(fourth.error("density").l1 < 1.1 * plain.error("density").l1);
  }
}

TEST_CASE("under a remedy averages are not corrected, and first-order faces keep their cells positive") {
  for (const char* deck : {"strong_blast", "near_vacuum"}) {
    INFO(deck);
    CaseRun run = finished(deck, kFourth);
    CHECK(!run.rejections.empty());
    CHECK(run.remedied.empty() == (std::string(deck) == "strong_blast"));
    for (const Rejection& rejection : run.rejections) CHECK(rejection.replay.reproduced);
  }
}

TEST_CASE("blasts, implosions and reflected shocks are no harder with corrected averages") {
  const std::pair<std::string, Overrides> runs[] = {
      {"sedov_2d", {"mesh.cells=[40,40,1]"}},
      {"noh_2d", {"mesh.cells=[40,40,1]", "time.end=0.5"}},
      {"double_mach", {"mesh.cells=[96,24,1]", "time.end=0.1"}}};
  for (const auto& [deck, overrides] : runs) {
    INFO(deck);
    const Overrides plain = with(overrides, {"scheme.reconstruction=weno5z"});
    const CaseRun a = finished(deck, plain), b = finished(deck, with(plain, kFourth));
    CHECK(b.rejections.size() <= 1.3 * a.rejections.size());
    if (a.config.has_exact(a.state.time)) CHECK(b.error("density").l1 < 1.1 * a.error("density").l1);
  }
}

TEST_CASE("walls keep mass and energy with corrected averages") {
  CaseRun run("kelvin_helmholtz",
              {"mesh.cells=[40,40,1]", "mesh.boundary.y=[reflecting,reflecting]", "time.end=1", kFourth[0]});
  const Totals before = run.solver->totals();
  run.finish();
  const Totals after = run.solver->totals();
  CHECK(std::abs(after.mass / before.mass - 1) < 1e-13);
  CHECK(std::abs(after.energy / before.energy - 1) < 1e-13);
}

TEST_CASE("where round-off leaves no temperature averages are not corrected, whatever the size") {
  // In single precision a Mach number of 4000 leaves such temperatures.
  const IdealGas<float> gas{1.4f};
  const FlowState<float> warm{9, {29, 1, 3}, 1e-4f}, warmer{11, {31, -1, 2}, 3e-4f};
  for (const float temperature : {0.0f, -2e-5f}) {
    const FlowState<float> cold{10, {30, 0.5f, 2}, temperature};
    const TangentialFlux<float> tangential = tangential_flux<0>(cold, half_difference(warm, warmer), gas);
    for (const float component : tangential.momentum) CHECK(component == 0);
    CHECK(tangential.energy == 0);
    for (const auto& flux : {conversion_flux<0>(cold, warm, gas), conversion_flux<0>(warm, cold, gas)})
      for (const float component : {flux.density, flux.mu, flux.mv, flux.mw, flux.energy})
        CHECK(component == 0);
  }
  CHECK(conversion_flux<0>(warm, warmer, gas).energy != 0);
  CaseRun("cold_stream", kFourth).finish();
  for (const char* precision : {"double", "single"}) {
    CaseRun hot("uniform", {"mesh.cells=[8,8,8]", "case.density=1e-10", "case.pressure=1e10",
                            "time.max_steps=3", std::string("scheme.precision=") + precision, kFourth[0]});
    hot.run();
    CHECK(hot.rejections.empty());
    CHECK(hot.state.step == 3);
  }
}
