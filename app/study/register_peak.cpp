#include "app/study/register_peak.hpp"

#include <cstdlib>
#include <regex>
#include <sstream>
#include <utility>

namespace halfstep {
namespace {

/// Returns the live general registers, the first column behind an instruction; nothing if `line` is none.
std::optional<int> live_registers(const std::string& line) {
  static const std::regex column(R"(;\s*//\s*\|\s*(\d*))");
  std::smatch found;
  if (!std::regex_search(line, found, column)) return std::nullopt;
  return std::atoi(found[1].str().c_str());  // 0 where the column is empty
}

}  // namespace

std::optional<RegisterPeak> parse_life_ranges(const std::string& listing, const std::string& symbol) {
  static const std::regex section(R"(^\s*(?://-+\s+)?\.text\.([^\s:]+)(?::|\s+-))"),
      place(R"re(^\s*//## File "([^"]+)", line (\d+))re");
  RegisterPeak peak;
  std::vector<SourceLine> here;  // the lines of the next instruction, and of those after it until others come
  bool in_kernel = false, lines_end = false;
  std::istringstream lines(listing);
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, found, section)) {
      in_kernel = found[1] == symbol;
      here.clear();
    } else if (!in_kernel) {
      continue;
    } else if (std::regex_search(line, found, place)) {
      if (std::exchange(lines_end, false)) here.clear();
      here.push_back({found[1].str(), std::stoi(found[2])});
    } else if (const std::optional<int> live = live_registers(line)) {
      lines_end = true;
      if (*live > peak.live && !here.empty()) peak = {*live, here};
    }
  }
  return peak.live > 0 ? std::optional(peak) : std::nullopt;
}

SourceLine line_below(const std::filesystem::path& directory, const std::vector<SourceLine>& lines) {
  for (const SourceLine& line : lines) {
    const std::filesystem::path from_there =
        line.file.lexically_normal().lexically_relative(directory.lexically_normal());
    if (!from_there.empty() && *from_there.begin() != "..") return {from_there, line.line};
  }
  return lines.front();
}

}  // namespace halfstep
