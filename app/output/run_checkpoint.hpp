// checkpoint_00000123.h5: everything that a run needs to continue bit for bit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/output/budget_table.hpp"
#include "physics/diagnostics/budget.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/recovery/floors.hpp"
#include "physics/solver/solver.hpp"
#include "physics/sources/sponge.hpp"
#include "runtime/checkpoint/record_file.hpp"
#include "runtime/stepping/controller.hpp"

namespace halfstep {

class BlockWriter;

/// Counters of a run over all its restarts.
struct RunCounters {
  std::int64_t attempts = 0;
  std::int64_t rejections = 0;
  std::int64_t repaired_faces = 0;
  std::int64_t scaled_steps = 0;       ///< accepted steps with elements scaled towards their averages
  std::int64_t first_order_steps = 0;  ///< accepted steps with first-order fluxes around flagged cells
  FloorSums floored{};                 ///< in accepted steps
  SpongeSums sponged{};                ///< in accepted steps
  Budget budget{};                     ///< of accepted steps
  std::int64_t injected_faults = 0;
  double wall_seconds = 0;
  double redo_seconds = 0;  ///< the part of wall_seconds in rejected attempts
};

/// Returns what explains a change of the totals.
inline Explained explained_by(const RunCounters& counters) {
  return {counters.budget, counters.floored, counters.sponged};
}

/// An unfinished step, stopped between two slices of an attempt.
struct StepUnderWay {
  AttemptProgress progress;
  double first_dt = 0;           ///< of the step's first attempt
  std::vector<Remedy> remedies;  ///< tried so far
};

struct RunCheckpoint {
  std::string deck;     ///< the resolved deck
  StepState state;      ///< before the first attempt at the next step, or before the unfinished attempt
  double last_dt = 0;   ///< of the last accepted step
  double cfl_rate = 0;  ///< of `fields`; gives the next dt
  Mesh mesh;
  double gamma = 1.4;
  Fields fields;                     ///< U^n, cell averages
  std::vector<std::string> scalars;  ///< the names of those in `fields`
  std::string precision;             ///< "double" or "single"; single states are kept as floats
  std::string backend, git;
  RunCounters counters;
  std::optional<Totals> initial_totals;  ///< at the first start; missing in older checkpoints
  std::int64_t next_dump = 0;
  std::int64_t dumped_step = -1;     ///< the step of the last dump
  std::int64_t histogram_step = -1;  ///< of the last rows in histogram.csv
  /// By the deck's `outputs`: the number of the next dump of each; 0 for a table.
  std::vector<std::int64_t> next_of_outputs;
  std::map<std::string, std::vector<double>> averages;  ///< what those of the deck's `outputs` keep, by name
  std::uint64_t epoch = 0;                              ///< of the last or the unfinished attempt
  std::optional<StepUnderWay> step;
};

/// Returns e.g. "checkpoint_00000123.h5" for that number of accepted steps.
std::string checkpoint_name(std::int64_t step);

/// Builds `directory`/checkpoint_<step>.h5, complete but not on the disk yet, with `fields` in place of those
/// of `checkpoint`. `compress`: gzip level of the fields, 0 = none.
SealedFile checkpoint_file(const std::filesystem::path& directory, const RunCheckpoint& checkpoint,
                           const FieldsView& fields, int compress = 0);

/// Makes the same file, without a value of its fields, that several ranks write together: under a temporary
/// name.
PartedFile parted_checkpoint(const std::filesystem::path& directory, const RunCheckpoint& checkpoint);

/// Writes a block of the fields; `fields` are those of the block. A collective call.
void write_checkpoint_block(BlockWriter& writer, const std::string& precision, const FieldsView& fields);

/// Writes the checkpoint of `step` to the disk, points checkpoint_latest.h5 at it and removes all but the
/// `keep` (at least 1) last written ones. Returns the file's name. Throws std::runtime_error and then leaves
/// the earlier files in place.
std::string publish_checkpoint(const std::filesystem::path& directory, std::int64_t step,
                               const SealedFile& file, int keep);

/// A checkpoint that cannot be used, and the reason.
struct RefusedCheckpoint {
  std::filesystem::path file;
  std::string reason;
};

struct FoundCheckpoint {
  std::filesystem::path file;
  RunCheckpoint checkpoint;
  std::vector<RefusedCheckpoint> refused;  ///< tried before `file`
};

/// Finds the checkpoint for a restart. `given`: a checkpoint, or a run's directory, in which the newest
/// usable one is taken. Throws std::runtime_error with the reasons and remedies.
FoundCheckpoint find_checkpoint(const std::filesystem::path& given);

/// Reads a checkpoint. Throws std::runtime_error with the reason if the file is missing, damaged, newer than
/// this program or not a checkpoint.
RunCheckpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace halfstep
