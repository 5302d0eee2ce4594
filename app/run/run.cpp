#include "app/run/run.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

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
#include "app/run/solid_remarks.hpp"
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
  s.scaled_steps = counters.scaled_steps;
  s.first_order_steps = counters.first_order_steps;
  s.floored = counters.floored;
  if (config.problem.has_sponges()) s.sponged = counters.sponged;
  if (config.problem.budgets) s.explained = explained_by(counters);
  s.ways = ways_of(config.problem);
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

/// Takes up the checkpoint that a run was asked to go on from, if it was.
std::optional<Restart> restart_of(const RunOptions& options) {
  if (options.restart.empty()) return std::nullopt;
  // A deck given with a checkpoint must be valid, but the run uses the checkpoint's own.
  if (!options.deck.empty()) load_deck(options.deck, options.overrides);
  try {
    return take_up(options.restart, options.overrides, options.output);
  } catch (const DeckError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what(), "");
  }
}

std::unique_ptr<Solver> make_sound_solver(const RunConfig& config, const RunOptions& options,
                                          const std::string& where) {
  try {
    return make_solver(config, {options.backend, options.threads, options.share_devices});
  } catch (const std::invalid_argument& error) {
    throw unsound_sponge(error, where);
  }
}

/// A run from its beginning to its end, once there is a solver.
class Run {
 public:
  Run(Solver& solver, const RunConfig& config, const RunOptions& options, std::optional<Restart>& restart)
      : solver_(solver),
        config_(config),
        problem_(config.problem),
        options_(options),
        restart_(restart),
        where_(restart ? options.restart : options.deck),
        terminal_(TerminalStyle::detect(options.quiet, !options.no_progress)) {}

  /// Gives the solver the initial state, or the checkpoint's.
  void begin() {
    restart_ ? begin_at_checkpoint() : begin_at_zero();
    const Totals present = solver_.totals();
    progress_.initial_totals =
        restart_ ? restart_->from.checkpoint.initial_totals.value_or(present) : present;
    if (restart_ && restart_->from.checkpoint.step) {
      progress_.epoch -= 1;  // the unfinished attempt is launched again under its own epoch
      solver_.set_progress(std::move(restart_->from.checkpoint.step->progress));
    }
  }

  /// Makes the output directory this run's, for the life of the object.
  void open_directory() {
    const std::vector<std::string> outputs = files_of(config_.output_requests);
    const bool in_place = restart_ && restart_->in_place;
    directory_ = restart_                   ? restart_->directory
                 : !options_.output.empty() ? fs::path(options_.output)
                                            : fs::path(config_.output.directory);
    in_place ? reopen_output_directory(directory_, outputs, files_of(restart_->outputs_before))
             : prepare_output_directory(directory_, outputs);
    lock_.emplace(directory_);
    if (in_place) {
      add_outputs(directory_, outputs);
    } else if (const auto aside = move_earlier_run_aside(directory_, outputs, config_.output.keep_previous)) {
      say("the earlier run in {} is now in {}", directory_.string(), aside->string());
    }
  }

  void say_how_it_begins() {
    if (restart_) {
      remove_partial_files(directory_);
      for (const RefusedCheckpoint& refused : restart_->from.refused)
        terminal_.problem("refused: " + refused.reason);
      terminal_.message(restart_->description(directory_));
    }
    terminal_.sentences(first_line(config_, solver_));
    terminal_.message(second_line(solver_, directory_));
    if (const int used = solver_.host_threads(); used > 0 && options_.threads > used)
      say("--threads {}: {} are all that this machine and mesh have a use for", options_.threads, used);
  }

  /// Makes the steps and writes what comes of them. Returns the exit code. `started`: when the program did.
  ExitCode step_to_end(double started) {
    try {
      write_deck(directory_, config_.resolved);
      Recorder recorder(config_, solver_, progress_, terminal_, directory_, wall_limit(started),
                        restart_ ? &*restart_ : nullptr);
      recorder.begin();
      return drive_to_end(recorder);
    } catch (const std::exception& error) {
      record_failure(directory_, config_, solver_, progress_, error.what());
      throw;
    }
  }

 private:
  void begin_at_zero() {
    InitialState state = initial_state();
    const StateSurvey survey = set_state(state, 0);
    expect_can_begin(survey, config_, where_);
    for (const std::string& remark : remarks_on_scheme(problem_.scheme)) terminal_.sentences(remark);
    for (const std::string& remark : remarks_on_solids(problem_)) terminal_.sentences(remark);
    for (const std::string& remark : remarks_on_rounding(survey, problem_)) terminal_.sentences(remark);
    progress_.cfl_rate = solver_.cfl_rate();
  }

  void begin_at_checkpoint() {
    RunCheckpoint& from = restart_->from.checkpoint;
    progress_ = {from.state, from.cfl_rate, from.last_dt, from.epoch, from.counters, {}};
    InitialState ghost_cells = initial_state();
    RowsWithInterior state(ghost_cells, from.fields);
    expect_held(set_state(state, progress_.state.time), config_, where_);
    from.fields = {};
    if (restart_->changes_signal_rate()) progress_.cfl_rate = solver_.cfl_rate();
    if (config_.limits.output_every > 0)
      progress_.state.next_output = next_output_after(progress_.state.time, config_.limits.output_every);
  }

  InitialState initial_state() const {
    return {*config_.flow_case, config_.scalars, problem_.mesh, problem_.gases()};
  }

  StateSurvey set_state(StateRows& state, double time) {
    SurveyedRows surveyed(state, problem_, time);
    try {
      solver_.set_state(surveyed, time);
    } catch (const std::invalid_argument& error) {
      throw unphysical_state(error, where_);
    }
    return surveyed.survey();
  }

  /// Returns the seconds that are left; 0: no limit. The wall time includes the set-up.
  double wall_limit(double started) const {
    if (options_.wall_time.empty()) return 0;
    return std::max(1e-3,
                    parse_duration(options_.wall_time).value() - (Terminal::steady_seconds() - started));
  }

  ExitCode drive_to_end(Recorder& recorder) {
    const std::int64_t steps_before = progress_.state.step;
    terminal_.start({.step = steps_before,
                     .max_steps = config_.limits.max_steps,
                     .time = progress_.state.time,
                     .end_time = config_.limits.end,
                     .cells = problem_.mesh.cell_count()});
    const RunSignals::Pausing pausing(solver_);
    const double began = recorder.seconds();
    const DriveEnd end =
        drive<Attempt>(solver_, recorder, config_.limits, std::min(config_.depth, solver_.max_depth()),
                       progress_.state, progress_.cfl_rate, progress_.epoch);
    const double seconds = recorder.seconds() - began;
    const Outcome outcome = outcome_of(end, recorder.stop_reason(), progress_.state, config_.limits);
    const std::string checkpoint = recorder.end(end == DriveEnd::finished ? "end" : outcome.reason);
    // The checkpoint holds the unfinished attempt; the solver abandons it, so that the summary describes U^n.
    if (outcome.code == kStopped) solver_.resume(config_.limits, progress_.state, progress_.cfl_rate);
    const Summary summary = summarise(config_, solver_, progress_, outcome, seconds, steps_before);
    terminal_.finish();
    if (outcome.code == kExhausted) terminal_.problem(recorder.explanation(checkpoint));
    terminal_.message(summary_table(summary) + last_line(outcome.status, directory_));
    expect_said();
    write_summary(directory_, summary);
    return outcome.code;
  }

  template <class... Args>
  void say(fmt::format_string<Args...> text, Args&&... args) {
    terminal_.message(fmt::format(text, std::forward<Args>(args)...));
  }

  Solver& solver_;
  const RunConfig& config_;
  const Problem& problem_;
  const RunOptions& options_;
  std::optional<Restart>& restart_;
  const std::string& where_;  // the state comes from, as the user named it
  Terminal terminal_;
  RunProgress progress_;
  fs::path directory_;
  std::optional<DirectoryLock> lock_;
};

}  // namespace

int run(const RunOptions& options) {
  const double started = Terminal::steady_seconds();
  if (options.threads > 0)  // what sets the run up takes no more either
    omp_set_num_threads(std::min(options.threads, omp_get_num_procs()));
  std::optional<Restart> restart = restart_of(options);
  const RunConfig config =
      restart ? restart->config : load_deck(options.deck, options.overrides, read_given_fields);
  // Installed only now, so that a file that never opens cannot make the process ignore signals. From here on
  // a signal is served in the first step.
  RunSignals::install();
  const std::string& where = restart ? options.restart : options.deck;
  expect_memory(config, uses_cuda(options.backend), cut_of(config, rank_count()), ranks_on_first_machine());
  if (rank_count() > 1) expect_sponges(config.problem, where);  // an error that every rank would meet
  const std::unique_ptr<Solver> solver = make_sound_solver(config, options, where);
  try {
    Run run(*solver, config, options, restart);
    run.begin();
    run.open_directory();
    run.say_how_it_begins();
    return run.step_to_end(started);
  } catch (const DeckError&) {
    throw;
  } catch (const UsageError&) {
    throw;
  } catch (const std::exception& error) {
    fail_all_ranks(error);  // here: the solver's memory waits for kernels that wait for other ranks
    throw;
  }
}

}  // namespace halfstep
