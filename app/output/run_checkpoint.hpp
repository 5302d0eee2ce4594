// checkpoint_00000123.h5: everything a run needs to go on with the same bits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "physics/solver.hpp"
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

struct RunCheckpoint {
  std::string deck;        ///< the resolved deck
  StepState state;         ///< as before the first attempt at the next step
  double last_dt = 0;      ///< of the last accepted step
  double signal_rate = 0;  ///< of `fields`; the next dt comes from it
  Mesh mesh;
  double gamma = 1.4;
  Fields fields;          ///< U^n, cell averages
  std::string precision;  ///< "double" or "single"; single states are kept as floats
  std::string backend, git;
  RunCounters counters;
  std::int64_t next_dump = 0;
  std::uint64_t epoch = 0;  ///< of the last attempt
};

/// Writes `directory`/checkpoint_<step>.h5, points checkpoint_latest.h5 at it and removes all but the `keep`
/// (at least 1) checkpoints written last. Returns the file's name. Throws std::runtime_error; what was there
/// before is then still there.
std::string write_checkpoint(const std::filesystem::path& directory, const RunCheckpoint& checkpoint,
                             int keep);

/// Throws std::runtime_error with the reason when the file is missing, damaged, newer than this program or
/// none of ours.
RunCheckpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace halfstep
