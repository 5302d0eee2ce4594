// What a run leaves behind while the driver steps: history, events, dumps, checkpoints, the status line.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/deck/config.hpp"
#include "app/output/dump.hpp"
#include "app/output/events.hpp"
#include "app/output/history.hpp"
#include "app/output/run_checkpoint.hpp"
#include "app/output/terminal.hpp"

namespace halfstep {

/// Everything of a run that changes as it goes on, and that a checkpoint has to hold.
struct RunProgress {
  StepState state;
  double signal_rate = 0;
  double last_dt = 0;
  std::uint64_t epoch = 0;
  RunCounters counters;
};

/// The driver's observer. Everything throws std::runtime_error when a file cannot be written.
class Recorder {
 public:
  /// `wall_limit`: seconds this process may run; 0 = no limit. `restart_from`: the checkpoint a restart began
  /// with, read from the file `restarted_from`.
  Recorder(const RunConfig& config, Solver& solver, RunProgress& progress, Terminal& terminal,
           std::filesystem::path directory, double wall_limit,
           const std::optional<RunCheckpoint>& restart_from, std::string restarted_from);

  /// The initial dump and row 0; on a restart nothing, as they are there.
  void begin();
  /// The last dump and the checkpoint that ends every run. Returns the checkpoint's file name.
  std::string end(const std::string& reason);

  // What the driver asks and tells.
  bool wants_totals(std::int64_t step) const;
  bool rests_after(std::int64_t step) const;
  bool wants_rest() const;
  bool wants_to_stop();
  void settled() { attempt_ended_ = seconds(); }
  void accepted(const StepPlan& plan, const Verdict& verdict);
  void at_rest();
  void rejected(const StepPlan& plan, const Diagnosis& diagnosis, const StepPlan* next);

  /// Why the run was stopped: "signal SIGTERM", "wall time".
  const std::string& stop_reason() const { return stop_reason_; }
  /// The paragraph about the error that ended the run; `checkpoint`: the file written for it.
  std::string explanation(const std::string& checkpoint) const;
  const std::filesystem::path& directory() const { return directory_; }
  double seconds() const;

 private:
  AttemptInfo attempt_info(const StepPlan& plan) const;
  /// A fault on purpose is an event, also one that nobody notices.
  void note_fault(std::int64_t step, const StepPlan& plan);
  bool checkpoint_is_due_by_wall() const;
  bool out_of_time() const { return wall_limit_ > 0 && seconds() >= wall_limit_; }
  void write_dump();
  std::string write_checkpoint(const std::string& reason);

  const RunConfig& config_;
  Solver& solver_;
  RunProgress& progress_;
  Terminal& terminal_;
  std::filesystem::path directory_;
  bool restarted_;
  std::string restarted_from_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  double seconds_before_ = 0;  // in the runs this one continues
  double wall_limit_;

  History history_;
  EventLog events_;
  DumpSeries dumps_;

  double attempt_began_ = 0, attempt_ended_ = 0;
  double last_checkpoint_ = 0;
  std::int64_t attempts_of_step_ = 1;
  double first_dt_ = 0;
  std::vector<Remedy> remedies_of_step_;
  bool landed_ = false;  // the last accepted step ended on an output time
  std::int64_t dumped_step_ = -1;
  std::string stop_reason_;
  std::function<std::string(const std::string&)> explain_;
};

}  // namespace halfstep
