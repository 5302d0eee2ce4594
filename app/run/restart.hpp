// A restart: the checkpoint, its deck, and the changes to the deck.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/deck/config.hpp"
#include "app/output/events.hpp"
#include "app/output/run_checkpoint.hpp"

namespace halfstep {

struct Restart {
  FoundCheckpoint from;
  RunConfig config;
  std::vector<DeckChange> changed;            ///< values that the overrides changed
  std::vector<OutputRequest> outputs_before;  ///< of the checkpoint's deck
  std::filesystem::path directory;            ///< that the run goes on in
  bool in_place = false;                      ///< that is the checkpoint's

  /// Whether the changes make the checkpoint's CFL rate of U^n invalid.
  bool changes_signal_rate() const;
  /// Returns where the run continues and one line per change.
  std::string description(const std::filesystem::path& directory) const;
};

/// Reads the checkpoint `given`, or the newest usable one of that directory, and applies `overrides` to its
/// deck. `output`: the directory to go on in; empty: the checkpoint's. Restarts an unfinished step if a
/// change affects it. Throws DeckError if an override is wrong, changes what the state depends on, or changes
/// the columns of a file that the run continues; std::runtime_error if there is no usable checkpoint.
Restart take_up(const std::filesystem::path& given, const std::vector<std::string>& overrides,
                const std::filesystem::path& output);

}  // namespace halfstep
