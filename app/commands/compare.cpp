#include "app/commands/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

#include "app/commands/commands.hpp"
#include "app/compare/comparison.hpp"
#include "app/compare/contents.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;

FileKind known_kind(const std::string& path) {
  const auto kind = kind_of(path);
  if (!kind)
    throw UsageError(
        fmt::format("cannot compare '{}': it is no file of a run", path),
        "a dump (.vtkhdf), a checkpoint (.h5), history.csv, histogram.csv, summary.json, or a run's "
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
  std::vector<std::string> names;  // those that make it so
  for (const QuantityComparison& quantity : comparison.quantities)
    if (agreement != Agreement::different || quantity.difference.count > 0) names.push_back(quantity.name);
  fmt::print("{}{}{}\n", name_of(agreement), names.empty() ? "" : ": ", fmt::join(names, ", "));
  return exit_code(agreement);
}

/// The files of a run that hold what it computed, by name.
std::set<std::string> files_of_run(const fs::path& directory) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename();
    // A link to one of the others.
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
      // When checkpoints are written, and which are kept, is a matter of the clock.
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

}  // namespace

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

}  // namespace halfstep
