#include "app/run/restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/deck/deck.hpp"
#include "app/output/mesh_faces.hpp"

namespace halfstep {

namespace {

namespace fs = std::filesystem;

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
  return (key.starts_with("mesh.") && key != "mesh.ranks") || key.starts_with("case.") ||
         key.starts_with("gas.second.") || key == "scalars" || key == "solids" || key == "scheme.precision" ||
         key == "scheme.method" || key == "scheme.degree" || key == "source.kind" || key == "output.budgets";
}

/// Whether an unfinished step can be finished after this key has changed.
bool leaves_step_alone(const std::string& key) {
  return key.starts_with("checkpoint.") || key == "mesh.ranks" || key == "ranks.watchdog" ||
         key == "interruptible.launch_budget_ms" || key == "title" || key == "time.max_steps" ||
         (key.starts_with("output.") && key != "output.every");
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

/// Whether history.csv has columns for forces.
bool tells_of_forces(const Problem& problem) { return problem.budgets && problem.terms.has_forces(); }

/// Refuses changes by which the rows of a file would continue under other columns.
void refuse_other_columns(const RunConfig& before, const RunConfig& after, const std::string& file) {
  std::vector<Diagnostic> refused;
  const auto refuse = [&](const std::string& message, const std::string& help) {
    refused.push_back({.where = file, .message = message, .help = help});
  };
  for (const auto& [key, changes] :
       {std::pair("sponges", before.problem.has_sponges() != after.problem.has_sponges()),
        std::pair("gravity and driving", tells_of_forces(before.problem) != tells_of_forces(after.problem)),
        std::pair("output.enstrophy", before.problem.enstrophy != after.problem.enstrophy)})
    if (changes)
      refuse(
          fmt::format("a restart in place cannot begin or end '{}', which has columns in history.csv", key),
          "write into another directory, with --output");
  if (!(before.output.loads == after.output.loads))
    refuse("a restart in place cannot change 'output.loads', by which history.csv has coefficients",
           "write into another directory, with --output");
  for (std::size_t n = 0; n < after.output_requests.size(); ++n) {
    const OutputRequest& own = after.output_requests[n];
    for (const OutputRequest& old : before.output_requests)
      if (old.name == own.name && !old.has_columns_of(own))
        refuse(fmt::format("a restart in place cannot change the fields or points of 'outputs[{}]', '{}'", n,
                           own.name),
               "give it another name, or write into another directory, with --output");
  }
  if (!refused.empty()) throw DeckError(refused);
}

}  // namespace

Restart take_up(const fs::path& given, const std::vector<std::string>& overrides, const fs::path& output) {
  Restart restart;
  restart.from = find_checkpoint(given);
  RunCheckpoint& checkpoint = restart.from.checkpoint;
  const std::string file = restart.from.file.string(), name = "deck in " + file;
  restart.config = parse_deck(checkpoint.deck, name, overrides);
  const RunConfig before = parse_deck(checkpoint.deck, name);
  restart.changed = changes(before, restart.config);
  restart.outputs_before = before.output_requests;
  const fs::path here = fs::absolute(restart.from.file).parent_path();
  std::error_code none;
  restart.directory = output.empty() ? here : output;
  restart.in_place = fs::equivalent(restart.directory, here, none);
  refuse_fixed(restart.changed, file);
  if (restart.in_place) refuse_other_columns(before, restart.config, file);
  const StepLimits& limits = restart.config.limits;
  for (const DeckChange& c : restart.changed)
    if ((c.key == "time.end" && limits.end < checkpoint.state.time) ||
        (c.key == "time.max_steps" && limits.max_steps > 0 && limits.max_steps < checkpoint.state.step))
      throw DeckError({{.where = file,
                        .message = fmt::format("'{}' is {}, but the checkpoint is at step {}, time {:.6g}",
                                               c.key, c.after, checkpoint.state.step, checkpoint.state.time),
                        .help = "choose a later end, or restart from an earlier checkpoint"}});
  if (!same_mesh(checkpoint.mesh, restart.config.problem.mesh))
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
