// `halfstep study atomics`, at a smaller size than the study's own.
#include <doctest/doctest.h>

#include <algorithm>
#include <variant>

#include "app/study/atomics.hpp"
#include "physics/solver/solver.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

using namespace halfstep;

bool measured(const Cell& cell) { return std::holds_alternative<double>(cell); }

TEST_CASE("atomics times the CPU always and the GPU where there is one, and everything it counts is right") {
  const StudyReport report = measure_atomics(
      {.bytes = 40'000, .products = 50 * atomics_study::kRow, .cpu_runs = 2, .device_runs = 3});
  CHECK(report.failures.empty());
  const bool on_device = cuda_available();

  const auto is_device = [](const auto& row) { return std::get<std::string>(row[0]).starts_with("GPU"); };
  CHECK(std::ranges::count_if(report.table.rows, is_device) == 3);
  for (const auto& row : report.table.rows) CHECK(measured(row[1]) == (on_device || !is_device(row)));
  CHECK(report.table.notes.back().starts_with("Not measured: ") == !on_device);

  REQUIRE(report.more.size() == 1);
  CHECK(std::ranges::count_if(report.more[0].rows, is_device) == 4);
  for (const auto& row : report.more[0].rows) {
    if (!measured(row[1])) continue;
    if (std::get<std::string>(row[0]).ends_with("two passes")) CHECK(std::get<std::int64_t>(row[4]) == 1);
    CHECK(std::get<double>(row[6]) < 1e-5);
  }

  REQUIRE(report.findings.size() == 3);
  for (const Finding& finding : report.findings)
    CHECK((finding.standing != Standing::not_measured) == on_device);
  CHECK(report.findings[0].there == "67 / 55 ms = 1.22");
  CHECK(report.findings[1].there == "67 / 5 ms = 13.4");
  CHECK(report.findings[2].there == "55 / 5 ms = 11");
}

}  // namespace
