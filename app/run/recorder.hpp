// What a run leaves behind while the driver steps: history, events, dumps, checkpoints, the status line.
// Dumps and checkpoints are built by one thread, from copies of U^n, and put on the disk by another, while
// the steps go on; HDF5 is the first one's alone.
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
#include "app/output/dump.hpp"
#include "app/output/events.hpp"
#include "app/output/histogram_file.hpp"
#include "app/output/history.hpp"
#include "app/output/rejection_news.hpp"
#include "app/output/run_checkpoint.hpp"
#include "app/output/terminal.hpp"
#include "app/run/request_file.hpp"
#include "app/run/restart.hpp"
#include "runtime/checkpoint/background_writer.hpp"

namespace halfstep {

/// Everything of a run that changes as it goes on, and that a checkpoint has to hold.
struct RunProgress {
  StepState state;
  double signal_rate = 0;
  double last_dt = 0;
  std::uint64_t epoch = 0;
  RunCounters counters;
  Totals initial_totals;  ///< of the run's beginning, before all restarts
};

/// The driver's observer. Everything throws std::runtime_error when a file cannot be written, or could not
/// be.
class Recorder {
 public:
  /// `wall_limit`: seconds this process may run; 0 = no limit. `restart`: nullptr for a new run.
  Recorder(const RunConfig& config, Solver& solver, RunProgress& progress, Terminal& terminal,
           std::filesystem::path directory, double wall_limit, const Restart* restart);
  /// What was under way is written.
  ~Recorder();

  /// The initial dump and row 0; on a restart nothing, as they are there.
  void begin();
  /// The last dump and the checkpoint that ends every run, and everything is on the disk. Returns the
  /// checkpoint's file name.
  std::string end(const std::string& reason);

  // What the driver asks and tells.
  bool wants_totals(std::int64_t step) const;
  bool rests_after(std::int64_t step) const;
  bool wants_rest();
  bool wants_to_stop();
  bool stops_between_slices();
  void settled();
  void accepted(const StepPlan& plan, const Verdict& verdict);
  void at_rest();
  void rejected(const StepPlan& plan, const Diagnosis& diagnosis, const StepPlan* next);
  void stood_still(const StepPlan& plan);

  /// Why the run was stopped: "signal SIGTERM", "file stop", "wall time".
  const std::string& stop_reason() const { return stop_reason_; }
  /// The paragraph about the error that ended the run; `checkpoint`: the file written for it.
  std::string explanation(const std::string& checkpoint) const;
  const std::filesystem::path& directory() const { return directory_; }
  double seconds() const;

 private:
  AttemptInfo attempt_info(const StepPlan& plan) const;
  /// A fault on purpose is an event, also one that nobody notices.
  void note_fault(std::int64_t step, const StepPlan& plan);
  /// Looks at signals, files and the clock; after it stop_reason_ and checkpoint_reason_ say what is to be
  /// done.
  void look_for_requests();
  /// Logs what was asked for and tells the person; returns `reason`.
  std::string note_request(const std::string& reason, const std::string& answer);
  bool checkpoint_is_due_by_wall() const;
  bool out_of_time();
  double seconds_to_end();
  /// U^n on its way into files; a dump and a checkpoint of one step share it.
  std::shared_ptr<Snapshot> capture();
  void write_dump();
  /// If the deck wants one.
  void write_histogram();
  std::string write_checkpoint(const std::string& reason, bool within_step);
  /// Puts a file on the disk.
  using Write = std::function<void()>;
  /// Has a file built in memory by one thread and then written by another, so that the disk need not wait for
  /// the next file nor that for the disk. Remembers the longest it took.
  std::int64_t submit(std::function<Write()> build);
  void drain();
  /// Logs checkpoints that have come to be there.
  void note_written();

  const RunConfig& config_;
  Solver& solver_;
  RunProgress& progress_;
  Terminal& terminal_;
  std::filesystem::path directory_;
  const Restart* restart_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  double seconds_before_ = 0;  // in the runs this one continues
  double wall_limit_;

  History history_;
  std::optional<HistogramFile> histograms_;
  EventLog events_;
  DumpSeries dumps_;

  double attempt_began_ = 0, attempt_ended_ = 0;
  double longest_attempt_ = 0;  // seconds
  std::int64_t attempts_of_step_ = 1;
  double first_dt_ = 0;
  RejectionNews rejection_news_;
  std::vector<Remedy> remedies_of_step_;
  bool landed_ = false;  // the last accepted step ended on an output time
  std::function<std::string(const std::string&)> explain_;

  std::string stop_reason_, checkpoint_reason_;
  RequestFile stop_file_, checkpoint_file_;
  double looked_for_files_ = 0;
  bool within_step_ = false;  // the run was stopped between two slices

  std::weak_ptr<Snapshot> capture_;
  std::int64_t captured_step_ = -1;
  std::int64_t next_dump_ = 0, dumped_step_ = -1, histogram_step_ = -1;
  double last_checkpoint_ = 0;
  /// A checkpoint under way, as that job.
  struct Pending {
    std::int64_t job;
    Json event;
    std::vector<RequestFile*> serves;
  };
  std::deque<Pending> pending_;
  std::int64_t submitted_ = 0;
  std::atomic<double> longest_write_ = 0;  // seconds
  BackgroundWriter disk_, builder_;  // the last members: their jobs use the others, the builder's the disk
};

}  // namespace halfstep
