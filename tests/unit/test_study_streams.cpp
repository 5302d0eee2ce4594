// The study `streams`: what it says of given figures.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "app/commands/study.hpp"
#include "app/study/streams.hpp"
#include "physics/solver.hpp"
#include "tests/unit/temporary_directory.hpp"

namespace {

using namespace halfstep;

Quartiles at(double milliseconds) {
  return {0.99e-3 * milliseconds, 1e-3 * milliseconds, 1.01e-3 * milliseconds};
}

/// Copies up in 3 ms, kernels in 1, copies down in 2; in one stream their sum.
StreamFigures figures(double depth_first, double breadth_first) {
  StreamFigures figures{};
  for (WorkloadTimes& times : figures.workload) {
    times.alone = {at(3), at(1), at(2)};
    times.together = {at(6), at(depth_first), at(breadth_first)};
  }
  figures.copy_engines = 2;
  figures.capability = 90;
  return figures;
}

TEST_CASE("streams: on the hardware of the lecture everything holds") {
  const StudyReport report = streams_report({figures(6, 4), {}, "CUDA was used before"});
  for (const Finding& f : report.findings) {
    INFO(f.claim);
    CHECK(f.standing == Standing::holds);
  }
  CHECK(contains(report.table.notes.back(), "CUDA was used before"));
  CHECK(report.more.size() == 1);
}

TEST_CASE("streams: with a queue a stream the order of issue is gone, and one queue tells why") {
  const StudyReport report = streams_report({figures(3.3, 3.6), figures(6, 3.8), {}});
  const Finding& depth_first = report.findings.at(0);
  CHECK(depth_first.here == "1.82 (with the long kernel 1.82)");
  CHECK(depth_first.standing == Standing::gone);
  CHECK(contains(depth_first.why, "90 % of the overlap"));
  CHECK(contains(depth_first.why, "engines of their own (compute capability 9.0)"));
  CHECK(contains(depth_first.why, "1.00 (with the long kernel 1.00): the queues make a difference"));
  CHECK(report.findings.at(1).standing == Standing::holds);
  CHECK(contains(report.findings.at(1).why, "make no difference"));
  CHECK(report.findings.at(2).standing == Standing::gone);
  REQUIRE(report.more.size() == 2);
  CHECK(report.more[1].name == "one_queue");
  CHECK(std::get<double>(report.more[1].rows[5][1]) == doctest::Approx(6));
}

TEST_CASE("streams: the bounds are the sum and the longest of what each engine takes alone") {
  const Table table = streams_report({figures(3.75, 4.5), {}, ""}).table;
  REQUIRE(table.rows.size() == 8);
  CHECK(std::get<double>(table.rows[3][1]) == doctest::Approx(6));
  CHECK(std::get<double>(table.rows[7][1]) == doctest::Approx(3));
  CHECK(std::get<double>(table.rows[4][4]) == doctest::Approx(0).scale(1));
  CHECK(std::get<double>(table.rows[5][4]) == doctest::Approx(75));
  CHECK(std::get<double>(table.rows[6][3]) == doctest::Approx(6 / 4.5));
}

TEST_CASE("streams: wrong results are failures") {
  StreamFigures wrong = figures(6, 4);
  wrong.wrong = 3;
  CHECK(streams_report({wrong, {}, ""}).failures.size() == 1);
  CHECK(streams_report({figures(6, 4), wrong, ""}).failures.size() == 1);
  CHECK(streams_report({figures(6, 4), {}, ""}).failures.empty());
}

TEST_CASE("what the kernel of the streams makes: a mean over a ring of neighbours, then the generator") {
  std::vector<unsigned> a(512), b(512, 6);
  for (unsigned n = 0; n < 512; ++n) a[n] = 3 * n;
  CHECK(blended(a.data(), b.data(), 0, 0) == (0 + 3 + 6 + 18) / 6);
  CHECK(blended(a.data(), b.data(), 255, 0) == (3 * 255 + 0 + 3 + 18) / 6);
  CHECK(blended(a.data(), b.data(), 511, 0) == (3 * 511 + 3 * 256 + 3 * 257 + 18) / 6);
  CHECK(blended(a.data(), b.data(), 0, 1) == 4 * 1664525u + 1013904223u);
}

TEST_CASE("halfstep study streams needs a GPU and says so") {
  const TemporaryDirectory directory;
  const StudyOptions options{.name = "streams", .output = directory.path().string()};
  if (!cuda_available()) {
    CHECK(contains(refusal([&] { study(options); }), "needs a CUDA device"));
    return;
  }
  CHECK(study(options) == 0);
  CHECK(contains(contents(directory / "streams.csv"), "two streams, depth-first"));
}

}  // namespace
