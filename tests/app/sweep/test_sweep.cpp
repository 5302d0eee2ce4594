#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>

#include "app/sweep/axes.hpp"
#include "app/sweep/beside.hpp"
#include "app/sweep/results.hpp"
#include "tests/support/shell.hpp"

using namespace halfstep;

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// A finished run whose errors of the density are `error`.
SweepResult result(const Words& values, const std::array<int, 3>& cells, double error) {
  const Json summary = {{"steps", 7},
                        {"time", 0.2},
                        {"rejections", 0},
                        {"wall_seconds", 0.5},
                        {"verdict", {{"density", {{"l1", error}}}}}};
  return {.values = values, .cells = cells, .status = "finished", .summary = summary};
}

const std::string kSweep =
    "sweep sod.yaml scheme.riemann=hll,roe mesh.cells.x=16,32 --backend host --output s";
const std::string kFirst = "s/scheme.riemann=hll,mesh.cells.x=16",
                  kLast = "s/scheme.riemann=roe,mesh.cells.x=32";

}  // namespace

TEST_CASE("Values of an axis are split at commas outside brackets, braces and quotation marks") {
  CHECK(parse_axis("scheme.riemann=hll, hllc,roe").values == Words{"hll", "hllc", "roe"});
  CHECK(parse_axis("mesh.cells=[8, 8, 1],[16, 16, 1]").values == Words{"[8, 8, 1]", "[16, 16, 1]"});
  CHECK(parse_axis("case.left={density: 1, pressure: 2},{density: 2}").values ==
        Words{"{density: 1, pressure: 2}", "{density: 2}"});
  CHECK(parse_axis("title='a, b',\"c, d\"").values == Words{"'a, b'", "\"c, d\""});
  CHECK(parse_axis("time.cfl=0.3").values == Words{"0.3"});
  CHECK(contains(refusal([] { parse_axis("time.cfl=0.3,,0.4"); }), "has an empty value"));
  CHECK(contains(refusal([] { parse_axis("time.cfl=0.3,0.4,0.3"); }), "has the value '0.3' twice"));
}

TEST_CASE("Combinations go through the last axis fastest, and their names suit directories") {
  const std::vector<SweepAxis> axes = {{"scheme.riemann", {"hll", "roe"}},
                                       {"mesh.cells", {"[8, 8, 1]", "16"}}};
  const auto all = combinations(axes);
  REQUIRE(all.size() == 4);
  CHECK(all[1] == Words{"hll", "16"});
  CHECK(all[2] == Words{"roe", "[8, 8, 1]"});
  CHECK(combination_name(axes, all[0]) == "scheme.riemann=hll,mesh.cells=_8,_8,_1_");
}

TEST_CASE("Orders are between a mesh and the next coarser one of runs that are otherwise alike") {
  const std::vector<SweepAxis> axes = {{"mesh.cells", {"64", "16", "32"}},
                                       {"scheme.riemann", {"hll", "roe"}}};
  std::vector<SweepResult> results;
  for (const int n : {64, 16, 32}) {
    results.push_back(result({std::to_string(n), "hll"}, {n, n, 1}, 1.0 / n));
    results.push_back(result({std::to_string(n), "roe"}, {n, n, 1}, 5 * std::pow(n, -2.0)));
  }
  const Table table = sweep_table(axes, results);
  CHECK(table.columns == Words{"mesh.cells", "scheme.riemann", "status", "steps", "rejections", "seconds",
                               "L1 density", "order density"});
  const auto order = [&](std::size_t row) { return std::get<double>(table.rows[row].back()); };
  CHECK(table.rows[0][0] == Cell(std::int64_t{64}));
  CHECK(table.rows[0][1] == Cell(std::string("hll")));
  CHECK(order(0) == doctest::Approx(1));
  CHECK(order(1) == doctest::Approx(2));
  CHECK(std::holds_alternative<std::monostate>(table.rows[2].back()));  // the coarsest
  CHECK(order(5) == doctest::Approx(2));

  (*results[3].summary)["time"] = 0.1;  // 16 cells, roe: stopped
  CHECK(std::holds_alternative<std::monostate>(sweep_table(axes, results).rows[5].back()));
  results[4].summary.reset();  // 32 cells, hll: not there yet
  CHECK(std::holds_alternative<std::monostate>(sweep_table(axes, results).rows[0].back()));
}

TEST_CASE("A sweep without meshes or exact solutions has no orders and no errors") {
  const std::vector<SweepAxis> axes = {{"scheme.riemann", {"hll", "roe"}}};
  CHECK(sweep_table(axes, {result({"hll"}, {8, 1, 1}, 1)}).columns.back() == "L1 density");
  CHECK(sweep_table(axes, {{.values = {"hll"}}}).columns.back() == "seconds");
}

TEST_CASE("A sweep runs every combination, and no run that has its result") {
  const Shell halfstep;
  halfstep.expect(0, kSweep, {"4 of 4  scheme.riemann=roe,mesh.cells.x=32: finished\n", "order density"});
  CHECK(lines(halfstep / "s/sweep.csv").size() == 5);
  const Json json = Json::parse(contents(halfstep / "s/sweep.json"));
  CHECK(json.at("rows").at(3).at("directory") == fs::path(kLast).filename().string());
  CHECK(contains(contents(halfstep / (kLast + "/deck.yaml")), "cells: [32, 1, 1]"));

  halfstep.expect(0, kSweep, {"1 of 4  scheme.riemann=hll,mesh.cells.x=16: finished, as it was\n"});
  halfstep.expect(0, "sweep sod.yaml scheme.riemann=hll,roe mesh.cells.x=16,32,48 --backend host --output s",
                  {"scheme.riemann=roe,mesh.cells.x=32: finished, as it was\n",
                   "scheme.riemann=roe,mesh.cells.x=48: finished\n"});
}

TEST_CASE("A sweep does again what has changed or failed, and goes on with what was stopped") {
  const Shell halfstep;
  halfstep.expect(0, kSweep);
  const fs::path stopped = halfstep / (kLast + "/summary.json");
  halfstep.write(kFirst + "/summary.json", "{\"status\": \"failed\"}");
  std::string summary = contents(stopped);
  summary.replace(summary.find("finished"), 8, "interrupted");
  halfstep.write(kLast + "/summary.json", summary);
  const Outcome again = halfstep.expect(0, kSweep);
  CHECK(contains(again.out, "1 of 4  scheme.riemann=hll,mesh.cells.x=16: finished\n"));
  CHECK(contains(again.out, "2 of 4  scheme.riemann=hll,mesh.cells.x=32: finished, as it was\n"));
  CHECK(contains(contents(halfstep / (kLast + "/events.jsonl")), "\"event\":\"restart\""));
  CHECK(contains(contents(stopped), "\"status\": \"finished\""));

  const Outcome changed = halfstep.expect(0, kSweep + " time.end=0.1");
  CHECK_FALSE(contains(changed.out, "as it was"));
  CHECK(halfstep.has(kFirst + ".previous"));
}

TEST_CASE("Runs beside each other give what runs in turn give") {
  const Shell halfstep;
  const Outcome out = halfstep.expect(0, kSweep + " --jobs 3", {"order density"});
  for (int n = 1; n <= 4; ++n) CHECK(contains(out.out, fmt::format("{} of 4  scheme.riemann=", n)));
  const Json beside = Json::parse(contents(halfstep / "s/sweep.json"));
  halfstep.expect(0, "sweep sod.yaml scheme.riemann=hll,roe mesh.cells.x=16,32 --backend host --output t");
  const Json in_turn = Json::parse(contents(halfstep / "t/sweep.json"));
  for (std::size_t n = 0; n < 4; ++n)
    for (const char* key : {"directory", "status", "steps", "L1 density"})
      CHECK(beside.at("rows").at(n).at(key) == in_turn.at("rows").at(n).at(key));
  const Outcome again = halfstep.expect(0, kSweep + " --jobs 3");
  CHECK(contains(again.out, "4 of 4  scheme.riemann=roe,mesh.cells.x=32: finished, as it was\n"));
  halfstep.expect(2, "sweep sod.yaml scheme.riemann=hll,roe --jobs 2 --output u", {"--jobs is for runs on"});
  CHECK_FALSE(halfstep.has("u"));
  halfstep.write("s/time.dt=0.001", "a file where a directory has to be");
  halfstep.expect(1,
                  "sweep sod.yaml time.dt=0.001,0.1 soft_error.max_halvings=0 soft_error.on_exhausted=abort "
                  "mesh.cells=64 --backend host --jobs 2 --output s",
                  {"time.dt=0.001"});
  CHECK(contains(contents(halfstep / "s/sweep.csv"), "0.1,exhausted,"));
  CHECK(contains(contents(halfstep / "s/sweep.csv"), "0.001,failed,"));
}

TEST_CASE("Runs beside each other go on where their decks took threads to read") {
  const Shell halfstep;
  halfstep.expect(0, "sweep " HALFSTEP_SOURCE_DIR
                     "/inputs/vortex_bent.yaml scheme.riemann=rusanov,hllc mesh.cells=[4,4,1] time.end=0.1 "
                     "--backend host --jobs 2 --threads 2 --output s");
  for (const char* riemann : {"rusanov", "hllc"})
    CHECK(contains(contents(halfstep / "s/sweep.csv"), fmt::format("{},finished,", riemann)));
}

TEST_CASE("A signal to a sweep stops the runs beside each other with their checkpoints") {
  std::vector<int> codes;
  const pid_t parent = ::getpid();
  const bool stopped = work_beside(
      5, 2,
      [&](std::size_t n) {
        static volatile std::sig_atomic_t told = 0;
        struct sigaction action {};
        action.sa_handler = [](int) { told = 1; };
        ::sigaction(SIGTERM, &action, nullptr);
        if (n == 1) ::usleep(500'000);  // by then the other has begun
        if (n == 1) ::kill(parent, SIGTERM);
        for (int tenth = 0; tenth < 100 && !told; ++tenth) ::usleep(100'000);
        return told ? 4 : 0;
      },
      [&](std::size_t, int code) { codes.push_back(code); });
  CHECK(stopped);
  CHECK(codes == std::vector<int>{4, 4});
}

TEST_CASE("Work beside each other ends where the ends of processes are ignored, too") {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  std::vector<int> codes;
  CHECK_FALSE(work_beside(
      3, 2, [](std::size_t n) { return static_cast<int>(n); },
      [&](std::size_t, int code) { codes.push_back(code); }));
  std::signal(SIGCHLD, before);
  std::sort(codes.begin(), codes.end());
  CHECK(codes == std::vector<int>{0, 1, 2});
}

TEST_CASE("A sweep with a value that is not possible runs nothing") {
  const Shell halfstep;
  halfstep.expect(2, "sweep sod.yaml scheme.riemann=hll,hlcl --output s", {"did you mean 'hll'?"});
  halfstep.expect(2, "sweep sod.yaml mesh.cells.x=16,none --output s", {"takes an integer, not 'none'"});
  halfstep.expect(2, "sweep sod.yaml mesh.cells.w=16,32 --output s", {"mesh.cells.w"});
  halfstep.expect(2, "sweep sod.yaml scheme.riemann=hll --output s", {"no key has several values"});
  halfstep.expect(2, "sweep sod.yaml time.cfl=0.3,0.4 time.cfl=0.2 --output s",
                  {"'time.cfl' is given twice"});
  halfstep.expect(2, "sweep scheme.riemann=hll,roe --output s", {"no deck given"});
  CHECK_FALSE(halfstep.has("s"));
}

TEST_CASE("A run that gives up or fails does not keep a sweep from the others") {
  const Shell halfstep;
  halfstep.expect(3,
                  "sweep sod.yaml time.dt=0.001,0.1 soft_error.max_halvings=0 soft_error.on_exhausted=abort "
                  "mesh.cells=64 --backend host --output s");
  CHECK(contains(contents(halfstep / "s/sweep.csv"), "0.1,exhausted,"));
  fs::remove_all(halfstep / "s/time.dt=0.001");
  halfstep.write("s/time.dt=0.001", "a file where a directory has to be");
  halfstep.expect(1, "sweep sod.yaml time.dt=0.001,0.002 mesh.cells=64 --backend host --output s",
                  {"time.dt=0.001"});
  CHECK(contains(contents(halfstep / "s/sweep.csv"), "0.001,failed,"));
  CHECK(contains(contents(halfstep / "s/sweep.csv"), "0.002,finished,"));
}
