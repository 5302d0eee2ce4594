#include "app/commands/plot_together.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "app/base/exit_codes.hpp"
#include "app/output/output_directory.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostTogether = 8;  // so many colours and lines can be told apart
constexpr std::size_t kLongestName = 100;

/// Returns the last `count` components of a path, joined by '/'. A dump has no extension there; a directory's
/// name is kept with its dots.
std::string last_components(const fs::path& path, int count) {
  std::string name = (fs::is_directory(path) ? path.filename() : path.stem()).string();
  fs::path parent = path.parent_path();
  for (int n = 1; n < count && parent.has_filename(); ++n, parent = parent.parent_path())
    name = parent.filename().string() + "/" + name;
  return name;
}

/// Returns the shortest ends of the paths that differ from each other.
std::vector<std::string> short_names(const std::vector<fs::path>& paths) {
  std::vector<std::string> names;
  for (int count = 1; count < 100; ++count) {
    names.clear();
    for (const fs::path& path : paths) names.push_back(last_components(path, count));
    if (std::set(names.begin(), names.end()).size() == names.size()) break;
  }
  return names;
}

/// Returns "a_b" for a picture's name.
std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : "_") + name;
  if (all.size() > kLongestName) all = fmt::format("{}_and_{}_more", names.front(), names.size() - 1);
  std::replace(all.begin(), all.end(), '/', '_');
  return all;
}

int number_of(const fs::path& dump) {
  const std::string stem = dump.stem().string();
  const std::size_t digits = stem.find_last_not_of("0123456789") + 1;
  int number = -1;
  std::from_chars(stem.data() + digits, stem.data() + stem.size(), number);
  return number;
}

const RunDirectory::Dump& nearest(const RunDirectory& run, double time) {
  const std::string where = run.path.string();
  if (run.dumps.empty()) throw UsageError(fmt::format("'{}' holds no dumps", where), "");
  const double first = run.dumps.front().time, last = run.dumps.back().time;
  if (!(time >= first && time <= last))
    throw UsageError(fmt::format("t = {} is outside the run in '{}'", time, where),
                     fmt::format("its dumps reach from t = {} to {}", first, last));
  return *std::min_element(run.dumps.begin(), run.dumps.end(), [&](const auto& a, const auto& b) {
    return std::abs(a.time - time) < std::abs(b.time - time);
  });
}

PictureOrder placed(PictureOrder order, const std::string& name, const std::vector<NamedFile>& files,
                    const fs::path& directory) {
  order.source = order.kind;
  for (const NamedFile& one : files)
    order.source += "\n" + fs::weakly_canonical(fs::absolute(one.file)).string();
  order.stem = (directory / (name + "_" + order.stem)).string();
  return order;
}

/// Adds what a run's directory holds.
void add_run(Together& all, const RunDirectory& run, const std::string& name,
             const std::vector<double>& times, const std::vector<int>& numbers) {
  std::vector<fs::path> dumps = chosen_dumps(run, times, numbers);
  if (dumps.empty() && !run.dumps.empty()) dumps.push_back(run.dumps.back().file);
  for (const fs::path& dump : dumps)
    all.dumps.push_back({dumps.size() == 1 ? name : fmt::format("{} {}", name, number_of(dump)), dump, &run});
  if (const auto file = run.file("history.csv")) all.histories.push_back({name, *file, &run});
  if (const auto file = run.file("histogram.csv")) all.histograms.push_back({name, *file, &run});
  if (!run.config) return;
  for (const OutputRequest& request : run.config->output_requests)
    if (request.kind == OutputKind::histogram || request.kind == OutputKind::spectrum)
      if (const auto file = run.file(file_of_table(request)))
        all.tables[fmt::format("{} {}", name_of(kOutputKinds, request.kind), request.name)].push_back(
            {name, *file, &run});
}

}  // namespace

std::vector<fs::path> chosen_dumps(const RunDirectory& run, const std::vector<double>& times,
                                   const std::vector<int>& numbers) {
  std::vector<fs::path> chosen;
  const auto add = [&](const fs::path& dump) {
    if (std::find(chosen.begin(), chosen.end(), dump) == chosen.end()) chosen.push_back(dump);
  };
  const bool is_of_histogram = run.dumps.empty() && run.file("histogram.csv");
  for (const double time : times)
    if (!is_of_histogram) add(nearest(run, time).file);
  for (const int number : numbers) {
    const auto dump = std::find_if(run.dumps.begin(), run.dumps.end(), [&](const RunDirectory::Dump& one) {
      return number_of(one.file) == number;
    });
    if (dump == run.dumps.end()) {
      const std::string where = run.path.string();
      if (run.dumps.empty()) throw UsageError(fmt::format("'{}' holds no dumps", where), "");
      throw UsageError(fmt::format("no dump {} in '{}'", number, where),
                       fmt::format("it has {} to {}", number_of(run.dumps.front().file),
                                   number_of(run.dumps.back().file)));
    }
    add(dump->file);
  }
  return chosen;
}

Together open_together(const std::vector<std::string>& files, const std::vector<double>& times,
                       const std::vector<int>& numbers) {
  std::vector<fs::path> paths;
  for (const fs::path file : files) {
    const std::string kind = file.extension().string();
    if (fs::is_directory(file) ? !holds_run(file) : kind != ".vtkhdf" || !fs::is_regular_file(file))
      throw UsageError(fmt::format("'{}' cannot be drawn together with others", file.string()),
                       "give directories of runs or fields_NUMBER.vtkhdf of them");
    const fs::path canonical = fs::canonical(file);
    if (std::find(paths.begin(), paths.end(), canonical) == paths.end()) paths.push_back(canonical);
  }
  Together all;
  const std::vector<std::string> names = short_names(paths);
  for (std::size_t n = 0; n < paths.size(); ++n) {
    const bool is_run = fs::is_directory(paths[n]);
    all.runs.push_back(open_run_directory(is_run ? paths[n] : paths[n].parent_path()));
    if (is_run)
      add_run(all, all.runs.back(), names[n], times, numbers);
    else
      all.dumps.push_back({names[n], paths[n], &all.runs.back()});
  }
  all.name = joined(names);
  all.one_run = std::all_of(all.runs.begin(), all.runs.end(),
                            [&](const RunDirectory& run) { return run.path == all.runs.front().path; });
  if (std::max(all.dumps.size(), paths.size()) > kMostTogether)
    throw UsageError(fmt::format("{} are too many for one picture", std::max(all.dumps.size(), paths.size())),
                     fmt::format("give at most {}", kMostTogether));
  return all;
}

std::vector<PictureOrder> together_orders(const Together& together, const RunView& what,
                                          const fs::path& directory) {
  std::vector<PictureOrder> orders;
  RunView others = what;  // ranges and cuts are the flow's
  others.flow = {.title = what.flow.title, .size = what.flow.size};
  if (together.dumps.size() > 1) {
    std::vector<NamedFile> dumps = together.dumps;
    if (together.one_run)
      for (NamedFile& dump : dumps) dump.name.clear();
    orders.push_back(placed(together_order(dumps, what), together.name, dumps, directory));
  }
  if (together.histories.size() > 1)
    orders.push_back(
        placed(histories_order(together.histories, others), together.name, together.histories, directory));
  if (together.histograms.size() > 1)
    orders.push_back(
        placed(histograms_order(together.histograms, others), together.name, together.histograms, directory));
  for (const auto& [name, tables] : together.tables)
    if (tables.size() > 1)
      orders.push_back(placed(
          name.starts_with("spectrum ") ? spectra_order(tables, others) : histograms_order(tables, others),
          together.name, tables, directory));
  if (orders.empty())
    throw UsageError("there is one thing to draw, and --together is for several",
                     "give two runs, or a run with --time or --dump twice");
  return orders;
}

std::vector<PictureOrder> difference_orders(const Together& together, const RunView& what,
                                            const fs::path& directory) {
  if (together.dumps.size() != 2)
    throw UsageError(
        fmt::format("--difference is of two different dumps, and {} given",
                    together.dumps.size() == 1 ? "one is" : fmt::format("{} are", together.dumps.size())),
        "give two runs, two dumps, or a run with --time or --dump twice");
  std::vector<NamedFile> dumps = together.dumps;
  if (together.one_run)
    for (NamedFile& dump : dumps) dump.name = fmt::format("dump {}", number_of(dump.file));
  return {placed(difference_order(dumps, what), together.name, dumps, directory)};
}

}  // namespace halfstep
