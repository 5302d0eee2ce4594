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
  std::vector<DeckChange> changed;  ///< values that the overrides changed

  /// Whether the changes make the checkpoint's CFL rate of U^n invalid.
  bool changes_signal_rate() const;
  /// Returns where the run continues and one line per change.
  std::string description(const std::filesystem::path& directory) const;
};

/// Reads the checkpoint `given`, or the newest usable one of that directory, and applies `overrides` to its
/// deck. Restarts an unfinished step if a change affects it. Throws DeckError if an override is wrong or
/// changes what the state depends on, std::runtime_error if there is no usable checkpoint.
Restart take_up(const std::filesystem::path& given, const std::vector<std::string>& overrides);

}  // namespace halfstep
