// Runs with positive fluxes: where these are needed nothing is redone, elsewhere no bit changes.
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "physics/diagnostics/totals.hpp"
#include "tests/support/run_case.hpp"

using namespace halfstep;

namespace {

Overrides limited(const Overrides& all) { return with(all, {"positivity=hu_adams_shu"}); }

/// Returns two streams that part along an axis; from a speed of 3.8 they leave a vacuum.
Overrides parting(const std::string& speed, const std::string& axis = "x") {
  const auto side = [&](const std::string& velocity) {
    return "{density: 1, velocity: " +
           (axis == "x" ? "[" + velocity + ", 0, 0]" : "[0, 0, " + velocity + "]") + ", pressure: 0.4}";
  };
  return {"case.axis=" + axis, "case.left=" + side("-" + speed), "case.right=" + side(speed),
          "time.end=0.06"};
}

/// Decks with shocks into near vacuum, and with vacua.
const std::pair<std::string, Overrides> kHard[] = {
    {"toro_2", {}},
    {"toro_2", parting("4")},
    {"toro_2", parting("6")},
    {"leblanc", {"mesh.cells=[300,1,1]"}},
    {"strong_blast", {"time.cfl=0.5"}},
    {"sedov_2d", {"mesh.cells=[32,32,1]", "time.end=0.2", "time.cfl=0.25"}},
    {"sedov_3d", {"mesh.cells=[16,16,16]", "time.end=0.1", "time.cfl=0.16"}},
    {"jet", {"mesh.cells=[64,32,1]", "time.end=0.0005", "time.cfl=0.25"}},
};

}  // namespace

TEST_CASE("with limited fluxes nothing has to be redone") {
  std::size_t rejections = 0;
  for (const auto& [deck, overrides] : kHard)
    for (const std::string scheme : {"weno5z", "ppm", "plm", "constant"}) {
      const Overrides all = with(overrides, {"scheme.reconstruction=" + scheme});
      INFO(deck, " ", scheme);
      CaseRun run(deck, limited(all));
      CHECK(run.run() == DriveEnd::finished);
      CHECK(run.rejections.empty());
      CaseRun without(deck, all);
      CHECK(without.run() == DriveEnd::finished);  // with the ladder's help
      rejections += without.rejections.size();
    }
  CHECK(rejections > 0);
}

TEST_CASE("where nothing has to be limited no bit changes") {
  for (const auto& [deck, overrides] :
       {std::pair<std::string, Overrides>{"entropy_wave", {"mesh.cells=[64,1,1]"}},
        {"sod", {"mesh.cells=[128,1,1]"}},
        {"isentropic_vortex", {"mesh.cells=[40,40,1]", "time.end=1"}},
        {"taylor_green", {"mesh.cells=[16,16,16]", "time.end=0.1", "time.cfl=0.16"}}}) {
    INFO(deck);
    CHECK(identical(finished(deck, limited(overrides)).fields(), finished(deck, overrides).fields()));
  }
}

TEST_CASE("limited fluxes lose nothing between cells, beside a remedy's neither") {
  // The streams part around a periodic ring; a fault beside the vacuum brings the remedy.
  for (const std::string axis : {"x", "z"}) {
    const bool along_x = axis == "x";
    CaseRun run("toro_2", limited(with(parting("4", axis),
                                       {along_x ? "mesh.cells=[150,1,1]" : "mesh.cells=[1,1,150]",
                                        "mesh.boundary." + axis + "=[periodic, periodic]", "inject.step=20",
                                        along_x ? "inject.cell=[70,0,0]" : "inject.cell=[0,0,70]",
                                        "soft_error.max_halvings=0"})));
    INFO(axis);
    run.wants_totals = true;
    run.run(60);
    CHECK(run.remedied.size() == 1);
    const Totals &begin = run.totals.front(), &end = run.totals.back();
    CHECK(end.mass == doctest::Approx(begin.mass).epsilon(1e-13));
    CHECK(end.energy == doctest::Approx(begin.energy).epsilon(1e-13));
  }
}

TEST_CASE("limited fluxes are the same bits for any number of threads") {
  const Overrides jet = {"mesh.cells=[70,50,1]", "time.cfl=0.25"};
  CaseRun one("jet", limited(jet), 1), three("jet", limited(jet), 3), without("jet", jet, 1);
  for (CaseRun* run : {&one, &three, &without}) run->run(60);
  CHECK(identical(one.fields(), three.fields()));
  CHECK_FALSE(identical(one.fields(), without.fields()));
}

TEST_CASE("a step too long for the limiter is replayed as it was made") {
  CaseRun run("strong_blast", limited({"time.cfl=3", "soft_error.cfl_limit=0"}));
  run.run(20);
  REQUIRE(!run.rejections.empty());
  for (const Rejection& rejection : run.rejections) CHECK(rejection.replay.reproduced);
}
