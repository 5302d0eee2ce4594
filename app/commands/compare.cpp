// `halfstep compare`: compares the results of two runs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/base/exit_codes.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/options.hpp"
#include "app/compare/comparison.hpp"
#include "app/compare/contents.hpp"
#include "physics/accuracy/difference.hpp"
#include "physics/base/choice.hpp"

namespace halfstep {
namespace {

struct CompareOptions {
  std::string a, b;  ///< two files of one kind, or two runs' directories
  Tolerance tolerance;
  bool quiet = false;  ///< prints only the last line
};

namespace fs = std::filesystem;

FileKind known_kind(const std::string& path) {
  const auto kind = kind_of(path);
  if (!kind)
    throw UsageError(
        fmt::format("cannot compare '{}': it is no file of a run", path),
        "a dump (.vtkhdf), a checkpoint (.h5), history.csv, histogram.csv, probes, summary.json, or a run's "
        "directory");
  return *kind;
}

Comparison compare_files(const fs::path& a, const fs::path& b, FileKind kind, const Tolerance& tolerance) {
  return compare(read_contents(a, kind), read_contents(b, kind), tolerance);
}

int exit_code(Agreement agreement) { return agreement == Agreement::different ? kDifference : kFinished; }

int compare_two_files(const CompareOptions& options) {
  const FileKind kind = known_kind(options.a), other = known_kind(options.b);
  if (kind != other)
    throw UsageError(fmt::format("cannot compare a {} with a {}: '{}' and '{}'", name_of(kind),
                                 name_of(other), options.a, options.b),
                     "give two files of one kind");
  const Comparison comparison = compare_files(options.a, options.b, kind, options.tolerance);
  if (!options.quiet) fmt::print("{}", comparison_text(comparison, ""));
  const Agreement agreement = comparison.agreement();
  std::vector<std::string> names;  // the quantities that decide the result
  for (const QuantityComparison& quantity : comparison.quantities)
    if (agreement != Agreement::different || quantity.difference.count > 0) names.push_back(quantity.name);
  fmt::print("{}{}{}\n", name_of(agreement), names.empty() ? "" : ": ", fmt::join(names, ", "));
  return exit_code(agreement);
}

/// Returns the names of a run's files that hold its results.
std::set<std::string> files_of_run(const fs::path& directory) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename();
    // checkpoint_latest.h5 is a link to another checkpoint.
    if (kind_of(entry.path()) && name != "checkpoint_latest.h5") names.insert(name);
  }
  return names;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int compare_directories(const CompareOptions& options) {
  const fs::path a = options.a, b = options.b;
  const std::set<std::string> in_a = files_of_run(a), in_b = files_of_run(b);
  for (const auto& [names, path] : {std::pair{in_a, options.a}, std::pair{in_b, options.b}})
    if (names.empty())
      throw UsageError(fmt::format("cannot compare '{}': there is no run in it", path),
                       "the directory that 'halfstep run' wrote into");
  const auto tell = [&](const std::string& text) {
    if (!options.quiet) fmt::print("{}", text);
  };
  for (const std::string& remark : deck_remarks(text_of(a / "deck.yaml"), text_of(b / "deck.yaml")))
    tell("remark: " + remark + '\n');

  std::set<std::string> all = in_a;
  all.insert(in_b.begin(), in_b.end());
  Agreement worst = Agreement::identical;
  int compared = 0, different = 0, in_one = 0;
  for (const std::string& name : all) {
    const FileKind kind = *kind_of((in_a.contains(name) ? a : b) / name);
    if (!in_a.contains(name) || !in_b.contains(name)) {
      // The wall clock decides when checkpoints are written and which are kept.
      const bool matters = kind != FileKind::checkpoint;
      tell(fmt::format("{}: {}only in {}\n", name, matters ? "different: " : "",
                       in_a.contains(name) ? "A" : "B"));
      in_one += matters;
      if (matters) worst = Agreement::different;
      continue;
    }
    Comparison comparison = compare_files(a / name, b / name, kind, options.tolerance);
    std::erase_if(comparison.remarks, [](const std::string& remark) { return remark.starts_with("deck: "); });
    const Agreement agreement = comparison.agreement();
    tell(fmt::format("{}: {}\n{}", name, name_of(agreement), comparison_text(comparison, "  ")));
    compared += 1;
    different += agreement == Agreement::different;
    worst = std::max(worst, agreement);
  }
  fmt::print("{}: {} files compared, {} different{}\n", name_of(worst), compared, different,
             in_one == 0 ? "" : fmt::format("; {} in only one of the two", in_one));
  return exit_code(worst);
}

int compare(const CompareOptions& options) {
  for (const std::string& path : {options.a, options.b})
    if (!fs::is_regular_file(path) && !fs::is_directory(path))
      throw UsageError(fs::exists(path) ? fmt::format("'{}' is no regular file", path)
                                        : fmt::format("there is no '{}'", path),
                       "give a file or the directory of a run, such as out/sod");
  if (fs::is_directory(options.a) != fs::is_directory(options.b))
    throw UsageError(
        fmt::format("cannot compare a file with a directory: '{}' and '{}'", options.a, options.b),
        "give two files of one kind, or two directories");
  return fs::is_directory(options.a) ? compare_directories(options) : compare_two_files(options);
}

}  // namespace

std::function<int()> declare_compare(CLI::App& command) {
  const auto options = std::make_shared<CompareOptions>();
  command
      .add_option("A", options->a,
                  "a dump, checkpoint, history, histogram, probes, summary or a run's directory")
      ->required();
  command.add_option("B", options->b, "the other one, of the same kind")->required();
  for (const auto& [name, value, meaning] :
       {std::tuple{"--rtol", &options->tolerance.relative,
                   "Relative tolerance, of the quantity's largest magnitude"},
        std::tuple{"--atol", &options->tolerance.absolute, "Absolute tolerance"}})
    command.add_option(name, *value, std::string(meaning) + "; 0 by default")
        ->check(not_negative())
        ->option_text("X");
  command.add_flag("--quiet", options->quiet, "Print the last line alone");
  command.footer(
      "Values agree where |A - B| <= atol + rtol * the largest magnitude of the quantity; without a "
      "tolerance,\n"
      "where they have the same bits. Files that only one of two directories holds are a difference, but\n"
      "for checkpoints.\n\n"
      "Examples:\n"
      "  halfstep compare out/sod out/sod.previous\n"
      "  halfstep compare out/a/fields_000004.vtkhdf out/b/fields_000004.vtkhdf --rtol 1e-12\n\n"
      "Exit codes: 0 equal, 5 different, 2 nothing that can be compared, 1 a file that cannot be read.");
  return [=] { return compare(*options); };
}

}  // namespace halfstep
