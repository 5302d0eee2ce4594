// The outputs of the deck's list `outputs` while a run steps: when each is due, and its writing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/deck/config.hpp"
#include "physics/solver/solver.hpp"

namespace halfstep {

/// Writes one output.
class OutputWriter {
 public:
  virtual ~OutputWriter() = default;
  /// Writes the present state, with no attempt under way, or one of them for a writer that reads beside it.
  /// It is copied at once; what it is written to may come later.
  virtual void write(const StepState& state, double dt) = 0;
  virtual bool reads_beside_an_attempt() const { return false; }
  /// Brings into files what is held back while more is to be written. In the thread that writes files.
  virtual void flush() {}
  /// Waits until what was written is on the disk. In the thread that writes files.
  virtual void synchronise() = 0;
  /// Notes the state at the end of an accepted step.
  virtual void accepted(const StepState&) {}
  /// Whether rest() is to be called after that step, due or not.
  virtual bool rests_after(std::int64_t /*step*/) const { return false; }
  /// Is called with no attempt under way.
  virtual void rest() {}
  /// Returns what it keeps of the states so far, for checkpoints. With no attempt under way or between two
  /// slices.
  virtual std::vector<double> kept() { return {}; }
  /// Returns the number of its next dump.
  virtual std::int64_t next_dump() const { return 0; }
};

/// Builds a file or a row from the states of its cells and returns what writes it.
using BuildFile = std::function<std::function<void()>(const Fields& states)>;

/// Queues a file or a row: one thread takes `states` out of the memory that a device copies them to, another
/// builds the file, a third writes it, each in the order of the calls. `states`: nothing for one that needs
/// none. `part`: what is held for it meanwhile, as a part of the whole state.
using QueueFile = std::function<void(std::shared_ptr<Snapshot> states, BuildFile build, double part)>;

/// Where the outputs of a run stood at the checkpoint that another continues from.
struct OutputsBefore {
  std::int64_t step;
  double time;
  std::map<std::string, std::int64_t> next_dumps;  ///< by the names of outputs
  std::map<std::string, std::vector<double>> averages;
};

/// Every member throws std::runtime_error if a file cannot be written.
class Outputs {
 public:
  /// `from`: nothing for a new run.
  Outputs(const RunConfig& config, Solver& solver, const std::filesystem::path& directory,
          const std::optional<OutputsBefore>& from, QueueFile queue);

  /// Whether some output is due after that step, whatever its time, or has to look at the states, that cannot
  /// be written with an attempt under way; or one that can.
  bool rests_after(std::int64_t step) const;
  bool reads_after(std::int64_t step) const;
  /// Writes the initial state of a new run.
  void begin();
  /// Notes the state, and which outputs the accepted step has reached.
  void accepted(const StepState& state);
  /// Returns what outputs keep of the states so far, by their names. With no attempt under way or between two
  /// slices.
  std::map<std::string, std::vector<double>> kept();
  /// Writes those that are due after a step of length `dt`.
  void write_due(const StepState& state, double dt);
  /// In the thread that writes files, as those of OutputWriter.
  void flush();
  void synchronise();
  /// Returns the number of the next dump of each output, 0 for a table, as checkpoints keep them.
  std::vector<std::int64_t> next_dumps() const;

 private:
  struct Entry {
    std::string name;
    Cadence cadence;
    std::unique_ptr<OutputWriter> writer;
    bool reached_time = false;  ///< a multiple of `every`, not written yet
  };

  double time_;  ///< of the last step accepted
  std::vector<Entry> entries_;
};

}  // namespace halfstep
