// The studies streams, timers and transfers: their verdicts on given figures, and all that needs no GPU.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/study/streams.hpp"
#include "app/study/study.hpp"
#include "app/study/timers.hpp"
#include "app/study/transfers.hpp"
#include "physics/solver/solver.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

using namespace halfstep;

Quartiles at(double milliseconds) {
  return {0.99e-3 * milliseconds, 1e-3 * milliseconds, 1.01e-3 * milliseconds};
}

/// Returns figures with copies up in 3 ms, kernels in 1, copies down in 2, and in one stream their sum.
StreamFigures streams_in(double depth_first, double breadth_first) {
  StreamFigures figures{};
  for (WorkloadTimes& times : figures.workload) {
    times.alone = {at(3), at(1), at(2)};
    times.together = {at(6), at(depth_first), at(breadth_first)};
  }
  figures.copy_engines = 2;
  figures.capability = 90;
  return figures;
}

VectorAddRun run_of(std::array<double, kTimers> total, double first_call) {
  VectorAddRun run{total, {}};
  run.part.fill(0.001);
  run.part[kFirstCall] = first_call;
  return run;
}

/// Returns figures in seconds of a machine on which all findings hold.
TimerFigures timers_of_a_k80() {
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

/// Returns figures of one size: pageable copies of the loop at 4 GB/s, pinned ones `faster` times as fast.
TransferStudy transfers_in(double faster) {
  TransferStudy study{.sizes = {4096, kLoopBytes, 1 << 30},
                      .host = {{kLoopBytes, {0.05, 0.05, 0.05}}},
                      .figures = TransferFigures{},
                      .why = {}};
  TransferSize size{4096, {}};
  for (auto& ways : size.seconds) ways.fill({3e-6, 4.096e-6, 5e-6});
  study.figures->sizes = {size, size};
  study.figures->sizes[1].bytes = kLoopBytes;
  const double pageable = kLoopCopies * static_cast<double>(kLoopBytes) / 4e9;
  for (int way = 0; way < kWays; ++way) {
    study.figures->loop[kPageable][way] = {pageable};
    study.figures->loop[kPinned][way] = {pageable / faster};
  }
  study.figures->dot = {Samples{0.060}, Samples{0.021}, Samples{0.020}, Samples{0.018}, Samples{0.001}};
  study.figures->dot_results.fill(exact_dot());
  return study;
}

/// Returns the standing of each finding, in order.
std::vector<Standing> standings(const StudyReport& report) {
  std::vector<Standing> all;
  for (const Finding& finding : report.findings) all.push_back(finding.standing);
  return all;
}

double number(const Table& table, std::size_t row, std::size_t column) {
  return std::get<double>(table.rows.at(row).at(column));
}

using enum Standing;

TEST_CASE("streams: findings hold on hardware like the lecture's; with a queue a stream two are gone") {
  CHECK(standings(streams_report({streams_in(6, 4), {}, "CUDA was used before"})) == std::vector(3, holds));
  const StudyReport report = streams_report({streams_in(3.3, 3.6), streams_in(6, 3.8), {}});
  CHECK(standings(report) == std::vector{gone, holds, gone});
  CHECK(report.findings[0].here == "1.82 (with the long kernel 1.82)");
  CHECK(report.more.at(1).name == "one_queue");
  CHECK(number(report.more[1], 5, 1) == doctest::Approx(6));
  StreamFigures wrong = streams_in(6, 4);
  wrong.wrong = 3;
  CHECK(streams_report({wrong, {}, ""}).failures.size() == 1);
  CHECK(streams_report({streams_in(6, 4), wrong, ""}).failures.size() == 1);
  CHECK(streams_report({streams_in(6, 4), {}, ""}).failures.empty());
}

TEST_CASE("streams: the bounds are the sum and the longest of what each engine takes alone") {
  const Table table = streams_report({streams_in(3.75, 4.5), {}, ""}).table;
  CHECK(number(table, 3, 1) == doctest::Approx(6));
  CHECK(number(table, 7, 1) == doctest::Approx(3));
  CHECK(number(table, 4, 4) == doctest::Approx(0).scale(1));
  CHECK(number(table, 5, 4) == doctest::Approx(75));
  CHECK(number(table, 6, 3) == doctest::Approx(6 / 4.5));
}

TEST_CASE("what the kernel of the streams makes: a mean over a ring of neighbours, then the generator") {
  std::vector<unsigned> a(512), b(512, 6);
  for (unsigned n = 0; n < 512; ++n) a[n] = 3 * n;
  CHECK(blended(a.data(), b.data(), 0, 0) == (0 + 3 + 6 + 18) / 6);
  CHECK(blended(a.data(), b.data(), 255, 0) == (3 * 255 + 0 + 3 + 18) / 6);
  CHECK(blended(a.data(), b.data(), 511, 0) == (3 * 511 + 3 * 256 + 3 * 257 + 18) / 6);
  CHECK(blended(a.data(), b.data(), 0, 1) == 4 * 1664525u + 1013904223u);
}

TEST_CASE("timers: figures like those of 2016 let every finding hold, clocks of one speed do not") {
  TimerFigures figures = timers_of_a_k80();
  const StudyReport report = timers_report(figures);
  CHECK(standings(report) == std::vector(9, holds));
  CHECK(std::any_of(report.findings.begin(), report.findings.end(),
                    [](const Finding& f) { return contains(f.here, "1.67 (500 / 300 ms)"); }));
  // The columns are median, mean and deviation; events have no time without a wait.
  REQUIRE(report.table.rows.size() == 4 * kTimers);
  CHECK(number(report.table, 0, 3) == doctest::Approx(500));
  CHECK(number(report.table, 0, 4) == doctest::Approx(500));
  CHECK(number(report.table, 0, 5) == doctest::Approx(20));
  CHECK(std::get<std::string>(report.table.rows[3 * kTimers + kCudaEvent][3]) == "-");
  CHECK(number(report.table, 3 * kTimers + kClock, 3) == doctest::Approx(0.005));

  for (VectorAddRun& run : figures.cold) run.total[kChrono] = run.total[kGettimeofday];
  for (VectorAddRun& run : figures.warm) run.total = {0.3, 0.3, 0.2, 0.3};
  figures.kernel.waited[kCudaEvent] = {2e-6, 2e-6, 2e-6};
  for (const Finding& f : timers_report(figures).findings) {
    INFO(f.claim);
    if (contains(f.claim, "Cold, chrono reads less") || contains(f.claim, "all four agree"))
      CHECK(f.standing == gone);
    if (contains(f.claim, "reads the launch")) CHECK(f.standing == reversed);
  }
}

TEST_CASE("timers: cold starts that could not be had are not measured, and the rest is") {
  TimerFigures figures = timers_of_a_k80();
  figures.cold.clear();
  figures.no_cold = "CUDA was used before";
  const StudyReport report = timers_report(figures);
  for (const Finding& f : report.findings) {
    INFO(f.claim);
    CHECK((f.standing == not_measured) == f.claim.starts_with("Cold"));
    CHECK((f.why == figures.no_cold) == f.claim.starts_with("Cold"));
  }
  CHECK(std::get<std::string>(report.table.rows[0][3]) == "not measured");
}

TEST_CASE("transfers: pinned memory's lead holds, is gone or reversed; without room there is none") {
  CHECK(transfers_report(transfers_in(2)).findings[0].here == "2.00 (7629 / 3815 MB/s)");
  for (const auto& [faster, standing] : {std::pair{2.0, holds}, {1.0, gone}, {0.5, reversed}})
    CHECK(transfers_report(transfers_in(faster)).findings[0].standing == standing);
  TransferStudy study = transfers_in(2);
  study.figures->sizes.pop_back();
  study.figures->loop = {};
  study.figures->dot = {};
  const StudyReport report = transfers_report(study);
  CHECK(standings(report) == std::vector(report.findings.size(), not_measured));
}

TEST_CASE("transfers: rates, their spread, and a dot product in place against copying it first") {
  TransferStudy study = transfers_in(2);
  const StudyReport report = transfers_report(study);
  CHECK(number(report.table, 0, 2 + kPinned) == doctest::Approx(1));
  REQUIRE(report.more.front().name == "spread");
  CHECK(number(report.more.front(), 0, 2 + kPinned) == doctest::Approx(100 * 2 / 4.096));
  CHECK(std::get<std::string>(report.table.rows.at(4)[2]) == "not measured");  // it does not fit
  CHECK(report.findings.at(2).here == "3.00 (60 / 20 ms)");
  CHECK(report.findings[2].standing == holds);
  // A copy takes 20 ms and then 1 ms a pass, against 20 ms a pass without it: 22 < 40.
  CHECK(contains(report.findings[2].why, "used 2 times or more a copy pays"));
  CHECK(report.failures.empty());
  study.figures->dot_results[kReadMapped] += 1;
  CHECK(transfers_report(study).failures.size() == 1);
  double sum = 0;
  for (std::int64_t n = 0; n < 64; ++n) sum += double{element_of_a(n)} * element_of_b(n);
  CHECK(exact_dot() == sum / 64 * kDotElements);
}

TEST_CASE("streams needs a GPU and says so; timers and transfers measure what the host has without one") {
  const TemporaryDirectory directory;
  const auto run = [&](const std::string& name) {
    return run_study({.name = name, .output = directory.path().string()});
  };
  const bool has_device = cuda_available();
  if (has_device)
    CHECK(run("streams") == 0);
  else
    CHECK(contains(refusal([&] { run("streams"); }), "needs a CUDA device"));

  CHECK(run("timers") == 0);
  const auto timers = nlohmann::json::parse(contents(directory / "timers.json"));
  for (const auto& row : timers.at("rows"))
    if (row.at("measured") == "warm") CHECK(row.at("median (ms)").is_number() == has_device);
  CHECK(timers.at("findings").back().at("standing") == "holds");  // clock() does not count a sleep
  CHECK(contains(contents(directory / "timers_calls.csv"), "clock,processor time of all threads,"));

  CHECK(run("transfers") == 0);
  const auto transfers = nlohmann::json::parse(contents(directory / "transfers.json"));
  REQUIRE(transfers.at("rows").size() == 20);
  CHECK(transfers["rows"][0].at("pinned").is_number() == has_device);
  const auto& host = transfers.at("tables").back();
  CHECK(host.at("name") == "host");
  REQUIRE(host.at("rows").size() >= 5);
  for (const auto& row : host["rows"]) CHECK(row.at("rate (GB/s)") > 0.01);
}

}  // namespace
