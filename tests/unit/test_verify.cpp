// The checks of `halfstep verify`: that they are declared soundly, and that what they find is told.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "app/embedded.hpp"
#include "app/verify/checks.hpp"
#include "app/verify/measured.hpp"
#include "app/verify/report.hpp"

using namespace halfstep;

namespace {

const Machine kHost{.backend = "host", .threads = 1};

/// Sod's tube on few cells, with a bar for its L1.
Check tube(const Bar& bar) {
  return {.name = "tube",
          .deck = "sod",
          .runs = {{cells(32)}, {cells(64)}},
          .judged = {l1(bar, "a test")},
          .curve = density_along_x};
}

}  // namespace

TEST_CASE(
    "every check has a name of its own, a deck that the program carries, and bars that say where they come "
    "from") {
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
