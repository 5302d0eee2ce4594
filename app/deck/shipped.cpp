#include "app/deck/shipped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>

#include "app/base/embedded.hpp"
#include "app/base/exit_codes.hpp"
#include "app/deck/nearest.hpp"
#include "app/deck/spelling.hpp"
#include "physics/cases/case.hpp"

namespace halfstep {
namespace {

[[noreturn]] void refuse_name(const std::string& name) {
  std::vector<std::string> names;
  for (const ShippedDeck& deck : shipped_decks()) names.push_back(deck.name);
  for (const CaseInfo& info : cases()) names.push_back(info.name);
  throw UsageError(fmt::format("no deck or case '{}'{}", name, did_you_mean(name, names)),
                   "'halfstep list decks' names the decks, 'halfstep list cases' the cases");
}

/// Returns the keys of a kind of blocks: "center, radius, state.density, ...".
std::string keys_of(const ItemKind& kind) {
  std::vector<std::string> keys;
  for (const Parameter& p : kind.parameters) keys.push_back(p.name);
  return fmt::format("{}", fmt::join(keys, ", "));
}

/// Returns a deck with the keys that every deck needs, and those that the case does, for the user to fill in.
std::string least_deck(const CaseInfo& info) {
  std::string text = fmt::format("title: {}\ncase:\n  name: {}\n", yaml_value(info.summary), info.name);
  for (const Parameter& p : info.parameters)
    if (p.required) text += fmt::format("  {}: {}  # {}\n", p.name, yaml_value(p.fallback), p.meaning);
  return text + "mesh:\n  cells: [64, 64, 1]\ntime:\n  end: 1\n";
}

}  // namespace

const std::vector<ShippedDeck>& shipped_decks() {
  static const std::vector<ShippedDeck> all = [] {
    std::vector<ShippedDeck> decks;
    for (const EmbeddedFile& file : embedded_files())
      if (file.path.starts_with("inputs/") && file.path.ends_with(".yaml"))
        decks.push_back({std::filesystem::path(file.path).stem().string(), file.text});
    return decks;
  }();
  return all;
}

const ShippedDeck* find_shipped_deck(const std::string& name) {
  const auto& all = shipped_decks();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& deck) { return deck.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string title_of(const ShippedDeck& deck) {
  return YAML::Load(std::string(deck.text))["title"].as<std::string>();
}

std::string case_of(const ShippedDeck& deck) {
  return YAML::Load(std::string(deck.text))["case"]["name"].as<std::string>();
}

std::string deck_template(const std::string& name) {
  const auto& all = shipped_decks();
  const ShippedDeck* deck = find_shipped_deck(name);
  if (!deck) {
    const auto first =
        std::find_if(all.begin(), all.end(), [&](const auto& d) { return case_of(d) == name; });
    if (first != all.end()) deck = &*first;
  }
  if (!deck && !find_case(name)) refuse_name(name);
  const CaseInfo& info = *find_case(deck ? case_of(*deck) : name);
  std::string text = deck ? std::string(deck->text) : least_deck(info);
  text += fmt::format("\n# The parameters of case {}, as overrides with their defaults:\n", info.name);
  for (const Parameter& p : info.parameters) {
    text += fmt::format("#   case.{} = {}: {}{}\n", p.name, yaml_value(p.fallback), p.meaning,
                        p.unit.empty() ? "" : fmt::format(" ({})", p.unit));
    for (const ItemKind& kind : p.kinds)
      text += fmt::format("#     {}: {}: {}\n", p.kind_key, kind.name, keys_of(kind));
  }
  return text;
}

}  // namespace halfstep
