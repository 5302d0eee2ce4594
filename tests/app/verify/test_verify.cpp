// The checks of `halfstep verify`: they are declared soundly, and their findings are reported.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/base/embedded.hpp"
#include "app/verify/checks.hpp"
#include "app/verify/measured.hpp"
#include "app/verify/report.hpp"
#include "physics/accuracy/norms.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

const Machine kHost{.backend = "host", .threads = 1};

/// Returns a check of Sod's tube on few cells, with a bar for its L1.
Check tube(const Bar& bar) {
  return {.name = "tube",
          .deck = "sod",
          .runs = {{cells(32)}, {cells(64)}},
          .judged = {l1(bar, "a test")},
          .curve = density_along_x};
}

const Check& check_of(const std::string& name) {
  for (const CheckGroup& group : check_groups())
    for (const Check& check : group.checks)
      if (check.name == name) return check;
  throw std::logic_error("no check " + name);
}

}  // namespace

TEST_CASE("every check has a name of its own, a deck the program carries, and bars with their source") {
  std::set<std::string> names;
  for (const CheckGroup& group : check_groups()) {
    INFO(group.name);
    CHECK(names.insert(group.name).second);
    CHECK_FALSE(group.checks.empty());
    for (const Check& check : group.checks) {
      INFO(check.name);
      CHECK(names.insert(check.name).second);
      CHECK_FALSE(embedded_text("inputs/" + check.deck + ".yaml").empty());
      CHECK_FALSE(check.judged.empty());
      for (const Judged& judged : check.judged) {
        CHECK_FALSE(judged.source.empty());
        CHECK(judged.bar.low <= judged.bar.high);
        CHECK((std::isfinite(judged.bar.low) || std::isfinite(judged.bar.high)));
      }
    }
  }
}

TEST_CASE("a check passes within its bar, fails beyond it, and says what it saw") {
  const CheckOutcome good = outcome_of(tube(no_more_than(0.1)), "riemann", kHost);
  const CheckOutcome bad = outcome_of(tube(no_more_than(1e-9)), "riemann", kHost);
  CHECK(good.passed());
  CHECK_FALSE(bad.passed());
  REQUIRE(good.runs.size() == 2);
  CHECK(good.runs[1].cells == std::array<int, 3>{64, 1, 1});
  CHECK(good.runs[1].error->l1 == good.judged[0].value);
  CHECK(*good.order == doctest::Approx(std::log2(good.runs[0].error->l1 / good.runs[1].error->l1)));
  CHECK(good.curve->x.size() == 64);
  CHECK(good.curve->line_y.size() == 64);

  const std::string text = table_text(verify_table({good, bad}), 200);
  for (const char* said :
       {"tube", "weno5z characteristic hllc ssprk3", "64", "PASS", "FAIL", "<= 1e-09", "[1] a test"})
    CHECK(text.find(said) != std::string::npos);
  const Json json = verify_json({good, bad}, Extent::quick, "host", {});
  CHECK(json["passed"] == false);
  CHECK(json["checks"][0]["passed"] == true);
  CHECK(json["checks"][1]["judged"][0]["at_most"] == 1e-9);
  CHECK(json["checks"][1]["judged"][0]["source"] == "a test");
  CHECK(json["checks"][0]["runs"][1]["l1"] == good.judged[0].value);
}

TEST_CASE("NaN is within no bar") {
  Check check = tube(no_more_than(1));
  check.judged[0].value = [](const Results&) { return std::nan(""); };
  CHECK_FALSE(outcome_of(check, "riemann", kHost).passed());
}

TEST_CASE("a run that gives up fails its check") {
  Check check = tube(no_more_than(1));
  check.overrides = {"time.dt=1", "soft_error.max_halvings=0", "soft_error.on_exhausted=abort"};
  const CheckOutcome outcome = outcome_of(check, "riemann", kHost);
  CHECK_FALSE(outcome.passed());
  CHECK_FALSE(outcome.gave_up.empty());
  CHECK(table_text(verify_table({outcome}), 200).find("FAIL") != std::string::npos);
}

TEST_CASE("in a tube whose contact moves, a limiter that spreads it too far misses the bar") {
  Check second = check_of("lax_plm"), fifth = check_of("lax");
  CHECK(outcome_of(second, "riemann", kHost).passed());
  CHECK(outcome_of(fifth, "riemann", kHost).passed());
  second.runs.back().push_back("scheme.limiter=minmod");
  fifth.runs.back() = second.runs.back();
  CHECK_FALSE(outcome_of(second, "riemann", kHost).passed());
  CHECK_FALSE(outcome_of(fifth, "riemann", kHost).passed());
}

TEST_CASE("a scheme one notch below the one that a check names misses its bar") {
  const Overrides second = {"scheme.reconstruction=plm", "scheme.limiter=mc"},
                  rusanov = {"scheme.riemann=rusanov"};
  const std::pair<const char*, Overrides> lesser[] = {
      {"sod", second},
      {"sod", {"scheme.reconstruction=plm"}},
      {"sod", rusanov},
      {"lax", second},
      {"toro_1", second},
      {"toro_3", second},
      {"toro_4", second},
      {"leblanc", second},
      {"leblanc", rusanov},
      {"noh_3d", rusanov},
      {"viscous_shock_4", {"scheme.viscous_order=2"}},
      {"gresho_mach_0.1", {"scheme.riemann=hllc"}},
      {"gresho_mach_0.01", {"scheme.variables=characteristic"}},
      {"gresho_mach_0.01", {"scheme.riemann=hllc"}},
      {"richtmyer_meshkov", {"case.parameters.thickness=0.04"}},
      {"conservation_redone_steps", {"scheme.riemann=hllc"}}};  // this one needs no remedy
  for (const auto& [name, scheme] : lesser) {
    Check check = check_of(name);
    Overrides& last = check.runs.empty() || check.runs.front().front().starts_with("mesh.cells")
                          ? check.overrides
                          : check.runs.back();
    last.insert(last.end(), scheme.begin(), scheme.end());
    INFO(name, " with ", scheme.front());
    const CheckOutcome outcome = outcome_of(check, "lesser", kHost);
    CHECK(outcome.gave_up.empty());
    CHECK_FALSE(outcome.passed());
  }
}

TEST_CASE("a flow that is taken from the cell beside is no carried wave, along any axis") {
  const Check& check = check_of("carried_wave_weno5z_hllc");
  const DeckRun run = run_deck(check.deck, check.overrides, kHost);
  const auto passes = [&](const DeckRun& judged) {
    const Results results{
        {judged},
        {exact_error(judged.fields, *judged.config.flow_case, judged.mesh(), judged.gas(), judged.time)
             .front()
             .second}};
    return std::all_of(check.judged.begin(), check.judged.end(),
                       [&](const Judged& j) { return j.bar.holds(j.value(results)); });
  };
  CHECK(passes(run));
  const std::array<int, 3>& n = run.mesh().cells;
  for (int axis = 0; axis < 3; ++axis)
    for (int fields = 1; fields <= kFields; fields += kFields - 1) {  // density alone, and all of them
      DeckRun shifted = run;
      for (int f = 0; f < fields; ++f)
        for (int k = 0; k < n[2]; ++k)
          for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i) {
              std::array<int, 3> from{i, j, k};
              from[axis] = (from[axis] + 1) % n[axis];
              shifted.fields.conserved[f][(k * n[1] + j) * n[0] + i] =
                  run.fields.conserved[f][(from[2] * n[1] + from[1]) * n[0] + from[0]];
            }
      INFO(axis, ", fields ", fields);
      CHECK_FALSE(passes(shifted));
    }
}

TEST_CASE("channels are judged by their temperature, too") {
  for (const char* name : {"couette", "poiseuille"}) {
    const Check& check = check_of(name);
    Results results;
    for (const Overrides& own : check.runs) {
      Overrides all = check.overrides;
      all.insert(all.end(), own.begin(), own.end());
      results.runs.push_back(run_deck(check.deck, all, kHost));
    }
    const Judged& temperature = check.judged.back();
    INFO(name);
    CHECK(temperature.bar.holds(temperature.value(results)));
    for (double& energy : results.runs.back().fields.conserved[4]) energy *= 1.001;
    CHECK_FALSE(temperature.bar.holds(temperature.value(results)));
  }
}

TEST_CASE("the dissipation of Taylor and Green's vortex is judged by the file of direct simulation") {
  // Reads the rows of the file as text.
  const std::string file =
      contents(std::filesystem::path(HALFSTEP_SOURCE_DIR) / "tests/reference/taylor_green_re1600.csv");
  CHECK(contains(file, "\ntime,kinetic_energy,dissipation\n5,,0.004127\n8.98,,0.01286\n"));
  CHECK(file.ends_with("\n10,0.074479,0.011272\n"));

  const Check& check = check_of("taylor_green_re1600_256");
  Results results{.runs = {DeckRun{}}, .errors = {}};
  // The value of -dE/dt at 8 is the mean of 0.03 and 0.01.
  for (const auto& [time, energy] : {std::pair{7.0, 0.12}, {8.0, 0.09}, {9.0, 0.08}, {10.0, 0.07}})
    results.runs[0].samples.push_back({time, energy});
  CHECK(check.judged[0].value(results) == doctest::Approx(0.02 / 0.01286));
  CHECK(check.judged[1].value(results) == 8);
  CHECK(check.judged[1].bar.high == doctest::Approx(8.98 + 0.3));
  const Curve curve = check.curve(results.last());
  CHECK(curve.line_x == std::vector<double>{5, 8.98, 10});
  CHECK(curve.line_y == std::vector<double>{0.004127, 0.01286, 0.011272});
}

TEST_CASE("a probe looks at the start, at every multiple of its interval and at the end") {
  const Probe probe{.every = 0.08,
                    .value = [](const RunConfig&, Solver& solver) { return solver.totals().mass; }};
  const DeckRun run = run_deck("sod", {cells(32)}, kHost, probe);
  REQUIRE(run.samples.size() == 4);
  CHECK(run.samples[1].time == 0.08);
  CHECK(run.samples[3].time == 0.2);
  CHECK(run.samples[0].value == run.before.mass);
  CHECK(run.samples[3].value == run.after.mass);
  CHECK(run.time == 0.2);
}
