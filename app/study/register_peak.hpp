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

/// Reads the listings of `nvdisasm --print-life-ranges` and of `nvdisasm --print-line-info-inline`, which it
/// does not print together, of one file. Returns nothing if they tell no live registers, or no lines, of the
/// kernel `symbol`.
std::optional<RegisterPeak> register_peak(const std::string& life_ranges, const std::string& line_info,
                                          const std::string& symbol);

/// Returns the first of the lines that stands below `directory`, with its path from there; else the first.
SourceLine line_below(const std::filesystem::path& directory, const std::vector<SourceLine>& lines);

}  // namespace halfstep
