// The result of a run: summary.json, and the same figures as a table.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/json.hpp"
#include "app/output/budget_table.hpp"
#include "physics/accuracy/norms.hpp"
#include "physics/cases/initial_state.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/recovery/floors.hpp"
#include "physics/solver/solver.hpp"
#include "physics/sources/sponge.hpp"

namespace halfstep {

enum class RunStatus { finished, stopped_at_max_steps, interrupted, exhausted, failed };
std::string_view name_of(RunStatus status);

struct Summary {
  RunStatus status = RunStatus::finished;
  std::string reason;  ///< why the run ended before its end time; else ""
  std::string title, case_name;
  std::int64_t steps = 0, attempts = 0, rejections = 0, repaired_faces = 0;
  std::int64_t scaled_steps = 0, first_order_steps = 0, injected_faults = 0;
  FloorSums floored{};
  std::optional<SpongeSums> sponged;   ///< of a run with sponges
  std::optional<Explained> explained;  ///< of a run with budgets ...
  std::vector<BudgetWay> ways;         ///< ... and its ways into the domain
  double redo_cost_percent = 0;        ///< wall time of rejected attempts, in percent of all
  double time = 0, end_time = 0;
  double wall_seconds = 0;
  double cell_updates_per_second = 0;  ///< cells * accepted steps / wall time
  std::int64_t device_bytes = 0, host_bytes = 0;
  std::string backend, precision, device, git;
  std::string command, host, date;  ///< the command line, this machine's name, the end in UTC (ISO 8601)
  std::optional<std::pair<Totals, Totals>> totals;     ///< at the start and at the end of the run
  std::vector<std::pair<std::string, Norms>> verdict;  ///< by field; empty without an exact solution
  std::vector<exchange::RankReport> ranks;             ///< empty with one rank
  std::string no_verdict;  ///< why a case with an exact solution has no error norms; else ""
};

Json summary_json(const Summary& summary);
/// Writes `directory`/summary.json atomically. Throws std::runtime_error.
void write_summary(const std::filesystem::path& directory, const Summary& summary);
/// Returns several lines without colour, each with its end-of-line.
std::string summary_table(const Summary& summary);

}  // namespace halfstep
