#include "app/study/study.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/base/exit_codes.hpp"
#include "app/base/process.hpp"
#include "app/base/studies.hpp"
#include "app/base/writable_directory.hpp"
#include "app/commands/options.hpp"
#include "app/deck/diagnostic.hpp"
#include "app/output/terminal.hpp"
#include "app/plot/picture.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {
namespace {

bool in_colour() { return TerminalStyle::detect(false, false).colour && ::isatty(STDOUT_FILENO) == 1; }

void write_files(const StudyReport& report, const std::filesystem::path& directory, const std::string& name) {
  make_writable(directory);
  write_file(directory / (name + ".csv"), table_csv(report.table));
  for (const Table& table : report.more)
    write_file(directory / (name + '_' + table.name + ".csv"), table_csv(table));
  for (const ReportFile& file : report.files) write_file(directory / file.name, file.text);
  write_file(directory / (name + ".json"), report_json(report, name, provenance("halfstep study " + name)));
}

/// Draws the report. It is already written, so a picture that cannot be drawn is only reported.
void draw(const std::filesystem::path& json) {
  try {
    const Picture picture = draw_report(ReportKind::study, json, json.parent_path() / json.stem());
    if (picture.files.empty()) fmt::print(stderr, "{}\n", picture.why_not);
  } catch (const std::exception& e) {
    fmt::print(stderr, "no picture: {}; 'halfstep plot {}' draws it later\n", e.what(), json.string());
  }
}

/// Splits a list of an option. Throws UsageError for an empty item.
std::vector<std::string> items(const char* option, const std::string& list) {
  std::vector<std::string> all;
  if (list.empty()) return all;
  std::istringstream text(list + ',');
  for (std::string item; std::getline(text, item, ',');) all.push_back(item);
  if (std::find(all.begin(), all.end(), "") != all.end())
    throw UsageError(fmt::format("{}: {} is not a list of items separated by commas", option, quote(list)),
                     "");
  return all;
}

std::vector<int> whole_numbers(const char* option, const std::string& list, int low, int high) {
  std::vector<int> all;
  for (const std::string& item : items(option, list)) {
    const std::string refusal = whole_number(low, high)(item);
    if (!refusal.empty()) throw UsageError(fmt::format("{}: {}", option, refusal), "");
    all.push_back(std::stoi(item));
  }
  return all;
}

/// Throws UsageError for an option that the study does not take, or a list that is none.
StudyRequest request_of(const StudyOptions& options, const Study& study) {
  for (const auto& [option, value] : {std::pair{"KERNEL", &options.kernel},
                                      {"--arch", &options.architectures},
                                      {"--block", &options.blocks},
                                      {"--caps", &options.caps},
                                      {"--scheme", &options.schemes},
                                      {"--method", &options.methods},
                                      {"--precision", &options.precisions}})
    if (!value->empty() && std::count(study.options.begin(), study.options.end(), option) == 0)
      throw UsageError(fmt::format("the study '{}' takes no {}", study.name, option),
                       "see 'halfstep study --help'");
  return {options.kernel,
          items("--arch", options.architectures),
          whole_numbers("--block", options.blocks, 1, 1024),
          whole_numbers("--caps", options.caps, 0, 255),
          items("--scheme", options.schemes),
          items("--method", options.methods),
          items("--precision", options.precisions),
          options.quick};
}

void print_list() {
  std::size_t name = 0, needs = 0, lasts = 0;
  for (const Study& s : studies()) {
    name = std::max(name, s.name.size());
    needs = std::max(needs, s.needs.size());
    lasts = std::max(lasts, s.lasts.size());
  }
  fmt::print("{:<{}}  {:<{}}  {:<{}}  {}\n", "study", name, "needs", needs, "lasts", lasts,
             "what it measures");
  for (const Study& s : studies())
    fmt::print("{:<{}}  {:<{}}  {:<{}}  {}\n", s.name, name, s.needs, needs, s.lasts, lasts, s.summary);
  fmt::print("\nlasts: with an H200 and 16 cores; --quick makes fewer rounds\n");
}

}  // namespace

std::vector<std::string> study_command(const std::string& study, const StudyRequest& request) {
  std::vector<std::string> words = {program_path().string(), "study", study};
  if (!request.kernel.empty()) words.push_back(request.kernel);
  const auto add = [&](const char* option, const auto& list) {
    if (!list.empty()) words.push_back(fmt::format("{}={}", option, fmt::join(list, ",")));
  };
  add("--arch", request.architectures);
  add("--block", request.blocks);
  add("--caps", request.caps);
  add("--scheme", request.schemes);
  add("--method", request.methods);
  add("--precision", request.precisions);
  if (request.quick) words.push_back("--quick");
  return words;
}

int run_study(const StudyOptions& options) {
  const auto chosen = std::find_if(studies().begin(), studies().end(),
                                   [&](const Study& s) { return s.name == options.name; });
  if (chosen == studies().end()) {
    print_list();
    return kFinished;
  }
  const StudyRequest request = request_of(options, *chosen);
  const std::filesystem::path directory = options.output;
  if (!directory.empty()) expect_writable(directory);  // checked first: a study may take long
  const StudyReport report = chosen->run(request);
  fmt::print("{}", report_text(report, in_colour()));
  if (!options.json.empty())
    write_file(options.json, report_json(report, chosen->name, provenance("halfstep study " + chosen->name)));
  if (!directory.empty()) {
    write_files(report, directory, chosen->name);
    draw(directory / (chosen->name + ".json"));
  }
  return kFinished;
}

}  // namespace halfstep
