#include "app/commands/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/base/exit_codes.hpp"
#include "app/deck/diagnostic.hpp"
#include "app/deck/duration.hpp"
#include "app/deck/nearest.hpp"

namespace halfstep {
namespace {

/// Whether the token begins like "block.key=".
bool is_override(std::string_view token) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
  constexpr std::string_view others = "0123456789.";
  const std::string_view key = token.substr(0, token.find('='));
  const auto allowed = [&](char c) {
    return letters.find(c) != letters.npos || others.find(c) != others.npos;
  };
  return key.size() < token.size() && !key.empty() && letters.find(key.front()) != letters.npos &&
         std::all_of(key.begin(), key.end(), allowed);
}

}  // namespace

void DeckArguments::declare(CLI::App& command) {
  command.add_option("DECK", first_, "the deck, a YAML file, or the name of one that the program carries");
  command.add_option("OVERRIDES", others_, "values that replace the deck's: block.key=value");
}

void DeckArguments::sort(const char* command, bool deck_required, std::string& deck,
                         std::vector<std::string>& overrides) const {
  std::vector<std::string> all = others_;
  if (!first_.empty()) all.insert(all.begin(), first_);
  for (const std::string& token : all) {
    if (is_override(token))
      overrides.push_back(token);
    else if (deck.empty())
      deck = token;
    else
      throw UsageError(
          fmt::format("unexpected argument {}: the deck is {} already", quote(token), quote(deck)),
          "an override is block.key=value, for example time.cfl=0.3");
  }
  if (deck.empty() && deck_required)
    throw UsageError("no deck given", fmt::format("for example: halfstep {} inputs/sod.yaml", command));
}

void declare_backend(CLI::App& command, std::string& backend, int& threads) {
  command.add_option("--backend", backend, "auto takes a CUDA device if there is one")
      ->check(one_of({"auto", "cuda", "host"}))
      ->option_text("auto|cuda|host");
  command
      .add_option("--threads", threads,
                  "Threads of the host backend; by default as many as the mesh keeps busy")
      ->check(whole_number(1, 65536))
      ->option_text("N");
}

CLI::Validator one_of(const std::vector<std::string>& choices) {
  return CLI::Validator(
      [choices](std::string& text) {
        if (std::find(choices.begin(), choices.end(), text) != choices.end()) return std::string();
        return fmt::format("{} is not {}{}", quote(text), alternatives(choices), did_you_mean(text, choices));
      },
      "");
}

CLI::Validator whole_number(int low, int high) {
  return CLI::Validator(
      [low, high](std::string& text) {
        int value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return std::string();
        return fmt::format("{} is not an integer from {} to {}", quote(text), low, high);
      },
      "");
}

CLI::Validator not_negative() {
  return CLI::Validator(
      [](std::string& text) {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= 0 && std::isfinite(value))
          return std::string();
        return fmt::format("{} is not a number from 0 up", quote(text));
      },
      "");
}

CLI::Validator not_empty() {
  return CLI::Validator([](std::string& text) { return std::string(text.empty() ? "'' is not a path" : ""); },
                        "");
}

CLI::Validator duration() {
  return CLI::Validator(
      [](std::string& text) {
        const auto seconds = parse_duration(text);
        if (seconds && *seconds > 0) return std::string();
        return fmt::format("{} is not a duration HH:MM:SS greater than 00:00:00", quote(text));
      },
      "");
}

}  // namespace halfstep
