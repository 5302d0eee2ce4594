#include "app/study/register_peak.hpp"

#include <cstdlib>
#include <regex>
#include <sstream>
#include <utility>

namespace halfstep {
namespace {

/// Calls take(line) with the lines of a listing that belong to the kernel `symbol`.
template <class Take>
void for_lines_of(const std::string& listing, const std::string& symbol, const Take& take) {
  static const std::regex section(R"(^\s*(?://-+\s+)?\.text\.([^\s:]+)(?::|\s+-))");
  bool in_kernel = false;
  std::istringstream lines(listing);
  std::smatch found;
  for (std::string line; std::getline(lines, line);)
    if (std::regex_search(line, found, section))
      in_kernel = found[1] == symbol;
    else if (in_kernel)
      take(line);
}

/// Returns the offset of the instruction in a line; nothing if it has none.
std::optional<long> offset_in(const std::string& line) {
  static const std::regex instruction(R"(^\s*/\*([0-9a-f]+)\*/.*;)");
  std::smatch found;
  if (!std::regex_search(line, found, instruction)) return std::nullopt;
  return std::stol(found[1], nullptr, 16);
}

/// Returns the live general registers, the first column behind an instruction; 0 where it is empty.
int live_registers(const std::string& line) {
  static const std::regex column(R"(;\s*//\s*\|\s*(\d*))");
  std::smatch found;
  return std::regex_search(line, found, column) ? std::atoi(found[1].str().c_str()) : 0;
}

/// Returns the lines of the instruction at the offset.
std::vector<SourceLine> lines_at(long offset, const std::string& listing, const std::string& symbol) {
  static const std::regex place(R"re(^\s*//## File "([^"]+)", line (\d+))re");
  std::vector<SourceLine> here, wanted;  // `here`: of the next instruction, and of those after it
  bool lines_end = false;
  for_lines_of(listing, symbol, [&](const std::string& line) {
    std::smatch found;
    if (std::regex_search(line, found, place)) {
      if (std::exchange(lines_end, false)) here.clear();
      here.push_back({found[1].str(), std::stoi(found[2])});
    } else if (const auto at = offset_in(line)) {
      lines_end = true;
      if (*at == offset) wanted = here;
    }
  });
  return wanted;
}

}  // namespace

std::optional<RegisterPeak> register_peak(const std::string& life_ranges, const std::string& line_info,
                                          const std::string& symbol) {
  RegisterPeak peak;
  long offset = -1;
  for_lines_of(life_ranges, symbol, [&](const std::string& line) {
    const auto at = offset_in(line);
    if (const int live = at ? live_registers(line) : 0; live > peak.live) {
      peak.live = live;
      offset = *at;
    }
  });
  peak.lines = lines_at(offset, line_info, symbol);
  return peak.lines.empty() ? std::nullopt : std::optional(peak);
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
