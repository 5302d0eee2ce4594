// What the steps cost each rank of a run, as a table on the terminal and as a list in summary.json.
#pragma once

#include <string>
#include <vector>

#include "app/base/json.hpp"
#include "runtime/exchange/rank_report.hpp"

namespace halfstep {

/// Returns a line for each rank, at most 80 columns wide, each with its end-of-line. With more ranks than fit
/// a screen it has those that computed longest and a line of all. "" without ranks.
std::string rank_table(const std::vector<exchange::RankReport>& ranks);

/// Returns the list `ranks` of summary.json.
Json rank_list(const std::vector<exchange::RankReport>& ranks);

}  // namespace halfstep
