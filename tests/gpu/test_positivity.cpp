// Limited fluxes on a device equal those of the host and keep states admissible as well.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/run_case.hpp"

using namespace halfstep;

namespace {

CaseRun on(const std::string& backend, const std::string& deck, const Overrides& overrides) {
  CaseRun run(deck, with(overrides, {"positivity=hu_adams_shu"}), 0, backend);
  run.run();
  return run;
}

/// Returns the largest difference of the densities, relative to the largest density.
double difference(const CaseRun& a, const CaseRun& b) {
  const auto x = a.fields().conserved[0], y = b.fields().conserved[0];
  return difference_norms(x, y).linf / *std::max_element(x.begin(), x.end());
}

/// Returns overrides for streams that part along an axis so fast that they leave a vacuum.
Overrides parting(int axis) {
  const auto along = [&](const std::string& value, const std::string& others) {
    std::string list;
    for (int n = 0; n < 3; ++n) list += (n > 0 ? ", " : "[") + (n == axis ? value : others);
    return list + "]";
  };
  const std::string name(1, "xyz"[axis]);
  return {"case.axis=" + name, "mesh.cells=" + along("150", "1"),
          "case.left={density: 1, velocity: " + along("-4", "0") + ", pressure: 0.4}",
          "case.right={density: 1, velocity: " + along("4", "0") + ", pressure: 0.4}",
          "mesh.boundary." + name + "=[periodic, periodic]"};
}

const char* const kSchemes[] = {"constant", "plm", "ppm", "weno5z"};

}  // namespace

TEST_CASE("host and CUDA limit alike") {
  // Vacua along every axis, where fluxes are limited from the first step on, and the start of a jet.
  std::vector<std::pair<std::string, Overrides>> rows;
  for (int axis = 0; axis < 3; ++axis) rows.emplace_back("toro_2", with(parting(axis), {"time.end=0.03"}));
  rows.emplace_back("jet", Overrides{"mesh.cells=[70,50,1]", "time.cfl=0.25", "time.max_steps=40"});
  rows.emplace_back("sedov_3d", Overrides{"mesh.cells=[24,24,24]", "time.end=0.05", "time.cfl=0.16"});
  for (const auto& [deck, overrides] : rows)
    for (const std::string scheme : kSchemes)
      for (const std::string variables : {"primitive", "characteristic"}) {
        const Overrides all =
            with(overrides, {"scheme.reconstruction=" + scheme, "scheme.variables=" + variables});
        const CaseRun host = on("host", deck, all), cuda = on("cuda", deck, all);
        INFO(deck, " ", scheme, " ", variables);
        CHECK(host.state.step == cuda.state.step);
        CHECK(host.rejections.size() == cuda.rejections.size());
        CHECK(difference(host, cuda) <= (scheme == "ppm" ? 1e-6 : 1e-9));
      }
}

TEST_CASE("on CUDA nothing has to be redone with limited fluxes, in either precision") {
  for (const std::string scheme : kSchemes)
    for (const std::string precision : {"double", "single"})
      for (const auto& [deck, overrides] :
           {std::pair<std::string, Overrides>{"toro_2", {}},
            {"sedov_2d", {"mesh.cells=[48,48,1]", "time.end=0.2", "time.cfl=0.25"}},
            {"sedov_3d", {"mesh.cells=[24,24,24]", "time.end=0.1", "time.cfl=0.16"}}}) {
        const Overrides all =
            with(overrides, {"scheme.reconstruction=" + scheme, "scheme.precision=" + precision});
        const CaseRun run = on("cuda", deck, all);
        INFO(deck, " ", scheme, " ", precision);
        CHECK(run.state.time == run.limits.end);
        CHECK(run.rejections.empty());
      }
  for (const std::string scheme : kSchemes) {
    const CaseRun jet = on("cuda", "jet",
                           {"mesh.cells=[128,64,1]", "time.cfl=0.25", "scheme.reconstruction=" + scheme}),
                  tube = on("cuda", "leblanc", {"scheme.reconstruction=" + scheme});
    INFO(scheme);
    CHECK(jet.state.time == jet.limits.end);
    CHECK(jet.rejections.empty());
    CHECK(tube.state.time == tube.limits.end);
    CHECK(tube.rejections.empty());
  }
}

TEST_CASE("where nothing has to be limited the fields on CUDA are those without the limiter") {
  const Overrides overrides = {"mesh.cells=[50,70,1]", "time.end=1"};
  CaseRun without("isentropic_vortex", overrides, 0, "cuda");
  without.run();
  CHECK(identical(on("cuda", "isentropic_vortex", overrides).fields(), without.fields()));
}

TEST_CASE("a step too long for the limiter is replayed on CUDA, and a remedy beside a vacuum loses nothing") {
  const auto made = [&](const Overrides& more) {
    const Overrides all = with(parting(0), {"time.end=0.06", "positivity=hu_adams_shu"});
    return CaseRun("toro_2", with(all, more), 0, "cuda");
  };
  CaseRun too_long = made({"time.cfl=3", "soft_error.cfl_limit=0"});
  too_long.run(20);
  REQUIRE(!too_long.rejections.empty());
  for (const Rejection& rejection : too_long.rejections) CHECK(rejection.replay.reproduced);

  CaseRun mended = made({"inject.step=20", "inject.cell=[70,0,0]", "soft_error.max_halvings=0"});
  mended.wants_totals = true;
  mended.run(60);
  CHECK(mended.remedied.size() == 1);
  CHECK(mended.totals.back().mass == doctest::Approx(mended.totals.front().mass).epsilon(1e-13));
  CHECK(mended.totals.back().energy == doctest::Approx(mended.totals.front().energy).epsilon(1e-13));
}
