// events.jsonl: unusual events, one JSON object per line, each with the key `event`. Non-finite numbers are
// the strings "nan", "inf" and "-inf".
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/json.hpp"
#include "app/output/append_file.hpp"
#include "app/output/run_checkpoint.hpp"
#include "physics/mesh/mesh.hpp"
#include "physics/recovery/floors.hpp"
#include "physics/recovery/injected_fault.hpp"
#include "physics/recovery/soft_errors.hpp"

namespace halfstep {

/// A deck value that a restart changes, spelt as in decks.
struct DeckChange {
  std::string key, before, after;
};

/// An attempt at a step, counted from 1.
struct AttemptInfo {
  std::int64_t step = 1;  ///< the attempted step: accepted steps + 1
  int attempt = 1;        ///< from 1
  double time = 0;        ///< t^n
  double dt = 0;
};

/// Returns an event with `step`, `attempt`, `stage`, `time`, `dt`, `kind`, `cell`, `position` (cell centre),
/// `axis` (for a bad face), `count`, `counts`, `value`, `replay`.
Json soft_error_event(const AttemptInfo& attempt, const SoftError& error, const Replay& replay,
                      const Mesh& mesh);
/// Returns the event of a rejected attempt; the next one has `next_dt`. `halvings`: halvings of the step so
/// far.
Json rejection_event(const AttemptInfo& attempt, double next_dt, int halvings);
/// Returns the event of a ladder's rung beyond halving: "first_order", "floor" or "abort". `cells`: number of
/// flagged cells.
Json rung_event(const AttemptInfo& attempt, std::string_view rung, std::int64_t cells = 0);
/// Returns the event of an accepted step in which `count` faces fell back to first-order states. `floored`:
/// what floors added.
Json repair_event(std::int64_t step, std::int64_t count, const FloorSums& floored = {});
/// Returns the event of a fault injected into this attempt.
Json fault_event(const AttemptInfo& attempt, const Fault& fault);
/// Returns the event of a checkpoint. `reason`: "every_steps", "every_wall", "signal SIGUSR1", "file stop",
/// "wall time", "soft error", "end", ... `under_way`: the attempt's progress if written between two slices of
/// a step.
Json checkpoint_event(std::int64_t step, double time, std::string_view file, std::string_view reason,
                      const AttemptProgress* under_way = nullptr);
/// Returns the event of a request. `name`: "SIGTERM", ..., or "file stop", "file checkpoint".
Json signal_event(std::int64_t step, double time, std::string_view name);
/// Returns the event of a restart. `file`: the checkpoint; `refused`: the checkpoints tried before;
/// `changed`: the deck values that differ from the checkpoint's.
Json restart_event(std::int64_t step, double time, std::string_view file,
                   const std::vector<RefusedCheckpoint>& refused = {},
                   const std::vector<DeckChange>& changed = {});

/// The event log; each line is written at once. Throws std::runtime_error.
class EventLog {
 public:
  /// Opens or creates the file; existing lines stay.
  explicit EventLog(const std::filesystem::path& path) : file_(path) {}
  void write(const Json& event) { file_.write_line(json_text(event)); }
  void synchronise() const { file_.synchronise(); }

 private:
  AppendFile file_;
};

}  // namespace halfstep
