#include "app/run/recorder.hpp"

#include <fmt/format.h>

#include <cmath>

#include "app/deck/table.hpp"
#include "app/output/soft_error_text.hpp"
#include "app/run/signals.hpp"
#include "halfstep_version.hpp"
#include "physics/totals.hpp"

namespace halfstep {

Recorder::Recorder(const RunConfig& config, Solver& solver, RunProgress& progress, Terminal& terminal,
                   std::filesystem::path directory, double wall_limit,
                   const std::optional<RunCheckpoint>& restart_from, std::string restarted_from)
    : config_(config),
      solver_(solver),
      progress_(progress),
      terminal_(terminal),
      directory_(std::move(directory)),
      restarted_(restart_from.has_value()),
      restarted_from_(std::move(restarted_from)),
      wall_limit_(wall_limit),
      history_(restarted_ ? History::resume(directory_ / "history.csv", progress.state.step)
                          : History(directory_ / "history.csv")),
      events_(directory_ / "events.jsonl"),
      dumps_(restarted_ ? DumpSeries::resume(directory_, restart_from->next_dump, progress.state.time)
                        : DumpSeries(directory_)) {
  seconds_before_ = progress.counters.wall_seconds;
}

double Recorder::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

AttemptInfo Recorder::attempt_info(const StepPlan& plan) const {
  return {progress_.state.step + 1, static_cast<int>(attempts_of_step_), progress_.state.time, plan.dt};
}

void Recorder::begin() {
  if (restarted_) {
    events_.write(restart_event(progress_.state.step, progress_.state.time, restarted_from_));
  } else {
    write_dump();
    history_.write({.totals = solver_.totals()});
  }
  attempt_began_ = last_checkpoint_ = seconds();
}

std::string Recorder::end(const std::string& reason) {
  // The checkpoint comes first: a run taken up from it numbers its dumps as if it had never stopped.
  const std::string checkpoint = write_checkpoint(reason);
  if (dumped_step_ != progress_.state.step) write_dump();
  return checkpoint;
}

namespace {

bool due(std::int64_t step, std::int64_t every) { return every > 0 && step % every == 0; }

}  // namespace

bool Recorder::wants_totals(std::int64_t step) const { return due(step, config_.output.history_every_steps); }

bool Recorder::rests_after(std::int64_t step) const {
  return due(step, config_.output.every_steps) || due(step, config_.checkpoint.every_steps);
}

bool Recorder::wants_rest() const {
  return StopSignals::received() || out_of_time() || checkpoint_is_due_by_wall();
}

bool Recorder::checkpoint_is_due_by_wall() const {
  const double every = config_.checkpoint.every_wall;
  return every > 0 && seconds() - last_checkpoint_ >= every;
}

bool Recorder::wants_to_stop() {
  if (const char* name = StopSignals::received()) {
    events_.write(signal_event(progress_.state.step, progress_.state.time, name));
    stop_reason_ = fmt::format("signal {}", name);
  } else if (out_of_time()) {
    stop_reason_ = "wall time";
  }
  return !stop_reason_.empty();
}

void Recorder::note_fault(std::int64_t step, const StepPlan& plan) {
  const std::optional<Fault>& fault = config_.problem.fault;
  if (!fault || fault->step != step || attempts_of_step_ != 1) return;
  progress_.counters.injected_faults += 1;
  events_.write(fault_event({step, 1, plan.time_after - plan.dt, plan.dt}, *fault));
}

void Recorder::accepted(const StepPlan& plan, const Verdict& verdict) {
  const std::int64_t step = progress_.state.step;
  note_fault(step, plan);
  progress_.last_dt = plan.dt;
  progress_.counters.attempts += 1;
  progress_.counters.repaired_faces += verdict.repaired_faces;
  progress_.counters.first_order_steps += verdict.remedy != Remedy::none;
  merge(progress_.counters.floored, verdict.floored);
  progress_.counters.wall_seconds = seconds_before_ + seconds();
  landed_ = plan.lands_on_output;

  if (verdict.repaired_faces > 0 || verdict.floored.cells > 0)
    events_.write(repair_event(step, verdict.repaired_faces, verdict.floored));
  // The last row of a run is written whatever the interval; there the run rests.
  if (verdict.totals || run_finished(progress_.state, config_.limits))
    history_.write({.step = step,
                    .time = progress_.state.time,
                    .dt = plan.dt,
                    .attempts = attempts_of_step_,
                    .totals = verdict.totals ? *verdict.totals : solver_.totals(),
                    .repaired_faces = verdict.repaired_faces,
                    .floored = verdict.floored});

  terminal_.progress({step, progress_.state.time, plan.dt, progress_.counters.rejections});
  attempts_of_step_ = 1;
  remedies_of_step_.clear();
  attempt_began_ = seconds();
}

void Recorder::at_rest() {
  const std::int64_t step = progress_.state.step;
  if (landed_ || due(step, config_.output.every_steps)) write_dump();
  if (due(step, config_.checkpoint.every_steps))
    write_checkpoint("every_steps");
  else if (checkpoint_is_due_by_wall())
    write_checkpoint("every_wall");
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
    terminal_.message(
        describe_rejection(error, info, config_.problem.mesh, next->dt, state.remedy, error.count));
  } else {
    events_.write(rung_event(info, "abort", error.count));
    explain_ = [this, info, error = error, replay = replay](const std::string& file) {
      const Exhaustion exhaustion{first_dt_, progress_.state.halvings, remedies_of_step_,
                                  (directory_ / file).string(), config_.limits.redo_same_dt};
      return explain(error, replay, info, config_.problem.mesh, exhaustion);
    };
  }
  attempts_of_step_ += 1;
  attempt_began_ = attempt_ended_;  // the redo may have run by now
}

std::string Recorder::explanation(const std::string& checkpoint) const { return explain_(checkpoint); }

void Recorder::write_dump() {
  const Problem& problem = config_.problem;
  Fields fields;
  solver_.get_state(fields);
  const DumpInfo info{progress_.state.time, progress_.state.step,
                      progress_.last_dt,    problem.gamma,
                      config_.title,        config_.resolved,
                      HALFSTEP_GIT,         std::string(name_of(kPrecisions, problem.scheme.precision)),
                      solver_.backend()};
  dumps_.write(info, problem.mesh, fields, config_.output.fields);
  dumped_step_ = progress_.state.step;
}

std::string Recorder::write_checkpoint(const std::string& reason) {
  const Problem& problem = config_.problem;
  RunCheckpoint checkpoint;
  checkpoint.deck = config_.resolved;
  checkpoint.state = at_first_attempt(progress_.state);
  checkpoint.last_dt = progress_.last_dt;
  checkpoint.signal_rate = progress_.signal_rate;
  checkpoint.mesh = problem.mesh;
  checkpoint.gamma = problem.gamma;
  solver_.get_state(checkpoint.fields);
  checkpoint.precision = name_of(kPrecisions, problem.scheme.precision);
  checkpoint.backend = solver_.backend();
  checkpoint.git = HALFSTEP_GIT;
  checkpoint.counters = progress_.counters;
  checkpoint.next_dump = dumps_.next();
  checkpoint.epoch = progress_.epoch;
  const std::string file = halfstep::write_checkpoint(directory_, checkpoint, config_.checkpoint.keep);
  events_.write(checkpoint_event(progress_.state.step, progress_.state.time, file, reason));
  last_checkpoint_ = seconds();
  return file;
}

}  // namespace halfstep
