#include "app/run/restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "app/deck/deck.hpp"

namespace halfstep {

namespace {

std::vector<DeckChange> changes(const RunConfig& before, const RunConfig& after) {
  std::vector<DeckChange> all;
  for (const auto& [key, value] : after.values) {
    const auto old = std::find_if(before.values.begin(), before.values.end(),
                                  [&key = key](const auto& entry) { return entry.first == key; });
    const std::string was = old == before.values.end() ? "nothing" : old->second;
    if (was != value) all.push_back({key, was, value});
  }
  return all;
}

/// Whether changing this key would make the checkpoint's state meaningless.
bool is_fixed(const std::string& key) {
  return key.starts_with("mesh.") || key.starts_with("case.") || key == "scalars" ||
         key == "scheme.precision" || key == "source.kind";
}

/// Whether an unfinished step can be finished after this key has changed.
bool leaves_step_alone(const std::string& key) {
  return key.starts_with("checkpoint.") || key == "interruptible.launch_budget_ms" || key == "title" ||
         key == "time.max_steps" || (key.starts_with("output.") && key != "output.every");
}

void refuse_fixed(const std::vector<DeckChange>& changed, const std::string& file) {
  std::vector<Diagnostic> refused;
  for (const DeckChange& c : changed)
    if (is_fixed(c.key))
      refused.push_back({.where = file,
                         .message = fmt::format("a restart cannot change '{}', here from {} to {}", c.key,
                                                c.before, c.after),
                         .help = "leave the override away, or start a new run"});
  if (!refused.empty()) throw DeckError(refused);
}

}  // namespace

Restart take_up(const std::filesystem::path& given, const std::vector<std::string>& overrides) {
  Restart restart{find_checkpoint(given), {}, {}};
  RunCheckpoint& checkpoint = restart.from.checkpoint;
  const std::string file = restart.from.file.string(), name = "deck in " + file;
  restart.config = parse_deck(checkpoint.deck, name, overrides);
  restart.changed = changes(parse_deck(checkpoint.deck, name), restart.config);
  refuse_fixed(restart.changed, file);
  const StepLimits& limits = restart.config.limits;
  for (const DeckChange& c : restart.changed)
    if ((c.key == "time.end" && limits.end < checkpoint.state.time) ||
        (c.key == "time.max_steps" && limits.max_steps > 0 && limits.max_steps < checkpoint.state.step))
      throw DeckError({{.where = file,
                        .message = fmt::format("'{}' is {}, but the checkpoint is at step {}, time {:.6g}",
                                               c.key, c.after, checkpoint.state.step, checkpoint.state.time),
                        .help = "choose a later end, or restart from an earlier checkpoint"}});
  if (checkpoint.mesh.cells != restart.config.problem.mesh.cells)
    throw std::runtime_error("cannot use '" + file + "': its fields are not on the mesh of its deck");
  if (!std::all_of(restart.changed.begin(), restart.changed.end(),
                   [](const DeckChange& c) { return leaves_step_alone(c.key); })) {
    checkpoint.step.reset();
    checkpoint.state = at_first_attempt(checkpoint.state);
  }
  return restart;
}

bool Restart::changes_signal_rate() const {
  return std::any_of(changed.begin(), changed.end(), [](const DeckChange& c) {
    return c.key.starts_with("gas.") || c.key == "scheme.viscous_order";
  });
}

std::string Restart::description(const std::filesystem::path& directory) const {
  std::string text = fmt::format("going on from step {}, time {:.6g}, with '{}' and the deck in it, in {}",
                                 from.checkpoint.state.step, from.checkpoint.state.time,
                                 from.file.filename().string(), directory.string());
  for (const DeckChange& c : changed) text += fmt::format("\n  {}: {} -> {}", c.key, c.before, c.after);
  return text;
}

}  // namespace halfstep
