#include "app/bench/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "app/base/exit_codes.hpp"
#include "app/base/quartiles.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;

/// The compared figures of a row.
struct Timed {
  std::string name;  ///< deck, mesh and scheme: rows of the same name are compared
  std::string device;
  Quartiles step;  ///< seconds
};

/// Reads a row. Throws Json::exception if it is not one.
Timed timed(const Json& row) {
  std::string name = fs::path(row.at("deck").get<std::string>()).stem().string();
  const auto cells = row.at("cells").get<std::array<int, 3>>();
  name += fmt::format(" {}x{}x{}", cells[0], cells[1], cells[2]);
  for (const auto& [key, choice] : row.at("scheme").items())
    if (choice != "none") name += ' ' + choice.get<std::string>();
  const auto step = row.at("quartiles").get<std::array<double, 3>>();
  return {name, row.at("device").get<std::string>(), {step[0], step[1], step[2]}};
}

std::vector<Timed> timed_rows(const Json& report) {
  std::vector<Timed> rows;
  for (const Json& row : report.at("rows")) rows.push_back(timed(row));
  return rows;
}

const Timed* find(const std::vector<Timed>& rows, const std::string& name) {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const Timed& row) { return row.name == name; });
  return at == rows.end() ? nullptr : &*at;
}

std::string verdict(const Quartiles& here, const Quartiles& there) {
  if (here.low <= there.high && there.low <= here.high) return "same within the spread";
  const double ratio = there.median / here.median;
  return ratio > 1 ? fmt::format("faster by {:.1f} %", 100 * (ratio - 1))
                   : fmt::format("slower by {:.1f} %", 100 * (1 - ratio));
}

}  // namespace

Json load_bench_json(const fs::path& file) {
  const auto refuse = [&](const std::string& why) {
    return UsageError(fmt::format("--compare: '{}' {}", file.string(), why),
                      "'halfstep bench --json FILE' writes what can be compared");
  };
  std::ifstream stream(file);
  if (!stream) throw refuse("cannot be read");
  Json report;
  try {
    report = parse_json(stream);
  } catch (const Json::parse_error& e) {
    throw refuse(fmt::format("is not JSON: byte {} is wrong", e.byte));
  } catch (const Json::exception& e) {
    throw refuse(fmt::format("is not of a benchmark: {}", e.what()));
  }
  if (!report.is_object() || !report.contains("bench")) throw refuse("is not of a benchmark");
  try {
    timed_rows(report);
    report.at("provenance").at("git").get<std::string>();
  } catch (const Json::exception& e) {
    throw refuse(fmt::format("is of a benchmark that cannot be read: {}", e.what()));
  }
  return report;
}

Table comparison_table(const Json& here, const Json& there) {
  const std::vector<Timed> ours = timed_rows(here), theirs = timed_rows(there);
  Table table{
      .title = fmt::format("This build, {}, and {} of {}", here["provenance"]["git"].get<std::string>(),
                           there["provenance"]["git"].get<std::string>(),
                           there["provenance"].value("date", "an unknown date")),
      .columns = {"row", "ms a step", "there", "speed over there", "verdict"},
      .rows = {},
      .notes = {}};
  for (const Timed& row : ours) {
    const Timed* partner = find(theirs, row.name);
    if (!partner) {
      table.notes.push_back(fmt::format("Only here: {}.", row.name));
      continue;
    }
    table.rows.push_back({row.name, 1e3 * row.step.median, 1e3 * partner->step.median,
                          partner->step.median / row.step.median, verdict(row.step, partner->step)});
    const std::string elsewhere = fmt::format("There it ran on {}, here on {}.", partner->device, row.device);
    if (partner->device != row.device &&
        std::find(table.notes.begin(), table.notes.end(), elsewhere) == table.notes.end())
      table.notes.push_back(elsewhere);
  }
  for (const Timed& row : theirs)
    if (!find(ours, row.name)) table.notes.push_back(fmt::format("Only there: {}.", row.name));
  if (!table.rows.empty())
    table.notes.push_back("Same within the spread: the ranges between the quartiles overlap.");
  return table;
}

}  // namespace halfstep
