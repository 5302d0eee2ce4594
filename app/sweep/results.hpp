// The table of a sweep: a row a run, with its error norms and convergence orders.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/base/json.hpp"
#include "app/base/table.hpp"
#include "app/sweep/axes.hpp"

namespace halfstep {

/// A run of a sweep, and what it gave.
struct SweepResult {
  std::vector<std::string> values;  ///< one of each axis
  std::array<int, 3> cells{};
  std::string status = "not run yet";
  std::optional<Json> summary = {};  ///< of summary.json, once the run has one
};

/// Returns the table of results. Columns: the axes, status, steps, rejections, seconds, and where an exact
/// solution is known the L1 norms of the errors; where an axis is of mesh.cells also the order of the first
/// of them, between a run and the one of the next coarser mesh that is otherwise alike.
Table sweep_table(const std::vector<SweepAxis>& axes, const std::vector<SweepResult>& results);

}  // namespace halfstep
