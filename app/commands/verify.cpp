// `halfstep verify`: checks computed flows against exact solutions and published results.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/base/exit_codes.hpp"
#include "app/base/progress.hpp"
#include "app/base/writable_directory.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/options.hpp"
#include "app/deck/nearest.hpp"
#include "app/plot/picture.hpp"
#include "app/run/backend.hpp"
#include "app/verify/check.hpp"
#include "app/verify/checks.hpp"
#include "app/verify/report.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {
namespace {

struct VerifyOptions {
  std::vector<std::string> names;  ///< names of checks or groups; empty: all of the extent
  Extent extent = Extent::quick;
  Machine machine;
  std::string json;    ///< file for the outcomes; empty = none
  std::string output;  ///< directory for verify.json and its pictures; empty = none
};

/// A check and the name of its group.
struct Chosen {
  const Check* check;
  const std::string* group;
};

/// Returns the chosen checks in the order of declaration. A check that is named runs whatever its extent.
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

/// Returns the command that reproduces the figures on the same machine.
std::string command_of(const VerifyOptions& options) {
  std::string command = options.extent == Extent::full ? "halfstep verify --full" : "halfstep verify";
  for (const std::string& name : options.names) command += ' ' + name;
  command += " --backend " + options.machine.backend;
  if (options.machine.threads > 0) command += fmt::format(" --threads {}", options.machine.threads);
  return command;
}

/// Draws the report. The table is already written, so a picture that cannot be drawn is only reported.
void draw(const std::filesystem::path& json) {
  try {
    draw_verification(json, json.parent_path());
  } catch (const std::exception& e) {
    fmt::print(stderr, "no pictures: {}\n", e.what());
  }
}

int verify(const VerifyOptions& options) {
  const std::vector<Chosen> chosen = chosen_checks(options);
  const std::filesystem::path directory = options.output;
  // Checked first: the checks may take long.
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
  const std::string backend = options.machine.backend;
  const Provenance made = provenance_of_runs(command_of(options), uses_cuda(backend));
  const std::string text = json_text(verify_json(outcomes, options.extent, backend, made), 1) + '\n';
  if (!options.json.empty()) write_file(options.json, text);
  if (!directory.empty()) {
    write_file(directory / "verify.json", text);
    draw(directory / "verify.json");
  }
  return missed == 0 ? kFinished : kDifference;
}

}  // namespace

std::function<int()> declare_verify(CLI::App& command) {
  const auto options = std::make_shared<VerifyOptions>();
  const auto full = std::make_shared<bool>();
  command.add_option("NAME", options->names, "checks or groups of them; by default all");
  CLI::Option* quick_flag =
      command.add_flag("--quick")->description("The checks of a few seconds each; the default");
  command.add_flag("--full", *full, "Finer meshes and every scheme as well: for a GPU")->excludes(quick_flag);
  declare_backend(command, options->machine.backend, options->machine.threads);
  command.add_option("--json", options->json, "Write the outcomes to this file")->option_text("FILE");
  command.add_option("--output", options->output, "Write verify.json and its pictures into this directory")
      ->option_text("DIR");
  command.footer(
      "Examples:\n  halfstep verify\n  halfstep verify riemann noh_2d --output out/verify\n\n"
      "'halfstep list' names the checks. Exit codes: 0 all within their bars, 5 a bar was missed.");
  return [=] {
    options->extent = *full ? Extent::full : Extent::quick;
    return verify(*options);
  };
}

}  // namespace halfstep
