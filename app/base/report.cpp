#include "app/base/report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <fstream>

#include "app/base/json.hpp"
#include "halfstep_version.hpp"
#include "physics/solver/solver.hpp"
#include "runtime/device/processor.hpp"

namespace halfstep {
namespace {

/// Returns the driver's version string; "none" without a driver.
std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;)
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos)
      return word;
  return cuda_available() ? "unknown" : "none";
}

std::string compiler() {
  const std::string cuda = HALFSTEP_CUDA_COMPILER;
  return cuda.empty() ? HALFSTEP_CXX_COMPILER : "nvcc " + cuda;
}

/// Removes the rows of a table too long for a terminal; its file has them.
Table shortened(Table table) {
  constexpr std::size_t longest = 60;
  if (table.rows.size() <= longest) return table;
  table.notes.insert(
      table.notes.begin(),
      fmt::format("The table has {} rows; --output DIR writes it to a file.", table.rows.size()));
  table.rows.clear();
  return table;
}

Table findings_table(const std::vector<Finding>& findings) {
  Table table{.title = "What others found, and what became of it here",
              .columns = {"it", "finding"},
              .rows = {},
              .notes = {}};
  for (const Finding& f : findings)
    table.rows.push_back(
        {name_of(f.standing), fmt::format("{}: there {}, here {}{} {}", f.claim, f.there, f.here,
                                          f.standing == Standing::not_measured ? ':' : '.', f.why)});
  return table;
}

}  // namespace

std::string name_of(Standing standing) {
  switch (standing) {
    case Standing::holds:
      return "holds";
    case Standing::reversed:
      return "reversed";
    case Standing::gone:
      return "gone";
    case Standing::not_measured:
      break;
  }
  return "not measured";
}

Standing standing_of(double here, double enough) {
  if (here >= enough) return Standing::holds;
  return here * enough <= 1 ? Standing::reversed : Standing::gone;
}

Provenance provenance(const std::string& command) {
  const std::vector<std::string> devices = cuda_devices();
  return {.command = command,
          .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
          .git = HALFSTEP_GIT,
          .device = devices.empty() ? "none" : devices.front(),
          .driver = driver_version(),
          .compiler = compiler()};
}

Provenance provenance_of_runs(const std::string& command, bool on_device) {
  Provenance made = provenance(command);
  if (on_device) return made;
  made.device = processor_name();
  made.driver = "none";
  made.compiler = HALFSTEP_CXX_COMPILER;
  return made;
}

Json provenance_json(const Provenance& made) {
  return {{"command", made.command}, {"date", made.date},     {"git", made.git},
          {"device", made.device},   {"driver", made.driver}, {"compiler", made.compiler}};
}

std::string report_text(const StudyReport& report, bool colour) {
  std::string text = table_text(report.table);
  for (const Table& table : report.more) text += '\n' + table_text(shortened(table));
  if (!report.findings.empty()) text += '\n' + table_text(findings_table(report.findings));
  for (const std::string& failure : report.failures)
    text += colour ? fmt::format("\n\x1b[31m{}\x1b[0m\n", failure) : '\n' + failure + '\n';
  return text;
}

std::string report_json(const StudyReport& report, const std::string& study, const Provenance& made) {
  Json json = {{"study", study}, {"provenance", provenance_json(made)}};
  json.update(table_json(report.table));
  json["tables"] = Json::array();
  for (const Table& table : report.more) {
    Json entry = {{"name", table.name}};
    entry.update(table_json(table));
    json["tables"].push_back(std::move(entry));
  }
  json["findings"] = Json::array();
  for (const Finding& f : report.findings)
    json["findings"].push_back({{"claim", f.claim},
                                {"there", f.there},
                                {"here", f.here},
                                {"standing", name_of(f.standing)},
                                {"why", f.why}});
  json["failures"] = report.failures;
  return json_text(json, 2) + '\n';
}

}  // namespace halfstep
