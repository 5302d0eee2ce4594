#include "app/compare/contents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "app/base/json.hpp"
#include "app/output/dump.hpp"
#include "app/output/histogram_file.hpp"
#include "app/output/history.hpp"
#include "app/output/number_table.hpp"
#include "app/output/probes_file.hpp"
#include "app/output/run_checkpoint.hpp"
#include "app/output/step_rows.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;

std::string text(double value) { return fmt::format("{:.17g}", value); }
std::string text(std::int64_t value) { return fmt::format("{}", value); }

Contents dump_contents(const fs::path& path) {
  Dump dump = read_dump(path);
  Contents all{
      .kind = FileKind::dump, .mesh = dump.mesh, .rows = {}, .quantities = {}, .remarks = {}, .deck = {}};
  all.quantities.push_back({"time", 1, {dump.info.time}});
  for (DumpField& field : dump.fields)
    all.quantities.push_back({field.name, field.components, std::move(field.values)});
  all.remarks = {{"step", text(dump.info.step)},
                 {"dt", text(dump.info.dt)},
                 {"precision", dump.info.precision},
                 {"backend", dump.info.backend},
                 {"git", dump.info.git}};
  all.deck = dump.info.deck;
  return all;
}

Contents checkpoint_contents(const fs::path& path) {
  RunCheckpoint from = read_checkpoint(path);
  Contents all{.kind = FileKind::checkpoint,
               .mesh = from.mesh,
               .rows = {},
               .quantities = {},
               .remarks = {},
               .deck = {}};
  all.quantities.push_back({"time", 1, {from.state.time}});
  const auto& u = from.fields.conserved;
  Quantity momentum{"momentum", 3, {}};
  for (std::size_t cell = 0; cell < u[1].size(); ++cell)
    for (int f = 1; f <= 3; ++f) momentum.values.push_back(u[f][cell]);
  all.quantities.push_back({"density", 1, u[0]});
  all.quantities.push_back(std::move(momentum));
  all.quantities.push_back({"energy", 1, u[4]});
  for (std::size_t s = 0; s < from.scalars.size(); ++s)
    all.quantities.push_back({from.scalars[s], 1, from.fields.scalars[s]});
  all.remarks = {{"step", text(from.state.step)},
                 {"dt", text(from.last_dt)},
                 {"attempts", text(from.counters.attempts)},
                 {"rejections", text(from.counters.rejections)},
                 {"a step under way", from.step ? "there" : "not there"},
                 {"precision", from.precision},
                 {"backend", from.backend},
                 {"git", from.git}};
  all.deck = from.deck;
  return all;
}

Contents table_contents(const fs::path& path, FileKind kind, const std::vector<std::string>& keys) {
  StepRows rows = path.extension() == ".h5" ? read_number_table(path) : read_step_rows(path, keys);
  Contents all{
      .kind = kind, .mesh = {}, .rows = std::move(rows.labels), .quantities = {}, .remarks = {}, .deck = {}};
  for (std::size_t column = 0; column < rows.columns.size(); ++column)
    all.quantities.push_back({rows.columns[column], 1, std::move(rows.values[column])});
  return all;
}

/// Reads what json_number() wrote.
std::optional<double> number(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf" || value == "-inf")
    return (value == "inf" ? 1 : -1) * std::numeric_limits<double>::infinity();
  return std::nullopt;
}

/// Adds every number below `object`, named by its path.
void add_numbers(const Json& object, const std::string& path, Contents& all) {
  for (const auto& [key, value] : object.items()) {
    const std::string name = path.empty() ? key : path + "." + key;
    if (value.is_object()) {
      add_numbers(value, name, all);
    } else if (value.is_array()) {
      const auto is_number = [](const Json& component) { return number(component).has_value(); };
      if (value.empty() || !std::all_of(value.begin(), value.end(), is_number)) continue;
      Quantity vector{name, static_cast<int>(value.size()), {}};
      for (const Json& component : value) vector.values.push_back(number(component).value());
      all.quantities.push_back(std::move(vector));
    } else if (const auto one = number(value)) {
      all.quantities.push_back({name, 1, {*one}});
    }
  }
}

Contents summary_contents(const fs::path& path) {
  Contents all{
      .kind = FileKind::summary, .mesh = {}, .rows = {}, .quantities = {}, .remarks = {}, .deck = {}};
  try {
    std::ifstream file(path);
    Json json = parse_json(file);
    if (!json.is_object()) throw std::runtime_error("it holds no object");
    // The cost of a run is no result; the verdict follows from the fields, the drift from the totals.
    for (const char* other : {"redo_cost_percent", "wall_seconds", "cell_updates_per_second", "device_bytes",
                              "host_bytes", "ranks", "verdict"})
      json.erase(other);
    if (json.contains("totals")) json["totals"].erase("drift");
    add_numbers(json, "", all);
    for (const char* key : {"status", "precision", "backend", "git"})
      all.remarks.emplace_back(key, json.value(key, ""));
  } catch (const std::exception& error) {
    throw std::runtime_error("cannot use '" + path.string() + "' as a summary: " + error.what());
  }
  return all;
}

}  // namespace

std::string_view name_of(FileKind kind) {
  switch (kind) {
    case FileKind::dump:
      return "dump";
    case FileKind::checkpoint:
      return "checkpoint";
    case FileKind::history:
      return "history";
    case FileKind::histogram:
      return "histogram";
    case FileKind::probes:
      return "probes";
    case FileKind::summary:
      return "summary";
  }
  return "?";
}

std::optional<FileKind> kind_of(const fs::path& path) {
  const std::string name = path.filename(), extension = path.extension();
  if (extension == ".vtkhdf") return FileKind::dump;
  if (extension == ".h5") return is_number_table(path) ? FileKind::probes : FileKind::checkpoint;
  if (name == "history.csv") return FileKind::history;
  if (name == "histogram.csv") return FileKind::histogram;
  if (name == "summary.json") return FileKind::summary;
  if (extension == ".csv") {
    std::ifstream file(path);
    std::string header;
    std::getline(file, header);
    if (header.starts_with(kHistogramHeader)) return FileKind::histogram;
    if (header.starts_with(kHistoryHeader)) return FileKind::history;
    if (header.starts_with(kProbesHeader)) return FileKind::probes;
  }
  return std::nullopt;
}

std::string Contents::place(const Quantity& quantity, std::size_t value) const {
  if (quantity.values.size() == static_cast<std::size_t>(quantity.components) && size() != 1) return "";
  if (!mesh) return rows.empty() ? "" : rows[value];
  const auto n = static_cast<std::int64_t>(value);
  const int i = static_cast<int>(n % mesh->cells[0]),
            j = static_cast<int>(n / mesh->cells[0] % mesh->cells[1]),
            k = static_cast<int>(n / mesh->cells[0] / mesh->cells[1]);
  const auto x = mesh->center(i, j, k);
  return fmt::format("[{}, {}, {}] at ({:.5g}, {:.5g}, {:.5g})", i, j, k, x[0], x[1], x[2]);
}

Contents read_contents(const fs::path& path, FileKind kind) {
  switch (kind) {
    case FileKind::dump:
      return dump_contents(path);
    case FileKind::checkpoint:
      return checkpoint_contents(path);
    case FileKind::history:
    case FileKind::probes:
      return table_contents(path, kind, {"step"});
    case FileKind::histogram:
      return table_contents(path, kind, {"step", "field", "bin"});
    case FileKind::summary:
      break;
  }
  return summary_contents(path);
}

}  // namespace halfstep
