#include "app/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>

#include "app/base/exit_codes.hpp"
#include "app/base/report.hpp"
#include "app/deck/deck.hpp"
#include "app/output/given_fields.hpp"
#include "app/run/backend.hpp"
#include "app/run/run.hpp"
#include "app/sweep/axes.hpp"
#include "app/sweep/beside.hpp"
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
    const auto& cells = config.problem.mesh.points ? config.cells : config.problem.mesh.cells;
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

/// Returns the exit code that the run had which left the result.
int code_of_result(const PlannedRun& run) {
  return run.result.status == "exhausted" ? kExhausted : kFinished;
}

/// Whether another run of the same deck would give the same.
bool is_done(const PlannedRun& run) {
  const std::string& status = run.result.status;
  return run.result.summary && status != "failed" && status != "interrupted";
}

/// Returns the threads of a run: all processors are divided between runs beside each other.
int threads_of_run(const SweepOptions& options) {
  if (options.threads > 0 || options.jobs == 1) return options.threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / options.jobs);
}

/// Runs to the end, from the last checkpoint where there is one of the same deck; in a process of its own.
/// Returns the exit code.
int carry_out(const PlannedRun& run, const SweepOptions& options) {
  RunOptions how{.deck = options.deck,
                 .overrides = run.overrides,
                 .output = run.directory.string(),
                 .backend = options.backend,
                 .threads = threads_of_run(options),
                 .restart = "",
                 .wall_time = "",
                 .quiet = true};
  if (text_of(run.directory / "deck.yaml") == run.resolved &&
      fs::exists(run.directory / "checkpoint_latest.h5")) {
    how.deck.clear();
    how.overrides.clear();
    how.restart = run.directory.string();
  }
  try {
    return halfstep::run(how);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", run.directory.string(), error.what());
  }
  return kFailed;
}

/// Takes the result of a run that ended with that exit code.
void settle(PlannedRun& run, int code) {
  take_result(run);
  if (code != kFinished && code != kExhausted && code != kStopped)
    run.result = {.values = run.result.values, .cells = run.result.cells, .status = "failed"};
}

Table table_of(const Plan& plan) {
  std::vector<SweepResult> results;
  for (const PlannedRun& run : plan.runs) results.push_back(run.result);
  return sweep_table(plan.axes, results);
}

void write_table(const Plan& plan, const SweepOptions& options, const fs::path& output) {
  const std::string command = fmt::format("sweep {} {}", options.deck, fmt::join(options.arguments, " "));
  Json json = {{"sweep", options.deck},
               {"provenance", provenance_json(provenance_of_runs(command, uses_cuda(options.backend)))}};
  const Table table = table_of(plan);
  json.update(table_json(table));
  for (std::size_t n = 0; n < plan.runs.size(); ++n)
    json["rows"][n]["directory"] = plan.runs[n].directory.filename().string();
  write_file(output / "sweep.csv", table_csv(table));
  write_file(output / "sweep.json", json_text(json, 2) + "\n");
}

}  // namespace

namespace {

std::string line_of(const Plan& plan, std::size_t n) {
  return fmt::format("{} of {}  {}: ", n + 1, plan.runs.size(), plan.runs[n].directory.filename().string());
}

/// Returns the exit codes of the runs.
std::set<int> run_in_turn(Plan& plan, const SweepOptions& options, const fs::path& output) {
  std::set<int> codes;
  for (std::size_t n = 0; n < plan.runs.size() && !codes.contains(kStopped); ++n) {
    PlannedRun& run = plan.runs[n];
    const bool was_there = is_done(run);
    fmt::print("{}", line_of(plan, n));
    std::fflush(stdout);
    const int code = was_there ? code_of_result(run) : carry_out(run, options);
    if (!was_there) settle(run, code);
    codes.insert(code);
    fmt::print("{}{}\n", run.result.status, was_there ? ", as it was" : "");
    write_table(plan, options, output);
  }
  return codes;
}

/// Does the same with options.jobs runs at a time, in processes of their own.
std::set<int> run_beside(Plan& plan, const SweepOptions& options, const fs::path& output) {
  std::set<int> codes;
  std::vector<std::size_t> to_do;
  for (std::size_t n = 0; n < plan.runs.size(); ++n) {
    if (!is_done(plan.runs[n])) {
      to_do.push_back(n);
      continue;
    }
    codes.insert(code_of_result(plan.runs[n]));
    fmt::print("{}{}, as it was\n", line_of(plan, n), plan.runs[n].result.status);
  }
  const auto done = [&](std::size_t which, int code) {
    const std::size_t n = to_do[which];
    settle(plan.runs[n], code);
    codes.insert(code <= kStopped ? code : kFailed);
    fmt::print("{}{}\n", line_of(plan, n), plan.runs[n].result.status);
    std::fflush(stdout);
    write_table(plan, options, output);
  };
  const bool stopped = work_beside(
      to_do.size(), options.jobs,
      [&](std::size_t which) { return carry_out(plan.runs[to_do[which]], options); }, done);
  if (stopped) codes.insert(kStopped);
  write_table(plan, options, output);
  return codes;
}

}  // namespace

fs::path sweep_directory(const SweepOptions& options) {
  if (!options.output.empty()) return options.output;
  return "out" / fs::path(fs::path(options.deck).stem().string() + ".sweep");
}

int sweep(const SweepOptions& options) {
  if (options.jobs > 1 && options.backend != "host")
    throw UsageError("--jobs is for runs on the processor", "add --backend host");
  const fs::path output = sweep_directory(options);
  Plan plan = make_plan(options, output);
  fs::create_directories(output);
  for (PlannedRun& run : plan.runs) take_result(run);
  const std::set<int> codes =
      options.jobs > 1 ? run_beside(plan, options, output) : run_in_turn(plan, options, output);
  fmt::print("{}\nwritten: {} and sweep.json\n", table_text(table_of(plan)), (output / "sweep.csv").string());
  if (codes.contains(kStopped)) fmt::print("stopped: the same command goes on\n");
  for (const int code : {int(kStopped), int(kFailed), int(kExhausted)})
    if (codes.contains(code)) return code;
  return kFinished;
}

}  // namespace halfstep
