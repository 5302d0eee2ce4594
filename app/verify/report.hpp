// The checks' outcomes as a table, and as JSON for programs and figures.
#pragma once

#include <string>
#include <vector>

#include "app/base/json.hpp"
#include "app/base/report.hpp"
#include "app/base/table.hpp"
#include "app/verify/outcome.hpp"

namespace halfstep {

/// Returns a table with one row per judged number. The notes, by number, give the bars' sources.
Table verify_table(const std::vector<CheckOutcome>& outcomes);

/// Returns {"verify": "quick" or "full", "provenance", "backend", "passed", "checks": [{"name", "group",
/// "deck", "error_of", "passed", "gave_up", "order", "runs", "judged", "curve"}]}.
Json verify_json(const std::vector<CheckOutcome>& outcomes, Extent extent, const std::string& backend,
                 const Provenance& made);

}  // namespace halfstep
