// The checks' outcomes as one table for people, and as JSON for programs and pictures.
#pragma once

#include <string>
#include <vector>

#include "app/output/json.hpp"
#include "app/study/report.hpp"
#include "app/study/table.hpp"
#include "app/verify/outcome.hpp"

namespace halfstep {

/// A row a judged number; what a bar is taken from is a note, by its number.
Table verify_table(const std::vector<CheckOutcome>& outcomes);

/// {"verify": "quick" or "full", "provenance", "backend", "passed", "checks": [{"name", "group", "deck",
/// "error_of", "passed", "gave_up", "order", "runs", "judged", "curve"}]}.
Json verify_json(const std::vector<CheckOutcome>& outcomes, Extent extent, const std::string& backend,
                 const Provenance& made);

}  // namespace halfstep
