#include "app/commands/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>

#include "app/commands/commands.hpp"
#include "app/deck/nearest.hpp"
#include "app/output/writable_directory.hpp"
#include "app/plot/picture.hpp"
#include "app/study/progress.hpp"
#include "app/verify/checks.hpp"
#include "app/verify/report.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {
namespace {

/// A check, and the group it is of.
struct Chosen {
  const Check* check;
  const std::string* group;
};

/// In the order they are declared. A check that is named is run whatever its extent.
std::vector<Chosen> chosen_checks(const VerifyOptions& options) {
  std::vector<std::string> valid, unknown = options.names;
  std::vector<Chosen> chosen;
  const auto is_named = [&](const std::string& name) {
    valid.push_back(name);
    std::erase(unknown, name);
    return std::find(options.names.begin(), options.names.end(), name) != options.names.end();
  };
  for (const CheckGroup& group : check_groups()) {
    const bool whole_group = is_named(group.name) || options.names.empty();
    for (const Check& check : group.checks)
      if (is_named(check.name) ||
          (whole_group && (check.extent == Extent::quick || options.extent == Extent::full)))
        chosen.push_back({&check, &group.name});
  }
  if (!unknown.empty()) {
    std::string groups;
    for (const CheckGroup& group : check_groups()) groups += (groups.empty() ? "" : ", ") + group.name;
    throw UsageError(fmt::format("no check '{}'{}", unknown.front(), did_you_mean(unknown.front(), valid)),
                     fmt::format("groups of checks are {}; 'halfstep list' names every check", groups));
  }
  return chosen;
}

/// That gives the same figures again, on the same machine.
std::string command_of(const VerifyOptions& options) {
  std::string command = options.extent == Extent::full ? "halfstep verify --full" : "halfstep verify";
  for (const std::string& name : options.names) command += ' ' + name;
  command += " --backend " + options.machine.backend;
  if (options.machine.threads > 0) command += fmt::format(" --threads {}", options.machine.threads);
  return command;
}

/// The table is there already: a picture that cannot be drawn is no failure of it.
void draw(const std::filesystem::path& json) {
  try {
    draw_verification(json, json.parent_path());
  } catch (const std::exception& e) {
    fmt::print(stderr, "no pictures: {}\n", e.what());
  }
}

}  // namespace

int verify(const VerifyOptions& options) {
  const std::vector<Chosen> chosen = chosen_checks(options);
  const std::filesystem::path directory = options.output;
  // First: the checks may take long.
  if (!directory.empty()) make_writable(directory);
  if (!options.json.empty()) make_writable(std::filesystem::absolute(options.json).parent_path());
  const Progress progress;
  std::vector<CheckOutcome> outcomes;
  for (const auto& [check, group] : chosen) {
    progress.tell(fmt::format("{} ({} of {})", check->name, outcomes.size() + 1, chosen.size()));
    outcomes.push_back(outcome_of(*check, *group, options.machine));
  }
  const std::size_t missed = static_cast<std::size_t>(
      std::count_if(outcomes.begin(), outcomes.end(), [](const auto& outcome) { return !outcome.passed(); }));

  fmt::print("{}\n", table_text(verify_table(outcomes)));
  fmt::print("{} check{}: {}\n", outcomes.size(), outcomes.size() == 1 ? "" : "s",
             missed == 0 ? std::string("all within their bars") : fmt::format("{} missed a bar", missed));
  const std::string text = json_text(verify_json(outcomes, options.extent, options.machine.backend,
                                                 provenance(command_of(options))),
                                     1) +
                           '\n';
  if (!options.json.empty()) write_file(options.json, text);
  if (!directory.empty()) {
    write_file(directory / "verify.json", text);
    draw(directory / "verify.json");
  }
  return missed == 0 ? kFinished : kDifference;
}

}  // namespace halfstep
