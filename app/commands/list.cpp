// `halfstep list`: the decks, cases, schemes and other choices, one line each.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/base/exit_codes.hpp"
#include "app/base/studies.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/options.hpp"
#include "app/deck/diagnostic.hpp"
#include "app/deck/nearest.hpp"
#include "app/deck/shipped.hpp"
#include "app/verify/checks.hpp"
#include "physics/base/choice.hpp"
#include "physics/cases/case.hpp"
#include "physics/flux/scheme.hpp"
#include "physics/mesh/boundary.hpp"

namespace halfstep {
namespace {

struct Group {
  std::string heading;
  std::vector<std::pair<std::string, std::string>> lines;  ///< name, summary
};

template <class Enum, std::size_t n>
Group group(const std::string& heading, const Choice<Enum> (&table)[n]) {
  Group all{heading, {}};
  for (const auto& choice : table) all.lines.emplace_back(choice.name, choice.summary);
  return all;
}

/// Keeps the groups whose heading begins with the word. Throws UsageError where there is none.
void keep(std::vector<Group>& groups, const std::string& word) {
  const auto first_word = [](const Group& g) { return g.heading.substr(0, g.heading.find_first_of(" (")); };
  std::vector<std::string> words;
  for (const Group& g : groups)
    if (std::find(words.begin(), words.end(), first_word(g)) == words.end()) words.push_back(first_word(g));
  if (std::find(words.begin(), words.end(), word) == words.end())
    throw UsageError(fmt::format("nothing to list under '{}'{}", word, did_you_mean(word, words)),
                     "one of " + alternatives(words));
  std::erase_if(groups, [&](const Group& g) { return first_word(g) != word; });
}

int list(const std::string& wanted) {
  std::vector<Group> groups = {{"cases (case.name)", {}},
                               {"decks (halfstep run NAME, halfstep deck NAME)", {}},
                               group("methods (scheme.method)", kMethods),
                               group("dealiasings (scheme.dealiasing)", kDealiasings),
                               group("reconstructions (scheme.reconstruction)", kReconstructions),
                               group("limiters of plm (scheme.limiter)", kLimiters),
                               group("reconstructed variables (scheme.variables)", kVariables),
                               group("Riemann solvers (scheme.riemann)", kRiemanns),
                               group("averages (scheme.averages)", kAverages),
                               group("integrators (scheme.integrator)", kIntegrators),
                               group("limiters of fluxes (positivity)", kPositivities),
                               group("precisions (scheme.precision)", kPrecisions),
                               group("boundaries (mesh.boundary)", kBoundaries),
                               {"studies (halfstep study NAME)", {}},
                               {"checks (halfstep verify NAME)", {}}};
  for (const CaseInfo& info : cases()) groups.front().lines.emplace_back(info.name, info.summary);
  for (const ShippedDeck& deck : shipped_decks()) groups[1].lines.emplace_back(deck.name, title_of(deck));
  for (const Study& study : studies()) (groups.end() - 2)->lines.emplace_back(study.name, study.summary);
  for (const CheckGroup& checks : check_groups()) {
    std::string summary = checks.summary + ":";
    for (const Check& check : checks.checks)
      if (check.extent == Extent::quick) summary += ' ' + check.name;
    groups.back().lines.emplace_back(checks.name, summary);
  }
  if (!wanted.empty()) keep(groups, wanted);
  std::size_t width = 0;
  for (const Group& g : groups)
    for (const auto& line : g.lines) width = std::max(width, line.first.size());
  for (const Group& g : groups) {
    fmt::print("{}{}\n", &g == groups.data() ? "" : "\n", g.heading);
    for (const auto& [name, summary] : g.lines) fmt::print("  {:<{}}  {}\n", name, width, summary);
  }
  return kFinished;
}

}  // namespace

std::function<int()> declare_list(CLI::App& command) {
  const auto group = std::make_shared<std::string>();
  command
      .add_option("GROUP", *group, "decks, cases, studies, ...: the first word of a heading; all without it")
      ->check(not_empty());
  command.footer("Examples:\n  halfstep list\n  halfstep list decks");
  return [=] { return list(*group); };
}

}  // namespace halfstep
