// checkpoint_00000123.h5: everything a run needs to go on with the same bits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "physics/solver.hpp"
#include "runtime/checkpoint/record_file.hpp"
#include "runtime/stepping/controller.hpp"

namespace halfstep {

/// What a run has come to so far, over all its restarts.
struct RunCounters {
  std::int64_t attempts = 0;
  std::int64_t rejections = 0;
  std::int64_t repaired_faces = 0;
  std::int64_t first_order_steps = 0;  ///< accepted ones with first-order fluxes around flagged cells
  FloorSums floored{};                 ///< in accepted steps
  std::int64_t injected_faults = 0;
  double wall_seconds = 0;
  double redo_seconds = 0;  ///< of those, in attempts that were rejected
};

/// A step that was under way, between two slices of one of its attempts.
struct StepUnderWay {
  AttemptProgress progress;
  double first_dt = 0;           ///< of the step's first attempt
  std::vector<Remedy> remedies;  ///< tried so far
};

struct RunCheckpoint {
  std::string deck;        ///< the resolved deck
  StepState state;         ///< as before the first attempt at the next step, or at the one under way
  double last_dt = 0;      ///< of the last accepted step
  double signal_rate = 0;  ///< of `fields`; the next dt comes from it
  Mesh mesh;
  double gamma = 1.4;
  Fields fields;          ///< U^n, cell averages
  std::string precision;  ///< "double" or "single"; single states are kept as floats
  std::string backend, git;
  RunCounters counters;
  std::optional<Totals> initial_totals;  ///< of the run's beginning; older checkpoints do not have them
  std::int64_t next_dump = 0;
  std::int64_t dumped_step = -1;     ///< the step of the last dump
  std::int64_t histogram_step = -1;  ///< of the last rows in histogram.csv
  std::uint64_t epoch = 0;           ///< of the last attempt, or of the one under way
  std::optional<StepUnderWay> step;
};

/// "checkpoint_00000123.h5"; by accepted steps.
std::string checkpoint_name(std::int64_t step);

/// `directory`/checkpoint_<step>.h5, complete but not on the disk yet, with `fields` and not those of
/// `checkpoint`. `compress`: gzip's level for the fields, 0 = none.
SealedFile checkpoint_file(const std::filesystem::path& directory, const RunCheckpoint& checkpoint,
                           const FieldsView& fields, int compress = 0);

/// Puts the checkpoint of `step` on the disk, points checkpoint_latest.h5 at it and removes all but the
/// `keep` (at least 1) checkpoints written last. Returns the file's name. Throws std::runtime_error; what was
/// there before is then still there.
std::string publish_checkpoint(const std::filesystem::path& directory, std::int64_t step,
                               const SealedFile& file, int keep);

/// A checkpoint that cannot be used, and why.
struct RefusedCheckpoint {
  std::filesystem::path file;
  std::string reason;
};

struct FoundCheckpoint {
  std::filesystem::path file;
  RunCheckpoint checkpoint;
  std::vector<RefusedCheckpoint> refused;  ///< looked at before `file`
};

/// What a restart goes on with. `given` is a checkpoint or the directory of a run; of a directory the newest
/// that can be used. Throws std::runtime_error, with the reasons and with what can be done instead.
FoundCheckpoint find_checkpoint(const std::filesystem::path& given);

/// Throws std::runtime_error with the reason when the file is missing, damaged, newer than this program or
/// none of ours.
RunCheckpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace halfstep
