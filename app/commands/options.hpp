// Arguments and options shared by several commands, and the validators of their values.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace halfstep {

/// A deck and overrides, in any order.
class DeckArguments {
 public:
  void declare(CLI::App& command);
  /// Separates the deck from the overrides. Throws UsageError for a second deck, and for a missing one if
  /// required; the message names `command`.
  void sort(const char* command, bool deck_required, std::string& deck,
            std::vector<std::string>& overrides) const;

 private:
  std::string first_;
  std::vector<std::string> others_;
};

void declare_backend(CLI::App& command, std::string& backend, int& threads);

CLI::Validator one_of(const std::vector<std::string>& choices);
CLI::Validator whole_number(int low, int high);
CLI::Validator not_negative();
/// Refuses an empty path: an unset shell variable does not mean the default.
CLI::Validator not_empty();
/// Accepts HH:MM:SS greater than zero.
CLI::Validator duration();

}  // namespace halfstep
