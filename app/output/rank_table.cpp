#include "app/output/rank_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace halfstep {

namespace {

constexpr std::size_t kMostLines = 16;    ///< up to as many ranks have a line each
constexpr std::size_t kSlowestLines = 8;  ///< of more ranks

double gibibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

/// Returns the seconds in which a rank did not wait for others. All ranks go through a step together, so that
/// this tells the slow ones.
double seconds_computed(const exchange::RankReport& rank) {
  return rank.seconds - rank.traffic.seconds_waited.value_or(0);
}

std::string line(const std::string& rank, const std::string& host, const std::string& device, double seconds,
                 std::uint64_t bytes, std::optional<double> waited) {
  return fmt::format("  {:<16} {:<14.14} {:<16.16} {:>9.4g} {:>9.4g} {:>9}\n", rank, host, device, seconds,
                     gibibytes(bytes), waited ? fmt::format("{:.4g}", *waited) : "-");
}

std::string line(const exchange::RankReport& r) {
  return line(fmt::format("  {}", r.rank), r.host, r.device, r.seconds, r.traffic.bytes_sent,
              r.traffic.seconds_waited);
}

/// Returns the line of all ranks: the longest time, the sum of what was sent, the mean wait.
std::string line_of_all(const std::vector<exchange::RankReport>& ranks) {
  double longest = 0;
  exchange::Traffic sum{0, 0.0};
  for (const exchange::RankReport& rank : ranks) {
    longest = std::max(longest, rank.seconds);
    sum = sum + rank.traffic;
  }
  if (sum.seconds_waited) *sum.seconds_waited /= static_cast<double>(ranks.size());
  return line(fmt::format("  all {}", ranks.size()), "longest, sum,", "mean", longest, sum.bytes_sent,
              sum.seconds_waited);
}

}  // namespace

std::string rank_table(const std::vector<exchange::RankReport>& ranks) {
  if (ranks.empty()) return "";
  std::vector<exchange::RankReport> shown = ranks;
  const bool fits = ranks.size() <= kMostLines;
  if (!fits) {
    std::stable_sort(shown.begin(), shown.end(),
                     [](const exchange::RankReport& a, const exchange::RankReport& b) {
                       return seconds_computed(a) > seconds_computed(b);
                     });
    shown.resize(kSlowestLines);
  }
  std::string table =
      fmt::format("  {:<16} {:<14} {:<16} {:>9} {:>9} {:>9}\n", fits ? "rank" : "slowest ranks", "host",
                  "device", "s", "GiB sent", "s waited");
  for (const exchange::RankReport& rank : shown) table += line(rank);
  return fits ? table : table + line_of_all(ranks);
}

Json rank_list(const std::vector<exchange::RankReport>& ranks) {
  Json list = Json::array();
  for (const exchange::RankReport& r : ranks) {
    Json waited = nullptr;
    if (r.traffic.seconds_waited) waited = json_number(*r.traffic.seconds_waited);
    list.push_back({{"rank", r.rank},
                    {"host", r.host},
                    {"device", r.device},
                    {"seconds", json_number(r.seconds)},
                    {"bytes_sent", r.traffic.bytes_sent},
                    {"seconds_waited", waited}});
  }
  return list;
}

}  // namespace halfstep
