#include "app/output/step_rows.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <unordered_set>

namespace halfstep {

namespace {

/// Splits a row into its fields; none of them is quoted.
std::vector<std::string> fields_of(const std::string& row) {
  std::vector<std::string> fields;
  std::istringstream text(row);
  for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
  return fields;
}

}  // namespace

AppendFile begin_step_rows(const std::filesystem::path& path, const std::string& header) {
  AppendFile file(path);
  file.truncate(0);
  file.write_line(header);
  return file;
}

AppendFile resume_step_rows(const std::filesystem::path& path, const std::string& header, std::int64_t step) {
  const auto refuse = [&] {
    throw std::runtime_error(
        "cannot go on with '" + path.string() +
        "': it has other columns than this program writes; move it away and restart again");
  };
  std::string row;
  // The first line is looked at before the file is opened to be written, which cuts off an unfinished line.
  if (std::ifstream before(path, std::ios::binary); std::getline(before, row))
    if (row.empty() || !header.starts_with(row)) refuse();
  AppendFile file(path);
  std::ifstream rows(path, std::ios::binary);
  if (!std::getline(rows, row)) return begin_step_rows(path, header);
  if (row != header) refuse();
  std::uintmax_t keep = row.size() + 1;
  while (std::getline(rows, row)) {
    std::int64_t row_step = 0;
    const auto parsed = std::from_chars(row.data(), row.data() + row.size(), row_step);
    if (parsed.ec != std::errc{} || *parsed.ptr != ',')
      throw std::runtime_error("cannot go on with '" + path.string() +
                               "': a row does not begin with a step: '" + row.substr(0, 40) + "'");
    if (row_step > step) break;
    keep += row.size() + 1;
  }
  file.truncate(keep);
  return file;
}

StepRows read_step_rows(const std::filesystem::path& path, const std::vector<std::string>& keys) {
  const auto refuse = [&](const std::string& reason) {
    throw std::runtime_error("cannot use '" + path.string() + "': " + reason);
  };
  std::ifstream file(path, std::ios::binary);
  std::string row;
  if (!std::getline(file, row)) refuse("it cannot be read or is empty");
  const std::vector<std::string> header = fields_of(row);
  std::vector<std::size_t> key_columns, value_columns;
  for (const std::string& key : keys) {
    const auto at = std::find(header.begin(), header.end(), key);
    if (at == header.end()) refuse("it has no column '" + key + "'");
    key_columns.push_back(static_cast<std::size_t>(at - header.begin()));
  }
  StepRows rows;
  for (std::size_t column = 0; column < header.size(); ++column) {
    if (std::find(keys.begin(), keys.end(), header[column]) != keys.end()) continue;
    value_columns.push_back(column);
    rows.columns.push_back(header[column]);
  }
  rows.values.resize(value_columns.size());
  std::unordered_set<std::string> seen;
  for (std::size_t number = 1; std::getline(file, row); ++number) {
    const std::vector<std::string> fields = fields_of(row);
    const std::string name = "row " + std::to_string(number);
    if (fields.size() != header.size())
      refuse(name + " has " + std::to_string(fields.size()) + " fields, and the header has " +
             std::to_string(header.size()));
    std::string label;
    for (const std::size_t column : key_columns)
      label += (label.empty() ? "" : ", ") + header[column] + " " + fields[column];
    if (!seen.insert(label).second) refuse(name + " repeats " + label);
    rows.labels.push_back(label);
    for (std::size_t n = 0; n < value_columns.size(); ++n) {
      const std::string& field = fields[value_columns[n]];
      double value = 0;
      const auto parsed = std::from_chars(field.data(), field.data() + field.size(), value);
      if (parsed.ec != std::errc{} || parsed.ptr != field.data() + field.size())
        refuse(name + ": '" + field + "' in the column '" + rows.columns[n] + "' is not a number");
      rows.values[n].push_back(value);
    }
  }
  return rows;
}

}  // namespace halfstep
