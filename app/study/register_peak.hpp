// Where in a source the registers of a kernel peak, as nvdisasm tells.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace halfstep {

struct SourceLine {
  std::filesystem::path file;
  int line = 0;
};

/// The first of a kernel's instructions with the most general registers live.
struct RegisterPeak {
  int live = 0;
  std::vector<SourceLine> lines;  ///< that it comes from: of the innermost inlined function first
};

/// Reads a listing of `nvdisasm --print-life-ranges --print-line-info-inline`. Returns nothing if it tells no
/// live registers, or no lines, of the kernel `symbol`.
std::optional<RegisterPeak> parse_life_ranges(const std::string& listing, const std::string& symbol);

/// Returns the first of the lines that stands below `directory`, with its path from there; else the first.
SourceLine line_below(const std::filesystem::path& directory, const std::vector<SourceLine>& lines);

}  // namespace halfstep
