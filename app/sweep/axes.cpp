#include "app/sweep/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "app/base/exit_codes.hpp"
#include "app/deck/diagnostic.hpp"

namespace halfstep {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::vector<std::string> split_values(const std::string& text) {
  std::vector<std::string> values(1);
  int depth = 0;
  char quotation = 0;
  for (const char c : text) {
    if (quotation)
      quotation = c == quotation ? char(0) : quotation;
    else if (c == '"' || c == '\'')
      quotation = c;
    else
      depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (c == ',' && depth == 0 && !quotation)
      values.emplace_back();
    else
      values.back() += c;
  }
  std::transform(values.begin(), values.end(), values.begin(), trimmed);
  return values;
}

}  // namespace

SweepAxis parse_axis(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  SweepAxis axis{.key = argument.substr(0, equals), .values = split_values(argument.substr(equals + 1))};
  std::vector<std::string> sorted = axis.values;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.size() > 1 && sorted.front().empty())
    throw UsageError(fmt::format("{} has an empty value", quote(argument)), "separate values by one comma");
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw UsageError(fmt::format("{} has the value {} twice", quote(argument), quote(*twice)),
                     "give each value once");
  return axis;
}

std::vector<std::vector<std::string>> combinations(const std::vector<SweepAxis>& axes) {
  std::vector<std::vector<std::string>> all(1);
  for (const SweepAxis& axis : axes) {
    std::vector<std::vector<std::string>> longer;
    for (const std::vector<std::string>& values : all)
      for (const std::string& value : axis.values) {
        longer.push_back(values);
        longer.back().push_back(value);
      }
    all = std::move(longer);
  }
  return all;
}

std::string combination_name(const std::vector<SweepAxis>& axes, const std::vector<std::string>& values) {
  std::string name;
  for (std::size_t a = 0; a < axes.size(); ++a) name += (a > 0 ? "," : "") + axes[a].key + "=" + values[a];
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) &&
        std::string_view("._-+=,").find(c) == std::string_view::npos)
      c = '_';
  return name;
}

}  // namespace halfstep
