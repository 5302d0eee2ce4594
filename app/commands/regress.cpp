// `halfstep regress`: compares the results of every deck with stored numbers.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "app/base/embedded.hpp"
#include "app/base/exit_codes.hpp"
#include "app/base/table.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/options.hpp"
#include "app/deck/nearest.hpp"
#include "app/regress/golden.hpp"
#include "app/regress/regression.hpp"
#include "app/regress/test_decks.hpp"
#include "app/verify/deck_run.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {
namespace {

struct RegressOptions {
  std::vector<std::string> decks;  ///< by name; empty = all
  std::string golden;              ///< a file of golden numbers; empty = the embedded ones
  bool bless = false;              ///< writes this run's numbers into `golden`
  Machine machine;
};

namespace fs = std::filesystem;

constexpr const char* kGolden = "tests/regression/golden.txt";

/// Returns the decks named on the command line.
std::vector<TestDeck> chosen_decks(const std::vector<std::string>& names) {
  const std::vector<TestDeck> all = test_decks();
  std::vector<std::string> known;
  for (const TestDeck& deck : all) known.push_back(deck.name);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError(fmt::format("no deck '{}'{}", name, did_you_mean(name, known)),
                       "a deck of inputs/, without '.yaml'");
  std::vector<TestDeck> chosen;
  for (const TestDeck& deck : all)
    if (names.empty() || std::find(names.begin(), names.end(), deck.name) != names.end())
      chosen.push_back(deck);
  return chosen;
}

Golden read_golden(const std::string& path) {
  if (path.empty()) return parse_golden(std::string(embedded_text(kGolden)), kGolden);
  if (!fs::is_regular_file(path))
    throw UsageError(fmt::format("'{}' is no file of golden numbers", path),
                     fmt::format("in the sources it is {}", kGolden));
  std::ifstream file(path, std::ios::binary);
  try {
    return parse_golden({std::istreambuf_iterator<char>(file), {}}, path);
  } catch (const std::runtime_error& e) {
    throw UsageError(e.what(), fmt::format("in the sources it is {}", kGolden));
  }
}

int bless(const RegressOptions& options) {
  if (options.golden.empty())
    throw UsageError("--bless needs --golden FILE", fmt::format("in the sources it is {}", kGolden));
  const std::vector<TestDeck> chosen = chosen_decks(options.decks);
  Golden golden, before;
  if (fs::exists(options.golden)) before = read_golden(options.golden);
  // Decks that were not named keep their numbers; decks that no longer exist lose them.
  for (const TestDeck& deck : test_decks())
    if (const auto at = before.find(deck.key()); at != before.end()) golden.insert(*at);
  for (const TestDeck& deck : chosen) {
    if (const std::string why = deck.skipped(); !why.empty())
      throw std::runtime_error(fmt::format("{}, and nothing is written", why));
    const TestRun run = run_test_deck(deck, options.machine);
    if (!run.gave_up.empty())
      throw std::runtime_error(
          fmt::format("{} gave up, and nothing is written: {}", deck.key(), run.gave_up));
    golden[deck.key()] = run.digest;
    fmt::print("{}\n", deck.key());
    std::fflush(stdout);
  }
  write_file(options.golden, golden_text(golden));
  fmt::print("{} of {} decks written into {}; look at the difference before you commit it\n", chosen.size(),
             golden.size(), options.golden);
  return kFinished;
}

int regress(const RegressOptions& options) {
  if (options.bless) return bless(options);
  const std::vector<TestDeck> chosen = chosen_decks(options.decks);
  const Golden golden = read_golden(options.golden);
  Table table{.title = "\nWhat is not as it was",
              .columns = {"deck", "figure", "golden", "now", "difference", "allowed"},
              .rows = {},
              .notes = {}};
  int different = 0, skipped = 0;
  for (const TestDeck& deck : chosen) {
    if (const std::string why = deck.skipped(); !why.empty()) {
      fmt::print("{}\n", why);
      skipped += 1;
      continue;
    }
    const auto expected = golden.find(deck.key());
    if (expected == golden.end()) {
      fmt::print("different  {}: no golden numbers; --bless makes them\n", deck.key());
      different += 1;
      continue;
    }
    const TestRun run = run_test_deck(deck, options.machine);
    if (!run.gave_up.empty()) fmt::print("{} gave up: {}\n", deck.key(), run.gave_up);
    const std::vector<FigureDifference> all =
        differences(expected->second, run.digest, run.tolerance, deck.count_tolerance);
    const auto worst = std::max_element(all.begin(), all.end(),
                                        [](const auto& a, const auto& b) { return a.part() < b.part(); });
    const bool explained = run.drift <= run.most_drift;
    if (!explained)
      fmt::print("{}: the totals' change is not explained to {:.0e}, but to {:.2e}\n", deck.key(),
                 run.most_drift, run.drift);
    const bool same =
        explained && std::all_of(all.begin(), all.end(), [](const auto& one) { return one.within(); });
    fmt::print("{:<9}  {}: {:.2g} of what is allowed, {:.0e}, in {}\n", same ? "equal" : "different",
               deck.key(), worst->part(), run.tolerance, worst->figure);
    std::fflush(stdout);
    for (const FigureDifference& one : all)
      if (!one.within())
        table.rows.push_back({deck.name, one.figure, fmt::format("{:.15g}", one.golden),
                              fmt::format("{:.15g}", one.now), fmt::format("{:.2e}", one.difference()),
                              fmt::format("{:.2e}", one.allowed)});
    different += !same;
  }
  if (!table.rows.empty()) fmt::print("{}\n", table_text(table));
  const std::size_t run = chosen.size() - static_cast<std::size_t>(skipped);
  fmt::print("{} of {} decks are as they were\n", run - static_cast<std::size_t>(different), run);
  return different > 0 ? kDifference : kFinished;
}

}  // namespace

std::function<int()> declare_regress(CLI::App& command) {
  const auto options = std::make_shared<RegressOptions>();
  command.add_option("NAME", options->decks, "decks of inputs/; all, if none is named");
  command.add_flag("--bless", options->bless, "Write what the decks give now into the file of --golden");
  command
      .add_option("--golden", options->golden, "A file of golden numbers; by default those of this version")
      ->option_text("FILE");
  declare_backend(command, options->machine.backend, options->machine.threads);
  command.footer(
      "The golden numbers of a deck are its steps and rejected attempts, norms, extrema and three probes "
      "of\n"
      "every field, and the conserved totals. How far each may be from them tests/regression/decks.txt "
      "says.\n\n"
      "Examples:\n"
      "  halfstep regress\n"
      "  halfstep regress sod lax --backend host\n"
      "  halfstep regress sod --bless --golden tests/regression/golden.txt\n\n"
      "Exit codes: 0 as they were, 5 a difference.");
  return [=] { return regress(*options); };
}

}  // namespace halfstep
