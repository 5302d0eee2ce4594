#include "app/sweep/sweep.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "app/base/exit_codes.hpp"
#include "app/base/report.hpp"
#include "app/deck/deck.hpp"
#include "app/output/given_fields.hpp"
#include "app/run/run.hpp"
#include "app/sweep/axes.hpp"
#include "app/sweep/results.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {

namespace {

namespace fs = std::filesystem;

/// A run that is to be there at the end.
struct PlannedRun {
  std::vector<std::string> overrides;
  std::string resolved;  ///< its deck
  fs::path directory;
  SweepResult result;
};

struct Plan {
  std::vector<SweepAxis> axes;
  std::vector<PlannedRun> runs;
};

/// Checks every combination. Throws DeckError or UsageError.
Plan make_plan(const SweepOptions& options, const fs::path& output) {
  Plan plan;
  std::vector<SweepAxis> fixed;
  std::set<std::string> keys, names;
  for (const std::string& argument : options.arguments) {
    SweepAxis axis = parse_axis(argument);
    if (!keys.insert(axis.key).second)
      throw UsageError(fmt::format("'{}' is given twice", axis.key), "give all its values at once, as a,b,c");
    (axis.values.size() > 1 ? plan.axes : fixed).push_back(std::move(axis));
  }
  if (plan.axes.empty())
    throw UsageError("no key has several values",
                     "for example: halfstep sweep sod scheme.riemann=hll,hllc,roe");
  for (const std::vector<std::string>& values : combinations(plan.axes)) {
    PlannedRun run;
    for (const SweepAxis& axis : fixed) run.overrides.push_back(axis.key + "=" + axis.values[0]);
    for (std::size_t a = 0; a < values.size(); ++a)
      run.overrides.push_back(plan.axes[a].key + "=" + values[a]);
    const RunConfig config = load_deck(options.deck, run.overrides, read_given_fields);
    const auto& cells = config.problem.mesh.cells;
    run.resolved = config.resolved;
    run.result = {.values = values, .cells = {cells[0], cells[1], cells[2]}};
    const std::string name = combination_name(plan.axes, values);
    if (name.size() > 255 || !names.insert(name).second)
      throw UsageError(fmt::format("the values make no directory name of their own: '{}'", name),
                       "put what varies into decks, and sweep fewer or simpler values");
    run.directory = output / name;
    plan.runs.push_back(std::move(run));
  }
  return plan;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Takes the result from the run's directory, if it has one of the same deck.
void take_result(PlannedRun& run) {
  if (text_of(run.directory / "deck.yaml") != run.resolved) return;
  std::ifstream file(run.directory / "summary.json");
  if (!file) return;
  try {
    run.result.summary = parse_json(file);
    run.result.status = run.result.summary->at("status").get<std::string>();
  } catch (const Json::exception&) {  // the run is done again
    run.result.summary.reset();
  }
}

/// Whether another run of the same deck would give the same.
bool is_done(const PlannedRun& run) {
  const std::string& status = run.result.status;
  return run.result.summary && status != "failed" && status != "interrupted";
}

/// Runs to the end, from the last checkpoint where there is one of the same deck. Returns the exit code.
int carry_out(PlannedRun& run, const SweepOptions& options) {
  RunOptions how{.deck = options.deck,
                 .overrides = run.overrides,
                 .output = run.directory.string(),
                 .backend = options.backend,
                 .threads = options.threads,
                 .restart = "",
                 .wall_time = "",
                 .quiet = true};
  if (text_of(run.directory / "deck.yaml") == run.resolved &&
      fs::exists(run.directory / "checkpoint_latest.h5")) {
    how.deck.clear();
    how.overrides.clear();
    how.restart = run.directory.string();
  }
  int code = kFailed;
  try {
    code = halfstep::run(how);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", run.directory.string(), error.what());
  }
  take_result(run);
  if (code == kFailed)
    run.result = {.values = run.result.values, .cells = run.result.cells, .status = "failed"};
  return code;
}

Table table_of(const Plan& plan) {
  std::vector<SweepResult> results;
  for (const PlannedRun& run : plan.runs) results.push_back(run.result);
  return sweep_table(plan.axes, results);
}

void write_table(const Plan& plan, const SweepOptions& options, const fs::path& output) {
  Json json = {{"sweep", options.deck},
               {"provenance", provenance_json(provenance(fmt::format("sweep {} {}", options.deck,
                                                                     fmt::join(options.arguments, " "))))}};
  const Table table = table_of(plan);
  json.update(table_json(table));
  for (std::size_t n = 0; n < plan.runs.size(); ++n)
    json["rows"][n]["directory"] = plan.runs[n].directory.filename().string();
  write_file(output / "sweep.csv", table_csv(table));
  write_file(output / "sweep.json", json_text(json, 2) + "\n");
}

}  // namespace

int sweep(const SweepOptions& options) {
  const fs::path output = options.output.empty()
                              ? "out" / fs::path(fs::path(options.deck).stem().string() + ".sweep")
                              : fs::path(options.output);
  Plan plan = make_plan(options, output);
  fs::create_directories(output);
  for (PlannedRun& run : plan.runs) take_result(run);
  std::set<int> codes;
  for (std::size_t n = 0; n < plan.runs.size() && !codes.contains(kStopped); ++n) {
    PlannedRun& run = plan.runs[n];
    const bool was_there = is_done(run);
    fmt::print("{} of {}  {}: ", n + 1, plan.runs.size(), run.directory.filename().string());
    std::fflush(stdout);
    if (!was_there)
      codes.insert(carry_out(run, options));
    else if (run.result.status == "exhausted")
      codes.insert(kExhausted);
    fmt::print("{}{}\n", run.result.status, was_there ? ", as it was" : "");
    write_table(plan, options, output);
  }
  fmt::print("{}\nwritten: {} and sweep.json\n", table_text(table_of(plan)), (output / "sweep.csv").string());
  if (codes.contains(kStopped)) fmt::print("stopped: the same command goes on\n");
  for (const int code : {int(kStopped), int(kFailed), int(kExhausted)})
    if (codes.contains(code)) return code;
  return kFinished;
}

}  // namespace halfstep
