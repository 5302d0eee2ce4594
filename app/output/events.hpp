// events.jsonl: everything out of the ordinary, one JSON object a line, each with `event`. Numbers that are
// not finite are the strings "nan", "inf" and "-inf".
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/output/append_file.hpp"
#include "app/output/json.hpp"
#include "app/output/run_checkpoint.hpp"
#include "physics/fault.hpp"
#include "physics/mesh.hpp"
#include "physics/soft_errors.hpp"

namespace halfstep {

/// A value of the deck that a restart changes, as decks spell it.
struct DeckChange {
  std::string key, before, after;
};

/// One try at a step, as people count.
struct AttemptInfo {
  std::int64_t step = 1;  ///< the step being tried, from 1: accepted steps + 1
  int attempt = 1;        ///< from 1
  double time = 0;        ///< t^n
  double dt = 0;
};

/// `step`, `attempt`, `stage`, `time`, `dt`, `kind`, `cell`, `position` (the cell's centre), `axis` (of a bad
/// face), `count`, `counts`, `value`, `replay`.
Json soft_error_event(const AttemptInfo& attempt, const SoftError& error, const Replay& replay,
                      const Mesh& mesh);
/// The attempt was given up; the next one has `next_dt`. `halvings`: rejections of the step so far.
Json rejection_event(const AttemptInfo& attempt, double next_dt, int halvings);
/// A rung of the ladder beyond halving: "first_order", "floor" or "abort". `cells`: how many are flagged.
Json rung_event(const AttemptInfo& attempt, std::string_view rung, std::int64_t cells = 0);
/// An accepted step in which `count` faces fell back to first-order states, and what floors added.
Json repair_event(std::int64_t step, std::int64_t count, const FloorSums& floored = {});
/// The fault that was put into this attempt on purpose.
Json fault_event(const AttemptInfo& attempt, const Fault& fault);
/// `reason`: "every_steps", "every_wall", "signal SIGUSR1", "file stop", "wall time", "soft error", "end",
/// ... `under_way`: where it was taken between two slices of a step.
Json checkpoint_event(std::int64_t step, double time, std::string_view file, std::string_view reason,
                      const AttemptProgress* under_way = nullptr);
/// `name`: "SIGTERM", ..., or "file stop", "file checkpoint".
Json signal_event(std::int64_t step, double time, std::string_view name);
/// `file`: the checkpoint; `refused`: those that were looked at before; `changed`: values of the deck that
/// are not those of the checkpoint.
Json restart_event(std::int64_t step, double time, std::string_view file,
                   const std::vector<RefusedCheckpoint>& refused = {},
                   const std::vector<DeckChange>& changed = {});

/// Lines reach the file one by one. Throws std::runtime_error.
class EventLog {
 public:
  /// Opens or creates; older lines stay.
  explicit EventLog(const std::filesystem::path& path) : file_(path) {}
  void write(const Json& event) { file_.write_line(json_text(event)); }
  void synchronise() const { file_.synchronise(); }

 private:
  AppendFile file_;
};

}  // namespace halfstep
