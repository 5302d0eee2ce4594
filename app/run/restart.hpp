// What a restart takes up: the checkpoint, its deck, and what is changed of that.
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
  std::vector<DeckChange> changed;  ///< by the overrides

  /// Whether U^n has another signal rate than the checkpoint says.
  bool changes_signal_rate() const;
  /// Where the run goes on, and a line for each change.
  std::string description(const std::filesystem::path& directory) const;
};

/// Reads the checkpoint `given`, or the newest that can be used of that directory, and applies `overrides` to
/// the deck in it. A step that was under way is begun again where a change bears on it. Throws DeckError
/// where an override is wrong or changes what the state depends on, std::runtime_error where there is no
/// checkpoint.
Restart take_up(const std::filesystem::path& given, const std::vector<std::string>& overrides);

}  // namespace halfstep
