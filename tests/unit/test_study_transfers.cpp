// The study `transfers`: what it says of given figures, and what it can measure without a GPU.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "app/commands/study.hpp"
#include "app/study/transfers.hpp"
#include "physics/solver.hpp"
#include "tests/unit/temporary_directory.hpp"

namespace {

using namespace halfstep;

/// One size; the pageable copies of the loop at 4 GB/s, the pinned ones `faster` times as fast.
TransferStudy figures(double faster) {
  TransferStudy study{.sizes = {4096, kLoopBytes, 1 << 30},
                      .host = {{kLoopBytes, {0.05, 0.05, 0.05}}},
                      .figures = TransferFigures{},
                      .why = {}};
  TransferSize size{4096, {}};
  for (int memory = 0; memory < kHostMemories; ++memory)
    for (int way = 0; way < kWays; ++way) size.seconds[memory][way] = {3e-6, 4.096e-6, 5e-6};
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

TEST_CASE("transfers: pinned memory's lead holds, is gone or is reversed") {
  const Finding holds = transfers_report(figures(2)).findings.front();
  CHECK(holds.there == "2.00 (10406 / 5215 MB/s)");
  CHECK(holds.here == "2.00 (7629 / 3815 MB/s)");
  CHECK(holds.standing == Standing::holds);
  CHECK(contains(holds.why, "33.6 ms from pinned memory and 67.1 ms from pageable"));
  CHECK(contains(holds.why, "memcpy of them takes 50 ms, more than the link"));
  CHECK(transfers_report(figures(1)).findings.front().standing == Standing::gone);
  CHECK(transfers_report(figures(0.5)).findings.front().standing == Standing::reversed);
}

TEST_CASE("transfers: a dot product in place, and from how many passes on a copy pays") {
  const StudyReport report = transfers_report(figures(2));
  const Finding& mapped = report.findings.at(2);
  CHECK(mapped.here == "3.00 (60 / 20 ms)");
  CHECK(mapped.standing == Standing::holds);
  // copy 20 ms, then 1 ms a pass, against 20 ms a pass: 22 < 40
  CHECK(contains(mapped.why, "used 2 times or more a copy pays"));
  CHECK(report.failures.empty());
  TransferStudy wrong = figures(2);
  wrong.figures->dot_results[kReadMapped] += 1;
  REQUIRE(transfers_report(wrong).failures.size() == 1);
  CHECK(contains(transfers_report(wrong).failures[0], "read in mapped memory"));
}

TEST_CASE("transfers: rates and their spread; sizes that do not fit are not measured") {
  const StudyReport report = transfers_report(figures(2));
  const std::vector<Cell>& row = report.table.rows.at(0);
  CHECK(std::get<std::int64_t>(row[0]) == 4096);
  CHECK(std::get<double>(row[2 + kPinned]) == doctest::Approx(1));
  REQUIRE(report.more.front().name == "spread");
  CHECK(std::get<double>(report.more.front().rows.at(0)[2 + kPinned]) == doctest::Approx(100 * 2 / 4.096));
  CHECK(std::get<std::string>(report.table.rows.at(4)[2]) == "not measured");
  CHECK(contains(report.table.notes.back(), "do not fit"));
}

TEST_CASE("transfers: without room for the loop its findings are not measured") {
  TransferStudy study = figures(2);
  study.figures->sizes.pop_back();
  study.figures->loop = {};
  study.figures->dot = {};
  for (const Finding& f : transfers_report(study).findings) {
    CHECK(f.standing == Standing::not_measured);
    CHECK(contains(f.why, "no room"));
  }
}

TEST_CASE("the dot product of the study is exact") {
  double sum = 0;
  for (std::int64_t n = 0; n < 64; ++n) sum += double{element_of_a(n)} * element_of_b(n);
  CHECK(exact_dot() == sum / 64 * kDotElements);
}

TEST_CASE("halfstep study transfers: memcpy on the host is measured with or without a GPU") {
  const TemporaryDirectory directory;
  CHECK(study({.name = "transfers", .output = directory.path().string()}) == 0);
  const auto json = nlohmann::json::parse(contents(directory / "transfers.json"));
  REQUIRE(json.at("rows").size() == 20);
  CHECK(json["rows"][0].at("pinned").is_number() == cuda_available());
  const auto& host = json.at("tables").back();
  CHECK(host.at("name") == "host");
  REQUIRE(host.at("rows").size() >= 5);
  for (const auto& row : host["rows"]) CHECK(row.at("rate (GB/s)") > 0.01);
}

}  // namespace
