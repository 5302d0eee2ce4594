#include "app/run/run.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "app/base/exit_codes.hpp"
#include "app/base/process.hpp"
#include "app/deck/deck.hpp"
#include "app/deck/duration.hpp"
#include "app/output/directory_lock.hpp"
#include "app/output/given_fields.hpp"
#include "app/output/output_directory.hpp"
#include "app/output/summary.hpp"
#include "app/run/backend.hpp"
#include "app/run/first_and_last_line.hpp"
#include "app/run/initial_state.hpp"
#include "app/run/memory.hpp"
#include "app/run/ranks.hpp"
#include "app/run/recorder.hpp"
#include "app/run/restart.hpp"
#include "app/run/scheme_remarks.hpp"
#include "app/run/signals.hpp"
#include "halfstep_version.hpp"
#include "physics/accuracy/norms.hpp"
#include "physics/base/choice.hpp"
#include "physics/cases/initial_state.hpp"
#include "physics/diagnostics/totals.hpp"
#include "runtime/stepping/driver.hpp"

namespace halfstep {

namespace {

namespace fs = std::filesystem;

/// Status, reason and exit code after the driver has returned.
struct Outcome {
  RunStatus status;
  std::string reason;
  ExitCode code;
};

Outcome outcome_of(DriveEnd end, const std::string& stop_reason, const StepState& state,
                   const StepLimits& limits) {
  if (end == DriveEnd::stopped) return {RunStatus::interrupted, stop_reason, kStopped};
  if (end == DriveEnd::exhausted) return {RunStatus::exhausted, "soft error", kExhausted};
  if (state.time < limits.end)
    return {RunStatus::stopped_at_max_steps, fmt::format("time.max_steps is {}", limits.max_steps),
            kFinished};
  return {RunStatus::finished, "", kFinished};
}

/// Returns the part of the summary that does not need the solver's state.
Summary progress_summary(const RunConfig& config, const Solver& solver, const RunProgress& progress,
                         RunStatus status, const std::string& reason) {
  const RunCounters& counters = progress.counters;
  Summary s;
  s.status = status;
  s.reason = reason;
  s.title = config.title;
  s.case_name = config.case_name;
  s.steps = progress.state.step;
  s.attempts = counters.attempts;
  s.rejections = counters.rejections;
  s.repaired_faces = counters.repaired_faces;
  s.first_order_steps = counters.first_order_steps;
  s.floored = counters.floored;
  if (config.problem.has_sponges()) s.sponged = counters.sponged;
  s.injected_faults = counters.injected_faults;
  s.redo_cost_percent = counters.wall_seconds > 0 ? 100 * counters.redo_seconds / counters.wall_seconds : 0;
  s.time = progress.state.time;
  s.end_time = config.limits.end;
  s.wall_seconds = counters.wall_seconds;
  s.device_bytes = solver.device_bytes();
  s.host_bytes = solver.host_bytes();
  s.backend = solver.backend();
  s.precision = name_of(kPrecisions, config.problem.scheme.precision);
  s.device = solver.device_name();
  s.git = HALFSTEP_GIT;
  s.command = command_line();
  s.host = host_name();
  s.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  return s;
}

Summary summarise(const RunConfig& config, Solver& solver, const RunProgress& progress,
                  const Outcome& outcome, double seconds, std::int64_t steps_before) {
  Summary s = progress_summary(config, solver, progress, outcome.status, outcome.reason);
  s.cell_updates_per_second =
      static_cast<double>(config.problem.mesh.cell_count()) * (progress.state.step - steps_before) / seconds;
  s.totals = {progress.initial_totals, solver.totals()};
  s.ranks = solver.rank_reports();
  s.no_verdict = config.lost_exact(progress.state.time);
  if (config.has_exact(progress.state.time)) {
    Fields fields;
    solver.get_state(fields);
    s.verdict = exact_error(fields, *config.flow_case, config.problem.mesh, {config.problem.gamma},
                            progress.state.time);
  }
  return s;
}

/// Writes a summary with status "failed" after an I/O or device error, if it can still be written.
void record_failure(const fs::path& directory, const RunConfig& config, const Solver& solver,
                    const RunProgress& progress, const std::string& what) {
  try {
    write_summary(directory, progress_summary(config, solver, progress, RunStatus::failed, what));
  } catch (const std::exception&) {
    // The caller reports the error that ended the run. An earlier summary would not belong to this end.
    std::error_code ignored;
    fs::remove(directory / "summary.json", ignored);
  }
}

/// Throws std::runtime_error if standard output could not be written. Called before a summary says
/// "finished". A reader that went away is no error, see standard_output.hpp.
void expect_said() {
  if (std::ferror(stdout)) throw std::runtime_error("cannot write to standard output");
}

}  // namespace

int run(const RunOptions& options) {
  const double started = Terminal::steady_seconds();
  std::optional<Restart> restart;
  if (!options.restart.empty()) {
    // A deck given with a checkpoint must be valid, but the run uses the checkpoint's own.
    if (!options.deck.empty()) load_deck(options.deck, options.overrides);
    try {
      restart = take_up(options.restart, options.overrides, options.output);
    } catch (const DeckError&) {
      throw;
    } catch (const std::runtime_error& error) {
      throw UsageError(error.what(), "");
    }
  }
  const RunConfig config =
      restart ? restart->config : load_deck(options.deck, options.overrides, read_given_fields);
  // Installed only now, so that a file that never opens cannot make the process ignore signals. From here on
  // a signal is served in the first step.
  RunSignals::install();
  const Problem& problem = config.problem;
  const std::string& where = restart ? options.restart : options.deck;
  expect_memory(config, uses_cuda(options.backend), cut_of(config, rank_count()), ranks_on_first_machine());
  if (rank_count() > 1) expect_sponges(problem, where);  // an error that every rank would meet
  std::unique_ptr<Solver> solver;
  try {
    solver = make_solver(config, {options.backend, options.threads, options.share_devices});
  } catch (const std::invalid_argument& error) {
    throw unsound_sponge(error, where);
  }

  InitialState initial_state(*config.flow_case, config.scalars, problem.mesh, {problem.gamma});
  const auto set_state = [&](StateRows& state, double time) {
    SurveyedRows surveyed(state, problem, time);
    try {
      solver->set_state(surveyed, time);
    } catch (const std::invalid_argument& error) {
      throw unphysical_state(error, where);
    }
    return surveyed.survey();
  };

  RunProgress progress;
  std::vector<std::string> remarks;
  if (restart) {
    RunCheckpoint& from = restart->from.checkpoint;
    if (rank_count() > 1 && from.step) {  // a step under way goes on with one rank alone
      from.step.reset();
      from.state = at_first_attempt(from.state);
    }
    progress = {from.state, from.cfl_rate, from.last_dt, from.epoch, from.counters, {}};
    RowsWithInterior state(initial_state, from.fields);
    expect_held(set_state(state, progress.state.time), config, where);
    from.fields = {};
    if (restart->changes_signal_rate()) progress.cfl_rate = solver->cfl_rate();
    if (config.limits.output_every > 0)
      progress.state.next_output = next_output_after(progress.state.time, config.limits.output_every);
  } else {
    const StateSurvey survey = set_state(initial_state, 0);
    expect_can_begin(survey, config, where);
    remarks = remarks_on_scheme(problem.scheme);
    for (std::string& remark : remarks_on_rounding(survey, problem)) remarks.push_back(std::move(remark));
    progress.cfl_rate = solver->cfl_rate();
  }

  const Totals present = solver->totals();
  progress.initial_totals = restart ? restart->from.checkpoint.initial_totals.value_or(present) : present;
  if (restart && restart->from.checkpoint.step) {
    progress.epoch -= 1;  // the unfinished attempt is launched again under its own epoch
    solver->set_progress(std::move(restart->from.checkpoint.step->progress));
  }

  Terminal terminal(TerminalStyle::detect(options.quiet, !options.no_progress));
  for (const std::string& remark : remarks) terminal.message(remark);
  const fs::path directory = restart                   ? restart->directory
                             : !options.output.empty() ? fs::path(options.output)
                                                       : fs::path(config.output.directory);
  const bool in_place = restart && restart->in_place;
  const std::vector<std::string> names = names_of(config.output_requests);
  in_place ? reopen_output_directory(directory, names, names_of(restart->outputs_before))
           : prepare_output_directory(directory, names);
  const DirectoryLock lock(directory);
  if (in_place) {
    add_outputs(directory, names);
  } else if (const auto aside = move_earlier_run_aside(directory, names, config.output.keep_previous)) {
    terminal.message(fmt::format("the earlier run in {} is now in {}", directory.string(), aside->string()));
  }
  if (restart) {
    remove_partial_files(directory);
    for (const RefusedCheckpoint& refused : restart->from.refused)
      terminal.problem("refused: " + refused.reason);
    terminal.message(restart->description(directory));
  }
  terminal.message(first_lines(config, *solver, directory));
  try {
    if (const int used = solver->host_threads(); used > 0 && options.threads > used)
      terminal.message(fmt::format("--threads {}: {} are all that this machine and mesh have a use for",
                                   options.threads, used));
    write_deck(directory, config.resolved);

    // The wall time includes the set-up; the Recorder gets the remainder.
    const double wall_limit = options.wall_time.empty()
                                  ? 0
                                  : std::max(1e-3, parse_duration(options.wall_time).value() -
                                                       (Terminal::steady_seconds() - started));
    const std::int64_t steps_before = progress.state.step;
    Recorder recorder(config, *solver, progress, terminal, directory, wall_limit,
                      restart ? &*restart : nullptr);
    recorder.begin();
    terminal.start({.step = steps_before,
                    .max_steps = config.limits.max_steps,
                    .time = progress.state.time,
                    .end_time = config.limits.end,
                    .cells = problem.mesh.cell_count()});

    const RunSignals::Pausing pausing(*solver);
    const double began = recorder.seconds();
    const DriveEnd end =
        drive<Attempt>(*solver, recorder, config.limits, std::min(config.depth, solver->max_depth()),
                       progress.state, progress.cfl_rate, progress.epoch);
    const double seconds = recorder.seconds() - began;
    const Outcome outcome = outcome_of(end, recorder.stop_reason(), progress.state, config.limits);
    const std::string checkpoint = recorder.end(end == DriveEnd::finished ? "end" : outcome.reason);
    // The checkpoint holds the unfinished attempt; the solver abandons it, so that the summary describes U^n.
    if (outcome.code == kStopped) solver->resume(config.limits, progress.state, progress.cfl_rate);
    const Summary summary = summarise(config, *solver, progress, outcome, seconds, steps_before);
    terminal.finish();
    if (outcome.code == kExhausted) terminal.problem(recorder.explanation(checkpoint));
    terminal.message(summary_table(summary) + last_line(outcome.status, directory));
    expect_said();
    write_summary(directory, summary);
    return outcome.code;
  } catch (const std::exception& error) {
    record_failure(directory, config, *solver, progress, error.what());
    fail_all_ranks(error);
    throw;
  }
}

}  // namespace halfstep
