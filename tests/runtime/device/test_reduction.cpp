// The order in which items are merged, and the histogram on the host.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/device/histogram.hpp"
#include "runtime/device/reduction.hpp"

namespace {

/// A value that records the order in which items were merged.
struct Trace {
  std::string order;
};
void merge(Trace& trace, const Trace& other) {
  if (other.order.empty()) return;
  trace.order += (trace.order.empty() ? "" : " ") + other.order;
}

Trace row_of(int items) {
  return halfstep::reduced_row<Trace>(items, [](Trace& trace, int n) { merge(trace, {std::to_string(n)}); });
}

TEST_CASE("items go round the lanes of their row, and lanes are merged pairwise") {
  CHECK(row_of(0).order == "");
  CHECK(row_of(5).order == "0 4 2 1 3");
  // Lane 0 has items 0 and 32, and merges with lane 16 first.
  CHECK(row_of(33).order.starts_with("0 32 16 8 24 "));
}

TEST_CASE("rows go round 1024 lanes, and lanes are merged pairwise") {
  CHECK(halfstep::reduced_over_rows(std::vector<Trace>{{"a"}, {"b"}, {"c"}}).order == "a c b");
  std::vector<Trace> rows(1025);
  rows[0] = {"first"};
  rows[512] = {"half way"};
  rows[1024] = {"last"};
  CHECK(halfstep::reduced_over_rows(rows).order == "first last half way");
}

TEST_CASE("a histogram on the host counts all that an item stands for, whatever the threads") {
  constexpr int kBins = 7;
  constexpr std::int64_t kItems = 1000;
  const auto bins_of = [](std::int64_t item) {
    return std::array{static_cast<int>(item * item % kBins), static_cast<int>(item % 2)};
  };
  std::vector<std::int64_t> expected(kBins);
  for (std::int64_t item = 0; item < kItems; ++item)
    for (const int bin : bins_of(item)) expected[static_cast<std::size_t>(bin)] += 1;
  for (int threads = 1; threads <= 3; ++threads)
    CHECK(halfstep::histogram(kItems, kBins, threads, bins_of) == expected);
}

}  // namespace
