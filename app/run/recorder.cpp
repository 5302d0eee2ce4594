#include "app/run/recorder.hpp"

#include <fmt/format.h>

#include <cmath>

#include "app/output/soft_error_text.hpp"
#include "app/run/signals.hpp"
#include "halfstep_version.hpp"

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
  attempts_of_step_ = progress.state.halvings + 1;
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
    write_history(0, 0, 0);
  }
  attempt_began_ = last_checkpoint_ = seconds();
}

std::string Recorder::end(const std::string& reason) {
  // The checkpoint comes first: a run taken up from it numbers its dumps as if it had never stopped.
  const std::string checkpoint = write_checkpoint(reason);
  if (dumped_step_ != progress_.state.step) write_dump();
  return checkpoint;
}

void Recorder::accepted(const StepPlan& plan, const Verdict& verdict) {
  const std::int64_t step = progress_.state.step;
  progress_.last_dt = plan.dt;
  progress_.counters.attempts += 1;
  progress_.counters.repaired_faces += verdict.repaired_faces;
  progress_.counters.wall_seconds = seconds_before_ + seconds();

  if (verdict.repaired_faces > 0) events_.write(repair_event(step, verdict.repaired_faces));
  const auto due = [step](std::int64_t every) { return every > 0 && step % every == 0; };
  if (due(config_.output.history_every_steps) || run_finished(progress_.state, config_.limits))
    write_history(plan.dt, attempts_of_step_, verdict.repaired_faces);
  if (plan.lands_on_output || due(config_.output.every_steps)) write_dump();
  const CheckpointOptions& checkpoint = config_.checkpoint;
  if (due(checkpoint.every_steps))
    write_checkpoint("every_steps");
  else if (checkpoint.every_wall > 0 && seconds() - last_checkpoint_ >= checkpoint.every_wall)
    write_checkpoint("every_wall");

  terminal_.progress({step, progress_.state.time, plan.dt, progress_.counters.rejections});
  attempts_of_step_ = 1;
  attempt_began_ = seconds();
}

void Recorder::rejected(const StepPlan& plan, const SoftError& error, const StepPlan* next) {
  const AttemptInfo info = attempt_info(plan);
  const Replay replay = solver_.replay(error);
  first_dt_ = std::ldexp(plan.dt, info.attempt - 1);

  progress_.counters.attempts += 1;
  progress_.counters.rejections += 1;
  progress_.counters.redo_seconds += seconds() - attempt_began_;
  progress_.counters.wall_seconds = seconds_before_ + seconds();
  events_.write(soft_error_event(info, error, replay, config_.problem.mesh));
  if (next) {
    events_.write(rejection_event(info, next->dt, progress_.state.halvings));
    terminal_.message(describe_rejection(error, info, config_.problem.mesh, next->dt));
  } else {
    events_.write(rung_event(info, "abort"));
    explain_ = [this, info, error, replay](const std::string& file) {
      const Exhaustion exhaustion{first_dt_, progress_.state.halvings, {}, (directory_ / file).string()};
      return explain(error, replay, info, config_.problem.mesh, exhaustion);
    };
  }
  attempts_of_step_ += 1;
  attempt_began_ = seconds();
}

bool Recorder::wants_to_stop() {
  if (const char* name = StopSignals::received()) {
    events_.write(signal_event(progress_.state.step, progress_.state.time, name));
    stop_reason_ = fmt::format("signal {}", name);
  } else if (wall_limit_ > 0 && seconds() >= wall_limit_) {
    stop_reason_ = "wall time";
  }
  return !stop_reason_.empty();
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
  checkpoint.state = progress_.state;
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

void Recorder::write_history(double dt, std::int64_t attempts, std::int64_t repaired) {
  history_.write({progress_.state.step, progress_.state.time, dt, attempts, solver_.totals(), repaired});
}

}  // namespace halfstep
