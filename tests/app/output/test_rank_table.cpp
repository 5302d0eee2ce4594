#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "app/output/rank_table.hpp"

using namespace halfstep;

namespace {

std::vector<exchange::RankReport> reports(int count) {
  std::vector<exchange::RankReport> all;
  for (int rank = 0; rank < count; ++rank)
    all.push_back(
        {rank, "node-with-a-long-name", "NVIDIA H100 80GB HBM3", 100, {std::uint64_t{3} << 29, 90.0}});
  return all;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("The table of ranks has a line for each of sixteen, in 80 columns") {
  CHECK(rank_table({}).empty());
  const auto lines = lines_of(rank_table(reports(16)));
  REQUIRE(lines.size() == 17);
  for (const std::string& line : lines) CHECK_MESSAGE(line.size() <= 80, line);
  CHECK(contains(lines[16], "  15 "));
  for (const char* part : {"node-with-a-lo ", "NVIDIA H100 80GB ", "   100 ", "   1.5 ", "    90"})
    CHECK_MESSAGE(contains(lines[16] + " ", part), lines[16]);
}

TEST_CASE("The table of many ranks has those that computed longest, and a line of all") {
  std::vector<exchange::RankReport> ranks = reports(4000);
  ranks[1234].traffic.seconds_waited = 1e-9;
  ranks[77].traffic.seconds_waited = 2.0;
  ranks[3].seconds = 101;
  ranks[3].traffic.seconds_waited = 95.0;
  const auto lines = lines_of(rank_table(ranks));
  REQUIRE(lines.size() == 10);
  for (const std::string& line : lines) CHECK_MESSAGE(line.size() <= 80, line);
  CHECK(contains(lines[1], "1234"));
  CHECK(contains(lines[1], "    1e-09"));
  CHECK(contains(lines[2], "77"));
  CHECK_FALSE(contains(rank_table(ranks), "  3 "));
  for (const char* part : {"all 4000", "    101 ", " 6000 ", " 89.96"})
    CHECK_MESSAGE(contains(lines[9], part), lines[9]);
}

TEST_CASE("A wait that nobody knows is a dash in the table and null in summary.json") {
  std::vector<exchange::RankReport> ranks = reports(2);
  ranks[1].traffic.seconds_waited.reset();
  CHECK(lines_of(rank_table(ranks))[2].ends_with(" -"));
  CHECK(rank_list(ranks) == Json::parse(R"([
    {"rank": 0, "host": "node-with-a-long-name", "device": "NVIDIA H100 80GB HBM3", "seconds": 100.0,
     "bytes_sent": 1610612736, "seconds_waited": 90.0},
    {"rank": 1, "host": "node-with-a-long-name", "device": "NVIDIA H100 80GB HBM3", "seconds": 100.0,
     "bytes_sent": 1610612736, "seconds_waited": null}])"));
}
