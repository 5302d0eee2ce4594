// The output of a run while the driver steps: history, events, dumps, checkpoints, the status line. One
// thread takes the states of outputs out of pinned memory, one builds files from copies of U^n, another
// writes them to the disk, while the steps go on. Only the building thread calls HDF5.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/deck/config.hpp"
#include "app/output/dump_series.hpp"
#include "app/output/events.hpp"
#include "app/output/histogram_file.hpp"
#include "app/output/history.hpp"
#include "app/output/rejection_news.hpp"
#include "app/output/run_checkpoint.hpp"
#include "app/output/solid_fields.hpp"
#include "app/output/terminal.hpp"
#include "app/run/outputs.hpp"
#include "app/run/request_file.hpp"
#include "app/run/restart.hpp"
#include "physics/diagnostics/totals.hpp"
#include "runtime/checkpoint/background_writer.hpp"

namespace halfstep {

/// The state of a run that changes with its steps and is saved in a checkpoint.
struct RunProgress {
  StepState state;
  double cfl_rate = 0;
  double last_dt = 0;
  std::uint64_t epoch = 0;
  RunCounters counters;
  Totals initial_totals;  ///< at the first start, before all restarts
};

/// The driver's observer. Every member throws std::runtime_error if a file cannot be written, or a queued
/// write has failed.
class Recorder {
 public:
  /// `wall_limit`: wall time of this process in seconds; 0 = no limit. `restart`: nullptr for a new run.
  Recorder(const RunConfig& config, Solver& solver, RunProgress& progress, Terminal& terminal,
           std::filesystem::path directory, double wall_limit, const Restart* restart);
  /// Waits until all queued files are written; ignores their errors.
  ~Recorder();

  /// Writes the initial dump, histogram and history row 0; on a restart, only the restart event.
  void begin();
  /// Writes the final checkpoint, dump and histogram and waits until all files are on the disk. Returns the
  /// checkpoint's file name.
  std::string end(const std::string& reason);

  // The interface that drive() calls.
  bool wants_totals(std::int64_t step) const;
  bool rests_after(std::int64_t step) const;
  bool reads_after(std::int64_t step) const { return outputs_.reads_after(step); }
  bool wants_rest();
  bool wants_to_stop();
  bool stops_between_slices();
  void launched();
  void settled();
  void accepted(const StepPlan& plan, const AttemptResult& verdict);
  void at_rest();
  void read() { outputs_.write_due(progress_.state, progress_.last_dt); }
  void rejected(const StepPlan& plan, const Diagnosis& diagnosis, const StepPlan* next);
  void stood_still(const StepPlan& plan);

  /// Returns why the run was stopped: "signal SIGTERM", "file stop", "wall time".
  const std::string& stop_reason() const { return stop_reason_; }
  /// Returns the paragraph about the error that ended the run. `checkpoint`: the file written for it.
  std::string explanation(const std::string& checkpoint) const;
  const std::filesystem::path& directory() const { return directory_; }
  double seconds() const;

 private:
  AttemptInfo attempt_info(const StepPlan& plan) const;
  /// Logs an injected fault as an event, whether or not it was detected.
  void note_fault(std::int64_t step, const StepPlan& plan);
  /// Checks signals, request files and the clock; sets stop_reason_ and checkpoint_reason_.
  void look_for_requests();
  /// Logs the request and prints a message; returns `reason`.
  std::string note_request(const std::string& reason, const std::string& answer);
  bool checkpoint_is_due_by_wall() const;
  bool out_of_time();
  double seconds_to_end();
  /// Returns a copy of U^n for output; a dump and a checkpoint of the same step share it.
  std::shared_ptr<Snapshot> capture();
  void write_dump();
  /// Writes a histogram if the deck requests one.
  void write_histogram();
  std::string write_checkpoint(const std::string& reason, bool within_step);
  /// Writes a file to the disk.
  using Write = std::function<void()>;
  enum class Begin { at_once, after_others };
  /// Queues a file: one thread builds it in memory, another writes it, so that building and writing overlap;
  /// after_others: it is built once those before it are on the disk. Returns the job's number. `part`: what
  /// it holds, as a part of the whole state. Records the longest time that a large file took.
  std::int64_t submit(std::function<Write()> build, double part = 1, Begin begin = Begin::at_once);
  /// Queues a file of an output, as QueueFile says.
  void submit_output(std::shared_ptr<Snapshot> states, BuildFile build, double part);
  /// Queues what was deferred.
  void submit_deferred();
  /// Does submit() for a file of the whole state, behind the outputs queued so far.
  std::int64_t submit_whole(std::function<Write()> build, Begin begin = Begin::at_once);
  void drain();
  /// Logs the checkpoints written since the last call and serves their request files.
  void note_written();

  const RunConfig& config_;
  Solver& solver_;
  RunProgress& progress_;
  Terminal& terminal_;
  std::filesystem::path directory_;
  const Restart* restart_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  double seconds_before_ = 0;  // wall time of the earlier runs that this one continues
  double wall_limit_;

  History history_;
  std::optional<HistogramFile> histograms_;
  Outputs outputs_;
  EventLog events_;
  DumpSeries dumps_;
  SolidFields solids_;  // of the thread that builds

  double attempt_began_ = 0, attempt_ended_ = 0;
  double longest_attempt_ = 0;  // seconds
  std::int64_t attempts_of_step_ = 1;
  double first_dt_ = 0;
  RejectionNews rejection_news_;
  std::vector<Remedy> remedies_of_step_;
  bool landed_ = false;  // the last accepted step ended at an output time
  std::function<std::string(const std::string&)> explain_;

  std::string stop_reason_, checkpoint_reason_;
  RequestFile stop_file_, checkpoint_file_;
  double looked_for_files_ = 0;
  bool within_step_ = false;  // the run was stopped between two slices

  std::weak_ptr<Snapshot> capture_;
  std::int64_t captured_step_ = -1;
  std::int64_t next_dump_ = 0, dumped_step_ = -1, histogram_step_ = -1;
  double last_checkpoint_ = 0;
  /// A checkpoint that is not on the disk yet, with its job number.
  struct Pending {
    std::int64_t job;
    Json event;
    std::vector<RequestFile*> serves;
  };
  std::deque<Pending> pending_;
  std::atomic<std::int64_t> unwritten_ = 0;  // files submitted
  std::int64_t large_queued_ = 0;
  std::atomic<std::int64_t> large_written_ = 0;
  std::atomic<double> longest_write_ = 0;  // seconds
  std::vector<std::function<void()>>
      deferred_;                               // files of outputs, queued once a device has the next attempt
  BackgroundWriter disk_, builder_, fetcher_;  // last members: jobs use the others, and the writers before
};

}  // namespace halfstep
