// `halfstep bench`: the speed of a deck's steps, or of a built-in set of rows, on this machine.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/exit_codes.hpp"
#include "app/base/progress.hpp"
#include "app/base/writable_directory.hpp"
#include "app/bench/comparison.hpp"
#include "app/bench/measurement.hpp"
#include "app/bench/report.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/options.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {
namespace {

struct BenchOptions {
  std::string deck;  ///< empty: the built-in set
  std::vector<std::string> overrides;
  BenchSettings settings;
  std::string json;     ///< file for the figures as JSON; empty = none
  std::string compare;  ///< JSON of an earlier benchmark to compare with; empty = none
};

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

int bench(const BenchOptions& options) {
  const bool built_in = options.deck.empty();
  const bool on_device = options.settings.backend != "host" && cuda_available();
  const std::vector<BenchRow> rows =
      built_in ? built_in_rows(on_device, options.overrides)
               : std::vector<BenchRow>{{.deck = options.deck, .overrides = options.overrides}};
  // Errors in the rows come first: running them may take long.
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

}  // namespace

std::function<int()> declare_bench(CLI::App& command) {
  const auto arguments = std::make_shared<DeckArguments>();
  const auto options = std::make_shared<BenchOptions>();
  arguments->declare(command);
  declare_backend(command, options->settings.backend, options->settings.threads);
  command
      .add_option("--steps", options->settings.steps,
                  "Steps timed together; by default as many as take half a second")
      ->check(whole_number(1, 1000000))
      ->option_text("N");
  command.add_option("--repeats", options->settings.repeats, "How often they are timed; 9 by default")
      ->check(whole_number(1, 1000000))
      ->option_text("N");
  command.add_option("--json", options->json, "Write the figures to this file; 'halfstep plot' draws it")
      ->option_text("FILE");
  command
      .add_option("--compare", options->compare,
                  "Compare with the figures of an earlier --json, of another build")
      ->option_text("FILE");
  command.footer(
      "Without a DECK it runs a built-in set: an oblique sound wave with hllc and plm, ppm and weno5z, in\n"
      "double and single precision, on 256^3 cells on a GPU and 64^3 on the host. Overrides are for all of "
      "it.\n\n"
      "Examples:\n"
      "  halfstep bench --json bench.json\n"
      "  halfstep bench --compare bench.json\n"
      "  halfstep bench mesh.cells=[512,512,512] scheme.precision=single\n"
      "  halfstep bench inputs/taylor_green.yaml --steps 50\n\n"
      "Exit codes: 0 measured, 1 an I/O or device error or a step that failed, 2 command line or deck "
      "error,\n"
      "or a FILE of --compare that is not of a benchmark.");
  return [=] {
    arguments->sort("bench", false, options->deck, options->overrides);
    return bench(*options);
  };
}

}  // namespace halfstep
