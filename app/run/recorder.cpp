#include "app/run/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/deck/table.hpp"
#include "app/output/dump.hpp"
#include "app/output/file_of_ranks.hpp"
#include "app/output/soft_error_text.hpp"
#include "app/run/ranks.hpp"
#include "app/run/signals.hpp"
#include "halfstep_version.hpp"
#include "physics/base/choice.hpp"
#include "physics/diagnostics/sums.hpp"

namespace halfstep {

namespace {

/// A file below this part of the state counts for nothing in the time that a run needs to end.
constexpr double kSmallPart = 0.1;

/// Limit of queued builds, in copies of U^n that they hold; a third may be being written. Small ones wait for
/// large ones without holding back the steps, so many at most.
constexpr double kUnfinishedBuilds = 2, kMostSmallBuilds = 2000;

/// What a queued build of that part of the state counts for.
double queued_size(double part) { return std::max(part, kUnfinishedBuilds / kMostSmallBuilds); }

bool due(std::int64_t step, std::int64_t every) { return every > 0 && step % every == 0; }

OptionalColumns optional_columns(const RunConfig& config) {
  const Problem& problem = config.problem;
  OptionalColumns columns{.enstrophy = problem.enstrophy,
                          .sponges = problem.has_sponges(),
                          .reference = config.output.loads,
                          .budgets = problem.budgets,
                          .ways = ways_of(problem),
                          .cells = problem.mesh.cells};
  for (const std::string& name : problem.scalars) columns.carried.push_back(name + "_mass");
  if (problem.second_gamma) columns.carried.back() = std::string(kSecondGas) + "_volume";
  columns.bodies = names_of_loads(problem);
  return columns;
}

DumpContents dump_contents(const RunConfig& config) {
  return {.mesh = config.problem.mesh,
          .fields = config.dumped_fields(),
          .precision = config.problem.scheme.precision};
}

std::optional<OutputsBefore> outputs_before(const Restart* restart) {
  if (!restart) return std::nullopt;
  const RunCheckpoint& from = restart->from.checkpoint;
  OutputsBefore before{from.state.step, from.state.time, {}, {}};
  for (std::size_t n = 0; n < std::min(from.next_of_outputs.size(), restart->outputs_before.size()); ++n)
    before.next_dumps[restart->outputs_before[n].name] = from.next_of_outputs[n];
  for (const OutputRequest& old : restart->outputs_before)
    for (const OutputRequest& own : restart->config.output_requests)
      if (const auto kept = from.averages.find(old.name);
          kept != from.averages.end() && own.name == old.name && own.has_columns_of(old))
        before.averages[old.name] = kept->second;
  return before;
}

}  // namespace

Recorder::Recorder(const RunConfig& config, Solver& solver, RunProgress& progress, Terminal& terminal,
                   std::filesystem::path directory, double wall_limit, const Restart* restart)
    : config_(config),
      solver_(solver),
      progress_(progress),
      terminal_(terminal),
      directory_(std::move(directory)),
      restart_(restart),
      wall_limit_(wall_limit),
      history_(
          restart ? History::resume(directory_ / "history.csv", progress.state.step, optional_columns(config))
                  : History(directory_ / "history.csv", optional_columns(config))),
      outputs_(
          config, solver, directory_, outputs_before(restart),
          [this](std::shared_ptr<Snapshot> states, BuildFile build, double part) {
            large_queued_ += part >= kSmallPart;
            deferred_.push_back([this, states = std::move(states), build = std::move(build), part]() mutable {
              submit_output(std::move(states), std::move(build), part);
            });
            if (solver_.host_threads() > 0) submit_deferred();  // a host steps as it launches
          }),
      events_(directory_ / "events.jsonl"),
      dumps_(restart ? DumpSeries::resume(directory_, dump_contents(config),
                                          restart->from.checkpoint.next_dump, progress.state.time)
                     : DumpSeries(directory_, dump_contents(config))),
      solids_(config.problem),
      stop_file_(directory_ / "stop"),
      checkpoint_file_(directory_ / "checkpoint"),
      disk_(1 + kSmallPart),  // the next is built while one is written; small ones do not wait for each other
      builder_(kUnfinishedBuilds),
      fetcher_(kSmallPart) {
  seconds_before_ = progress.counters.wall_seconds;
  if (restart) histogram_step_ = restart->from.checkpoint.histogram_step;
  if (config.output.makes_histogram) {
    const std::filesystem::path path = directory_ / "histogram.csv";
    histograms_.emplace(restart ? HistogramFile::resume(path, histogram_step_) : HistogramFile(path));
  }
  if (!restart) return;
  const RunCheckpoint& from = restart->from.checkpoint;
  next_dump_ = from.next_dump;
  dumped_step_ = from.dumped_step;
  if (from.step) {
    attempts_of_step_ = progress.state.rejections + 1;
    first_dt_ = from.step->first_dt;
    remedies_of_step_ = from.step->remedies;
  }
}

Recorder::~Recorder() {
  try {
    drain();
    note_written();
  } catch (const std::exception&) {
    // Another error ends the run, or this one was already reported.
  }
}

double Recorder::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

AttemptInfo Recorder::attempt_info(const StepPlan& plan) const {
  return {progress_.state.step + 1, static_cast<int>(attempts_of_step_), progress_.state.time, plan.dt};
}

void Recorder::begin() {
  for (RequestFile* file : {&stop_file_, &checkpoint_file_})
    if (file->remove_stale())
      terminal_.message(fmt::format("removed '{}', which was there before the run", file->path().string()));
  if (restart_) {
    events_.write(restart_event(progress_.state.step, progress_.state.time, restart_->from.file.string(),
                                restart_->from.refused, restart_->changed));
  } else {
    write_dump();
    write_histogram();
    outputs_.begin();
    history_.write({.totals = progress_.initial_totals});
  }
  attempt_began_ = last_checkpoint_ = seconds();
}

std::string Recorder::end(const std::string& reason) {
  // The checkpoint comes first, so that a restart from it continues dumps and histograms as if never stopped.
  const std::string checkpoint = write_checkpoint(reason, within_step_);
  if (dumped_step_ != progress_.state.step) write_dump();
  if (histogram_step_ != progress_.state.step) write_histogram();
  drain();
  note_written();
  return checkpoint;
}

bool Recorder::wants_totals(std::int64_t step) const { return due(step, config_.output.history_every_steps); }

bool Recorder::rests_after(std::int64_t step) const {
  return due(step, config_.output.every_steps) || due(step, config_.output.histogram_every_steps) ||
         due(step, config_.checkpoint.every_steps) || outputs_.rests_after(step);
}

bool Recorder::wants_rest() {
  look_for_requests();
  return !stop_reason_.empty() || !checkpoint_reason_.empty();
}

bool Recorder::wants_to_stop() {
  look_for_requests();
  return !stop_reason_.empty();
}

bool Recorder::stops_between_slices() {
  note_written();
  look_for_requests();
  within_step_ = !stop_reason_.empty();
  if (!within_step_ && !checkpoint_reason_.empty()) write_checkpoint(checkpoint_reason_, true);
  return within_step_;
}

void Recorder::look_for_requests() {
  constexpr double between_looks = 0.25;  // seconds
  const bool files = seconds() - looked_for_files_ >= between_looks;
  if (files) looked_for_files_ = seconds();

  take_signals_of_ranks();
  if (stop_reason_.empty()) {
    if (const char* name = RunSignals::stop())
      stop_reason_ = note_request(fmt::format("signal {}", name), "stopping");
    else if (files && stop_file_.appeared())
      stop_reason_ = note_request("file stop", "stopping");
    else if (out_of_time())
      stop_reason_ = "wall time";
  }
  if (checkpoint_reason_.empty()) {
    if (take_checkpoint_signal())
      checkpoint_reason_ = note_request("signal SIGUSR1", "going on");
    else if (files && checkpoint_file_.appeared())
      checkpoint_reason_ = note_request("file checkpoint", "going on");
    else if (checkpoint_is_due_by_wall())
      checkpoint_reason_ = "every_wall";
  }
}

std::string Recorder::note_request(const std::string& reason, const std::string& answer) {
  const std::string signal = "signal ";
  events_.write(signal_event(progress_.state.step, progress_.state.time,
                             reason.starts_with(signal) ? reason.substr(signal.size()) : reason));
  terminal_.message(fmt::format("{}: writing a checkpoint and {}", reason, answer));
  return reason;
}

bool Recorder::checkpoint_is_due_by_wall() const {
  const double every = config_.checkpoint.every_wall.seconds();
  return every > 0 && pending_.empty() && seconds() - last_checkpoint_ >= every;
}

bool Recorder::out_of_time() {
  return wall_limit_ > 0 && seconds() >= wall_limit_ - std::min(seconds_to_end(), 0.5 * wall_limit_);
}

/// Estimates the seconds needed before the wall time: the current step or slice, the queued files, a
/// checkpoint and a dump. Each file counts 1.5 times the slowest so far; before there is one, its size at 100
/// MB/s, which hardly any disk falls below.
double Recorder::seconds_to_end() {
  constexpr double slow_disk = 100e6;  // bytes a second
  constexpr double at_least = 0.25;    // seconds a file
  const bool sliced = config_.problem.slice_ms > 0;
  const double bytes = static_cast<double>(config_.problem.mesh.cell_count()) * config_.problem.fields() *
                       bytes_of_real(config_.problem.scheme.precision);
  const double longest = longest_write_;
  const double file = std::max(longest > 0 ? 1.5 * longest : bytes / slow_disk, at_least);
  // A checkpoint within a step holds up to three more states.
  const double files = static_cast<double>(large_queued_ - large_written_) + (sliced ? 5 : 2);
  return files * file + (sliced ? 1e-3 * config_.problem.slice_ms : config_.depth * longest_attempt_);
}

void Recorder::launched() { submit_deferred(); }

void Recorder::settled() {
  attempt_ended_ = seconds();
  longest_attempt_ = std::max(longest_attempt_, attempt_ended_ - attempt_began_);
  note_written();
}

void Recorder::note_fault(std::int64_t step, const StepPlan& plan) {
  const std::optional<Fault>& fault = config_.problem.fault;
  if (!fault || fault->step != step || attempts_of_step_ != 1) return;
  progress_.counters.injected_faults += 1;
  events_.write(fault_event({step, 1, plan.time_after - plan.dt, plan.dt}, *fault));
}

void Recorder::accepted(const StepPlan& plan, const AttemptResult& verdict) {
  const std::int64_t step = progress_.state.step;
  note_fault(step, plan);
  progress_.last_dt = plan.dt;
  progress_.counters.attempts += 1;
  progress_.counters.repaired_faces += verdict.repaired_faces;
  progress_.counters.scaled_steps += verdict.remedy == Remedy::scaling;
  progress_.counters.first_order_steps += verdict.remedy >= Remedy::first_order;
  merge(progress_.counters.floored, verdict.floored);
  merge(progress_.counters.sponged, verdict.sponged);
  merge(progress_.counters.budget, verdict.budget);
  progress_.counters.wall_seconds = seconds_before_ + seconds();
  landed_ = plan.lands_on_output;
  outputs_.accepted(progress_.state);

  if (verdict.repaired_faces > 0 || verdict.floored.cells > 0)
    events_.write(repair_event(step, verdict.repaired_faces, verdict.floored));
  // The last row of a run is written at any interval: the run is at rest there.
  if (verdict.totals || run_finished(progress_.state, config_.limits)) {
    const Totals totals = verdict.totals ? *verdict.totals : solver_.totals();
    history_.write({.step = step,
                    .time = progress_.state.time,
                    .dt = plan.dt,
                    .attempts = attempts_of_step_,
                    .totals = totals,
                    .repaired_faces = verdict.repaired_faces,
                    .floored = verdict.floored,
                    .sponged = progress_.counters.sponged,
                    .budget = progress_.counters.budget,
                    .drift = drift_of(progress_.initial_totals, totals, explained_by(progress_.counters))});
  }

  terminal_.progress({step, progress_.state.time, plan.dt, progress_.counters.rejections});
  attempts_of_step_ = 1;
  remedies_of_step_.clear();
  attempt_began_ = seconds();
}

void Recorder::at_rest() {
  const std::int64_t step = progress_.state.step;
  const bool dumps = landed_ || due(step, config_.output.every_steps);
  if (dumps) write_dump();
  if (dumps || due(step, config_.output.histogram_every_steps)) write_histogram();
  outputs_.write_due(progress_.state, progress_.last_dt);
  look_for_requests();
  const bool ends =
      !stop_reason_.empty() || run_finished(progress_.state, config_.limits);  // end() writes a checkpoint
  if (!checkpoint_reason_.empty() && !ends)
    write_checkpoint(checkpoint_reason_, false);
  else if (due(step, config_.checkpoint.every_steps) && !ends)
    write_checkpoint("every_steps", false);
  attempt_began_ = seconds();
}

void Recorder::rejected(const StepPlan& plan, const Diagnosis& diagnosis, const StepPlan* next) {
  const auto& [error, replay] = diagnosis;
  const AttemptInfo info = attempt_info(plan);
  if (info.attempt == 1) first_dt_ = plan.dt;
  note_fault(info.step, plan);

  progress_.counters.attempts += 1;
  progress_.counters.rejections += 1;
  progress_.counters.redo_seconds += attempt_ended_ - attempt_began_;
  progress_.counters.wall_seconds = seconds_before_ + seconds();
  events_.write(soft_error_event(info, error, replay, config_.problem.mesh));
  const StepState& state = progress_.state;
  if (next) {
    events_.write(rejection_event(info, next->dt, state.halvings));
    const Remedy before = remedies_of_step_.empty() ? Remedy::none : remedies_of_step_.back();
    if (state.remedy != before) {
      remedies_of_step_.push_back(state.remedy);
      events_.write(rung_event(info, name_of(kRemedies, state.remedy), error.count));
    }
    const std::string news = rejection_news_.next(
        describe_rejection(error, info, config_.problem.mesh, next->dt, state.remedy, error.count), info,
        progress_.counters.rejections);
    if (!news.empty()) terminal_.sentences(news);
  } else {
    events_.write(rung_event(info, "abort", error.count));
    explain_ = [this, info, error = error, replay = replay](const std::string& file) {
      const Exhaustion exhaustion{first_dt_,
                                  progress_.state.halvings,
                                  progress_.state.level,
                                  remedies_of_step_,
                                  config_.limits.last_remedy,
                                  (directory_ / file).string(),
                                  config_.limits.redo_same_dt,
                                  config_.problem.scheme.method == Method::flux_reconstruction};
      return explain(error, replay, info, config_.problem.mesh, exhaustion);
    };
  }
  attempts_of_step_ += 1;
  attempt_began_ = attempt_ended_;  // the redo may already have run
}

void Recorder::stood_still(const StepPlan& plan) {
  const AttemptInfo info = attempt_info(plan);
  progress_.counters.attempts += 1;
  progress_.counters.rejections += 1;
  progress_.counters.wall_seconds = seconds_before_ + seconds();
  events_.write(rung_event(info, "abort", 0));
  explain_ = [this, info](const std::string& file) {
    return explain_standstill(info, progress_.cfl_rate, (directory_ / file).string());
  };
}

std::string Recorder::explanation(const std::string& checkpoint) const { return explain_(checkpoint); }

std::shared_ptr<Snapshot> Recorder::capture() {
  const std::int64_t step = progress_.state.step;
  std::shared_ptr<Snapshot> present = captured_step_ == step ? capture_.lock() : nullptr;
  if (!present) {
    present = solver_.snapshot();
    capture_ = present;
    captured_step_ = step;
  }
  return present;
}

std::int64_t Recorder::submit(std::function<Write()> build, double part, Begin begin) {
  const bool is_large = part >= kSmallPart;
  const double size = queued_size(part);
  unwritten_ += 1;
  auto job = [this, build = std::move(build), is_large, size, begin]() mutable {
    if (begin == Begin::after_others) disk_.drain();
    const double began = seconds();
    Write write = build();
    build = nullptr;  // releases its share of U^n before the disk write
    const double built = seconds() - began;
    disk_.submit(
        [this, write = std::move(write), is_large, built] {
          const double from = seconds();
          write();
          if (--unwritten_ == 0) outputs_.flush();
          if (!is_large) return;
          longest_write_ = std::max(longest_write_.load(), built + seconds() - from);
          large_written_ += 1;
        },
        is_large ? 1 : size);
  };
  return builder_.submit(std::move(job), size);
}

std::int64_t Recorder::submit_whole(std::function<Write()> build, Begin begin) {
  submit_deferred();
  fetcher_.drain();
  large_queued_ += 1;
  return submit(std::move(build), 1, begin);
}

void Recorder::submit_output(std::shared_ptr<Snapshot> states, BuildFile build, double part) {
  fetcher_.submit(
      [this, states = std::move(states), build = std::move(build), part]() mutable {
        const auto of_cells = std::make_shared<const Fields>(states ? widened(states->fields()) : Fields{});
        states = nullptr;  // what it was copied to serves the next one
        submit([of_cells, build = std::move(build)] { return build(*of_cells); }, part);
      },
      queued_size(part));
}

void Recorder::submit_deferred() {
  for (auto& submit_next : std::exchange(deferred_, {})) submit_next();
}

void Recorder::drain() {
  submit_deferred();
  fetcher_.drain();
  builder_.drain();
  disk_.drain();
}

void Recorder::note_written() {
  fetcher_.finished();  // rethrows an exception of its jobs
  builder_.finished();
  const std::int64_t finished = disk_.finished();
  for (; !pending_.empty() && pending_.front().job <= finished; pending_.pop_front()) {
    events_.write(pending_.front().event);
    for (RequestFile* file : pending_.front().serves) file->served();
  }
}

void Recorder::write_dump() {
  const Problem& problem = config_.problem;
  DumpInfo info{progress_.state.time, progress_.state.step,
                progress_.last_dt,    problem.gases(),
                config_.title,        config_.resolved,
                HALFSTEP_GIT,         std::string(name_of(kPrecisions, problem.scheme.precision)),
                solver_.backend(),    problem.scalars};
  submit_whole([this, info = std::move(info), number = next_dump_, state = capture()]() mutable -> Write {
    if (config_.output.compress == 0 && rank_count() > 1) {
      const auto file = std::make_shared<SealedFile>(write_with_all_ranks(
          FileOfRanks::dump,
          parted_dump(directory_ / dump_name(number), info, config_.problem.mesh, config_.dumped_fields()),
          config_, solids_, *state));
      return [this, number, time = info.time, file] {
        file->commit();
        dumps_.add(number, time);
      };
    }
    info.solids = solids_.in(CellRegion::whole(config_.problem.mesh));
    auto image = std::make_shared<hdf5::Image>(dump_image(info, config_.problem.mesh, state->fields(),
                                                          config_.dumped_fields(), config_.output.compress));
    return [this, number, time = info.time, image] { dumps_.write(number, time, std::move(*image)); };
  });
  next_dump_ += 1;
  dumped_step_ = progress_.state.step;
}

void Recorder::write_histogram() {
  if (!histograms_) return;
  const HistogramRequest& request = config_.output.histogram;
  histogram_step_ = progress_.state.step;
  histograms_->write(histogram_step_, progress_.state.time, request.field, solver_.histogram(request));
}

std::string Recorder::write_checkpoint(const std::string& reason, bool within_step) {
  const Problem& problem = config_.problem;
  RunCheckpoint checkpoint;
  checkpoint.deck = config_.resolved;
  checkpoint.state = within_step ? progress_.state : at_first_attempt(progress_.state);
  checkpoint.last_dt = progress_.last_dt;
  checkpoint.cfl_rate = progress_.cfl_rate;
  checkpoint.mesh = problem.mesh;
  checkpoint.gamma = problem.gamma;
  checkpoint.scalars = problem.scalars;
  checkpoint.precision = name_of(kPrecisions, problem.scheme.precision);
  checkpoint.backend = solver_.backend();
  checkpoint.git = HALFSTEP_GIT;
  checkpoint.initial_totals = progress_.initial_totals;
  checkpoint.counters = progress_.counters;
  checkpoint.counters.wall_seconds = seconds_before_ + seconds();
  checkpoint.next_dump = next_dump_;
  checkpoint.dumped_step = dumped_step_;
  checkpoint.histogram_step = histogram_step_;
  checkpoint.next_of_outputs = outputs_.next_dumps();
  checkpoint.averages = outputs_.kept();
  checkpoint.epoch = progress_.epoch;
  if (within_step) checkpoint.step = {solver_.get_progress(), first_dt_, remedies_of_step_};

  const std::string file = checkpoint_name(progress_.state.step);
  Json event = checkpoint_event(progress_.state.step, progress_.state.time, file, reason,
                                checkpoint.step ? &checkpoint.step->progress : nullptr);
  const bool by_all_ranks = config_.checkpoint.compress == 0 && rank_count() > 1;
  auto build = [this, checkpoint = std::move(checkpoint), by_all_ranks, state = capture()]() -> Write {
    auto sealed = std::make_shared<SealedFile>(
        by_all_ranks
            ? write_with_all_ranks(FileOfRanks::checkpoint, parted_checkpoint(directory_, checkpoint),
                                   config_, solids_, *state)
            : checkpoint_file(directory_, checkpoint, state->fields(), config_.checkpoint.compress));
    return [this, step = checkpoint.state.step, sealed] {
      // A restart from the checkpoint relies on the rows and events before it.
      history_.synchronise();
      if (histograms_) histograms_->synchronise();
      outputs_.synchronise();
      events_.synchronise();
      publish_checkpoint(directory_, step, *sealed, config_.checkpoint.keep);
    };
  };
  // A second checkpoint of the step has the name of the first, which must have left its temporary name.
  const std::int64_t job =
      submit_whole(std::move(build), by_all_ranks ? Begin::after_others : Begin::at_once);
  pending_.push_back({job, std::move(event), {}});
  for (RequestFile* request : {&stop_file_, &checkpoint_file_})
    if (request->take()) pending_.back().serves.push_back(request);
  checkpoint_reason_.clear();
  last_checkpoint_ = seconds();
  return file;
}

}  // namespace halfstep
