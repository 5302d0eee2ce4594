// `halfstep study atomics`, of less than the study's own size.
#include <doctest/doctest.h>

#include <variant>

#include "app/study/atomics.hpp"
#include "physics/solver.hpp"
#include "tests/unit/temporary_directory.hpp"

namespace {

using namespace halfstep;

bool measured(const Cell& cell) { return std::holds_alternative<double>(cell); }

TEST_CASE("atomics times the CPU always and the GPU where there is one, and everything it counts is right") {
  const StudyReport report = measure_atomics(
      {.bytes = 40'000, .products = 50 * atomics_study::kRow, .cpu_runs = 2, .device_runs = 3});
  CHECK(report.failures.empty());
  const bool on_device = cuda_available();

  int ways = 0;
  for (const auto& row : report.table.rows) {
    REQUIRE(row.size() == report.table.columns.size());
    const bool gpu = std::get<std::string>(row[0]).starts_with("GPU");
    CHECK(measured(row[1]) == (on_device || !gpu));
    if (!measured(row[1])) CHECK(std::get<std::string>(row[1]) == "not measured");
    ways += gpu;
  }
  CHECK(ways == 3);
  CHECK(report.table.notes.back().starts_with("Not measured: ") == !on_device);
  CHECK(std::get<std::string>(report.table.rows[0][0]) == "CPU, one thread");

  REQUIRE(report.more.size() == 1);
  ways = 0;
  for (const auto& row : report.more[0].rows) {
    REQUIRE(row.size() == report.more[0].columns.size());
    const std::string& way = std::get<std::string>(row[0]);
    ways += way.starts_with("GPU");
    if (!measured(row[1])) continue;
    if (way.ends_with("two passes")) CHECK(std::get<std::int64_t>(row[4]) == 1);
    CHECK(std::get<double>(row[6]) < 1e-5);
  }
  CHECK(ways == 4);

  REQUIRE(report.findings.size() == 3);
  for (const Finding& finding : report.findings) {
    CHECK((finding.standing != Standing::not_measured) == on_device);
    CHECK_FALSE(finding.why.empty());
  }
  CHECK(report.findings[0].there == "67 / 55 ms = 1.22");
  CHECK(report.findings[1].there == "67 / 5 ms = 13.4");
  CHECK(report.findings[2].there == "55 / 5 ms = 11");
}

}  // namespace
