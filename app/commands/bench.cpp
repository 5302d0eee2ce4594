#include "app/commands/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/bench/comparison.hpp"
#include "app/bench/report.hpp"
#include "app/commands/commands.hpp"
#include "app/output/writable_directory.hpp"
#include "app/study/progress.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {
namespace {

std::string command_text(const BenchOptions& options) {
  std::string text = "halfstep bench";
  if (!options.deck.empty()) text += ' ' + options.deck;
  for (const std::string& override : options.overrides) text += ' ' + override;
  return text;
}

void measure_limits(BenchReport& report, const Measurement& row) {
  const Precision precision = row.scheme.precision;
  for (const RowLimits& known : report.limits)
    if (known.precision == precision) return;
  report.limits.push_back({row.backend, row.device, row.threads, precision,
                           row.threads > 0 ? host_limits(precision, row.threads) : device_limits(precision)});
}

}  // namespace

int bench(const BenchOptions& options) {
  const bool built_in = options.deck.empty();
  const bool on_device = options.settings.backend != "host" && cuda_available();
  const std::vector<BenchRow> rows =
      built_in ? built_in_rows(on_device, options.overrides)
               : std::vector<BenchRow>{{.deck = options.deck, .overrides = options.overrides}};
  // First what may be wrong: the rows may take long.
  for (const BenchRow& row : rows) config_of(row);
  std::optional<Json> other;
  if (!options.compare.empty()) other = load_bench_json(options.compare);
  const std::filesystem::path json = options.json.empty() ? "" : std::filesystem::absolute(options.json);
  if (!json.empty()) expect_writable(json.parent_path());

  const Progress progress;
  BenchReport report{.of = built_in ? "The built-in set" : options.deck, .rows = {}, .limits = {}};
  for (const BenchRow& row : rows) {
    if (built_in)
      progress.tell(fmt::format("{} ({} of {})", scheme_text(config_of(row).problem.scheme),
                                report.rows.size() + 1, rows.size()));
    report.rows.push_back(measure(row, options.settings));
    measure_limits(report, report.rows.back());
  }

  const Json figures = bench_json(report, command_text(options));
  std::vector<Table> tables = bench_tables(report);
  if (other) tables.push_back(comparison_table(figures, *other));
  for (const Table& table : tables)
    fmt::print("{}{}", &table == &tables.front() ? "" : "\n", table_text(table));
  if (!json.empty()) {
    make_writable(json.parent_path());
    write_file(json, json_text(figures, 1) + '\n');
  }
  return kFinished;
}

}  // namespace halfstep
