// Checks that a run has the same bits however it is divided into threads and parts, and with redone steps.
#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <utility>

#include "app/regress/test_decks.hpp"
#include "tests/support/run_case.hpp"

using namespace halfstep;

namespace {

/// Decks with meshes that tiles of 64 x 8 cells do not divide; boundaries of every kind, in time and place;
/// repaired faces.
const std::pair<std::string, Overrides> kVariety[] = {
    {"kelvin_helmholtz", {"mesh.cells=[70,50,1]"}},
    {"double_mach", {"mesh.cells=[100,25,1]", "scheme.reconstruction=weno5z"}},
    {"noh_3d", {"mesh.cells=[10,9,17]", "scheme.reconstruction=weno5z"}},
    {"linear_wave_3d", {"mesh.cells=[20,9,24]", "case.amplitude=0.2"}},
    {"sod", {"time.dt=0.02"}},
    {"kelvin_helmholtz",
     {"mesh.cells=[70,50,1]", "mesh.boundary.y=[no_slip,no_slip]", "gas.viscosity=1e-3", "gravity=[0,-0.1,0]",
      "wall.velocity_upper=[0.3,0,0]"}},
    {"linear_wave_3d",
     {"mesh.cells=[20,9,24]", "case.amplitude=0.2", "gas.viscosity=1e-3", "scheme.viscous_order=4"}},
    {"kelvin_helmholtz",
     {"mesh.cells=[70,50,1]", "driving={pressure_gradient: [-0.1, 0, 0], acceleration: 2, waves: 3}"}},
    {"kelvin_helmholtz",
     {"mesh.cells=[70,50,1]",
      "sponges=[{shape: ball, center: [0.5, 0.5, 0], radius: 0.3, rate: 20*x, target: {density: 1.5, "
      "velocity: "
      "[0.1, 0, 0], pressure: 2}}]"}},
    {"detonation",
     {"mesh.cells=[100,1,1]",
      "sponges=[{shape: half_space, point: [0.7, 0, 0], normal: x, rate: 30, target: {density: 1, pressure: "
      "1}}]"}},
    {"shock_bubble_helium",
     {"mesh.cells=[70,20,1]", "mesh.spacing.y={kind: geometric, ratio: 1.05}", "case.quadrature=2",
      "scalars={dye: 0.5}", "inject={step: 2, stage: 2, cell: [20, 3, 0], kind: negative_density}"}},
    {"channel",
     {"mesh.cells=[70,50,1]",
      "mesh.boundary.x=[{kind: state, density: \"1 + 0.2*sin(9*t)*tanh(y)\", velocity: [0.3, \"0.1*cos(t)\", "
      "0], pressure: 0.5 + exp(-t), where: \"y < 0.6\", elsewhere: outflow}, {kind: far_field, density: 1, "
      "pressure: 1, where: \"abs(y - 0.5) < 0.2\"}]",
      "mesh.boundary.y=[{kind: reservoir, total_pressure: 1 + t, total_temperature: 1}, {kind: "
      "subsonic_outflow, pressure: 0.9}]"}},
};

}  // namespace

TEST_CASE("one, two and three threads give the same bits in either precision") {
  std::int64_t repaired_faces = 0;
  std::size_t rejections = 0;
  for (const std::string precision : {"double", "single"})
    for (const auto& [deck, overrides] : kVariety) {
      const Overrides all = with(overrides, {"scheme.precision=" + precision});
      const CaseRun one = stepped(20, deck, all);
      repaired_faces += one.repaired_faces;
      rejections += one.rejections.size();
      for (int threads = 2; threads <= 3; ++threads) {
        const CaseRun many = stepped(20, deck, all, threads);
        INFO(deck, " ", precision, " ", threads, " threads");
        CHECK(many.state.time == one.state.time);
        CHECK(many.rate == one.rate);
        CHECK(many.repaired_faces == one.repaired_faces);
        CHECK(many.rejections.size() == one.rejections.size());
        CHECK(identical(many.fields(), one.fields()));
      }
    }
  CHECK(repaired_faces > 0);
  CHECK(rejections > 0);
}

TEST_CASE("every deck gives the same bits whatever the threads, through its rejections and remedies") {
  std::size_t rejections = 0;
  for (const TestDeck& deck : test_decks()) {
    if (!deck.skipped().empty()) {
      MESSAGE(deck.skipped());
      continue;
    }
    CaseRun one(deck.name, deck.overrides, 1), three(deck.name, deck.overrides, 3);
    const DriveEnd end = one.run();
    INFO(deck.key());
    CHECK(three.run() == end);
    CHECK(three.state.time == one.state.time);
    CHECK(three.state.step == one.state.step);
    CHECK(three.rate == one.rate);
    CHECK(three.repaired_faces == one.repaired_faces);
    CHECK(three.rejections.size() == one.rejections.size());
    CHECK(three.solver->totals() == one.solver->totals());
    CHECK(identical(three.fields(), one.fields()));
    rejections += one.rejections.size();
  }
  CHECK(rejections > 10);
}

TEST_CASE("a run that is taken up again at any step gives the same bits") {
  for (const std::string precision : {"double", "single"})
    for (const auto& [deck, overrides] : kVariety) {
      const Overrides all = with(overrides, {"scheme.precision=" + precision});
      const CaseRun whole = stepped(7, deck, all);
      for (const int at : {1, 2, 5}) {
        const CaseRun first = stepped(at, deck, all);
        CaseRun second(deck, all);
        second.go_on_from(first);
        second.run(7);
        INFO(deck, " ", precision, " cut after step ", at);
        CHECK(second.state.time == whole.state.time);
        CHECK(second.rate == whole.rate);
        CHECK(identical(second.fields(), whole.fields()));
      }
    }
}

TEST_CASE("a step redone with a halved dt is the step that took it at once") {
  for (const std::string precision : {"double", "single"}) {
    // This run is rejected four times before its first step, and again at step 4 on the way up.
    CaseRun redone("sod", {"time.dt=0.02", "scheme.precision=" + precision});
    redone.run(4);
    const auto first = redone.rejections.size();
    REQUIRE(first >= 2);
    const Fields after_four = redone.fields();
    redone.run(8);
    REQUIRE(redone.rejections.size() > first);

    CaseRun direct("sod", {"time.dt=0.02", "scheme.precision=" + precision});
    direct.limits.fixed_dt = std::ldexp(0.02, -static_cast<int>(first));
    direct.run(4);
    CHECK(direct.rejections.empty());
    CHECK(direct.state.time == redone.steps[3].time_after);
    CHECK(identical(direct.fields(), after_four));

    REQUIRE(redone.steps[4].dt == redone.steps[3].dt);  // regrown once, halved once
    direct.run(8);
    CHECK(identical(direct.fields(), redone.fields()));
  }
}

TEST_CASE("an attempt leaves U^n alone until it is accepted, even one that ends in NaN") {
  for (const auto& [deck, overrides] : kVariety) {
    CaseRun tried(deck, overrides), calm(deck, overrides);
    tried.run(3);
    calm.run(3);
    const Fields before = tried.fields();
    for (const double dt : {1e3, 1e-3, 1e300}) {
      const AttemptResult verdict = tried.attempt(dt, std::numeric_limits<double>::denorm_min());
      CHECK_FALSE(verdict.accepted);
      CHECK(verdict.raised == (dt > 1));
      CHECK(identical(tried.fields(), before));
    }
    tried.run(6);
    calm.run(6);
    INFO(deck);
    CHECK(identical(tried.fields(), calm.fields()));
  }
}
