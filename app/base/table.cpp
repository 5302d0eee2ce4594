#include "app/base/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace halfstep {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 24;  // least width of the last column

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

std::string shown(const Cell& cell) {
  return std::visit(Overloaded{[](const std::string& text) { return text; },
                               [](std::int64_t n) { return fmt::format("{}", n); },
                               [](double x) { return fmt::format("{:.5g}", x); },
                               [](std::monostate) { return std::string("-"); }},
                    cell);
}

/// Returns a CSV field, quoted where RFC 4180 requires it.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csv_field(const Cell& cell) {
  return std::visit(Overloaded{[](const std::string& text) { return csv_field(text); },
                               [](std::monostate) { return std::string(); },
                               [](auto number) { return fmt::format("{}", number); }},
                    cell);
}

Json json_cell(const Cell& cell) {
  return std::visit(Overloaded{[](double x) { return json_number(x); }, [](std::monostate) { return Json(); },
                               [](const auto& other) { return Json(other); }},
                    cell);
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

}  // namespace

std::vector<std::string> wrapped(std::string text, std::size_t width, LongWords long_words) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    std::size_t end = text.rfind(' ', width);
    if (end == std::string::npos || end == 0)
      end = long_words == LongWords::are_cut ? width : text.find(' ', width);
    if (end == std::string::npos) break;
    lines.push_back(text.substr(0, end));
    text.erase(0, text.find_first_not_of(' ', end));
  }
  lines.push_back(text);
  return lines;
}

std::string table_text(const Table& table, std::size_t width) {
  const std::size_t count = table.columns.size(), last = count - 1;
  std::vector<std::size_t> widths;
  for (const std::string& name : table.columns) widths.push_back(name.size());
  std::vector<bool> numbers(count, true);
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < count; ++c) {
      widths[c] = std::max(widths[c], shown(row[c]).size());
      if (std::holds_alternative<std::string>(row[c])) numbers[c] = false;
    }
  const std::size_t others = std::accumulate(widths.begin(), widths.end() - 1, kGap * last);
  widths[last] = std::min(widths[last], others + kNarrowest < width ? width - others : kNarrowest);

  const auto line = [&](const std::vector<std::string>& cells) {
    const std::vector<std::string> ends = wrapped(cells[last], widths[last], LongWords::are_cut);
    std::string text;
    for (std::size_t c = 0; c < last; ++c)
      text += fmt::format(fmt::runtime(numbers[c] ? "{:>{}}" : "{:<{}}"), cells[c], widths[c]) +
              std::string(kGap, ' ');
    const std::string indent(text.size(), ' ');
    std::string all;
    for (std::size_t n = 0; n < ends.size(); ++n)
      all += without_trailing_spaces(
          (n == 0 ? text : indent) +
          fmt::format(fmt::runtime(numbers[last] ? "{:>{}}" : "{:<{}}"), ends[n], widths[last]));
    return all;
  };

  std::string text = table.title + "\n\n" + line(table.columns);
  for (const auto& row : table.rows) {
    std::vector<std::string> cells;
    for (const Cell& cell : row) cells.push_back(shown(cell));
    text += line(cells);
  }
  if (!table.notes.empty()) text += '\n';
  for (const std::string& note : table.notes)
    for (const std::string& part : wrapped(note, width, LongWords::are_cut)) text += part + '\n';
  return text;
}

std::string table_csv(const Table& table) {
  std::string text;
  const auto line = [&](const auto& fields) {
    for (const auto& field : fields) text += (&field == &fields.front() ? "" : ",") + csv_field(field);
    text += '\n';
  };
  line(table.columns);
  for (const auto& row : table.rows) line(row);
  return text;
}

Json table_json(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json object = Json::object();
    for (std::size_t c = 0; c < row.size(); ++c)
      if (!std::holds_alternative<std::monostate>(row[c])) object[table.columns[c]] = json_cell(row[c]);
    rows.push_back(std::move(object));
  }
  return {
      {"title", table.title}, {"columns", table.columns}, {"notes", table.notes}, {"rows", std::move(rows)}};
}

}  // namespace halfstep
