// The study `timers`: what it says of given figures, and what it can measure without a GPU.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "app/commands/study.hpp"
#include "app/study/timers.hpp"
#include "physics/solver.hpp"
#include "tests/unit/temporary_directory.hpp"

namespace {

using namespace halfstep;

VectorAddRun run_of(std::array<double, kTimers> total, double first_call) {
  VectorAddRun run{total, {}};
  run.part.fill(0.001);
  run.part[kFirstCall] = first_call;
  return run;
}

/// In seconds; a machine where everything is as the findings say.
TimerFigures figures_of_a_k80() {
  TimerFigures figures;
  for (int n = -1; n <= 1; ++n) {
    const double gettimeofday = 0.3 + 0.02 * n, others = 0.3 + 0.003 * n;
    figures.cold.push_back(run_of({0.5 + 0.02 * n, 0.3, 0.4, 0.45}, 0.18));
    figures.warm.push_back(run_of({gettimeofday, others, others, others}, 0.0001));
    figures.kernel.not_ready += 1;
    for (int timer = 0; timer < kTimers; ++timer) {
      figures.kernel.waited[timer].push_back(timer == kCudaEvent ? 300e-6 : 330e-6);
      if (timer != kCudaEvent) figures.kernel.launched[timer].push_back(5e-6);
    }
  }
  figures.costs = {{"chrono", "wall time", 2e-8, 1e-9}};
  figures.uses = {{"a sleep", 0.01, 0.0001}, {"work of two threads", 0.01, 0.02}};
  return figures;
}

const Finding& finding(const StudyReport& report, const std::string& claim) {
  const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                  [&](const Finding& f) { return contains(f.claim, claim); });
  REQUIRE(found != report.findings.end());
  return *found;
}

TEST_CASE("timers: figures like those of 2016 let every finding hold") {
  const StudyReport report = timers_report(figures_of_a_k80());
  CHECK(report.findings.size() == 9);
  for (const Finding& f : report.findings) {
    INFO(f.claim);
    CHECK(f.standing == Standing::holds);
  }
  const Finding& cold = finding(report, "Cold takes longer");
  CHECK(contains(cold.there, "1.64 (535.2 / 327 ms)"));
  CHECK(contains(cold.here, "1.67 (500 / 300 ms)"));
  CHECK(contains(cold.why, "Of 200 ms between them 179.9 are in the first call"));
  CHECK(contains(finding(report, "reads the launch").why, "in 3 of 3 launches"));
}

TEST_CASE("timers: one clock in two runs was no difference of clocks; launches may outlast their kernel") {
  TimerFigures figures = figures_of_a_k80();
  for (VectorAddRun& run : figures.cold) run.total[kChrono] = run.total[kGettimeofday];
  for (VectorAddRun& run : figures.warm) run.total = {0.3, 0.3, 0.2, 0.3};
  figures.kernel.waited[kCudaEvent] = {2e-6, 2e-6, 2e-6};
  const StudyReport report = timers_report(figures);
  CHECK(finding(report, "Cold, chrono reads less").standing == Standing::gone);
  CHECK(finding(report, "all four agree").standing == Standing::gone);
  CHECK(contains(finding(report, "all four agree").why, "asleep in part"));
  CHECK(finding(report, "reads the launch").standing == Standing::reversed);
}

TEST_CASE("timers: median, mean and deviation of what was measured; events have no time without a wait") {
  const Table table = timers_report(figures_of_a_k80()).table;
  REQUIRE(table.rows.size() == 4 * kTimers);
  const std::vector<Cell>& cold = table.rows[0];
  CHECK(std::get<double>(cold[3]) == doctest::Approx(500));
  CHECK(std::get<double>(cold[4]) == doctest::Approx(500));
  CHECK(std::get<double>(cold[5]) == doctest::Approx(20));
  CHECK(std::get<std::string>(table.rows[3 * kTimers + kCudaEvent][3]) == "-");
  CHECK(std::get<double>(table.rows[3 * kTimers + kClock][3]) == doctest::Approx(0.005));
}

TEST_CASE("timers: cold starts that could not be had are not measured, and the rest is") {
  TimerFigures figures = figures_of_a_k80();
  figures.cold.clear();
  figures.no_cold = "CUDA was used before";
  const StudyReport report = timers_report(figures);
  for (const Finding& f : report.findings) {
    INFO(f.claim);
    const bool is_cold = f.claim.starts_with("Cold");
    CHECK((f.standing == Standing::not_measured) == is_cold);
    if (is_cold) CHECK(f.why == "CUDA was used before");
  }
  CHECK(std::get<std::string>(report.table.rows[0][3]) == "not measured");
  CHECK(report.more.front().name == "parts");
}

TEST_CASE("halfstep study timers: the clocks of the host are measured with or without a GPU") {
  const TemporaryDirectory directory;
  CHECK(study({.name = "timers", .output = directory.path().string()}) == 0);
  const auto json = nlohmann::json::parse(contents(directory / "timers.json"));
  const bool has_device = cuda_available();
  for (const auto& row : json.at("rows"))
    if (row.at("measured") == "warm") CHECK(row.at("median (ms)").is_number() == has_device);
  const auto& findings = json.at("findings");
  CHECK(findings.at(4).at("standing") != (has_device ? "not measured" : "holds"));
  CHECK(findings.back().at("standing") == "holds");  // that clock() does not count a sleep
  const std::string calls = contents(directory / "timers_calls.csv");
  CHECK(contains(calls, "gettimeofday,wall time,"));
  CHECK(contains(calls, "clock,processor time of all threads,"));
}

}  // namespace
