// histogram.csv: the distribution of a field over the cells at several times, one row per bin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

#include "app/output/append_file.hpp"
#include "physics/diagnostics/histogram.hpp"

namespace halfstep {

inline constexpr std::string_view kHistogramHeader =
    "step,time,field,bin,lower,upper,count,probability_density";

/// Numbers have 17 significant digits. Bins count from 0; bin -1 holds the cells below the range (from -inf),
/// the bin after the last those above it (to inf). The probability density is normalised by all cells: its
/// integral over the range is the fraction of cells in it. Throws std::runtime_error.
class HistogramFile {
 public:
  /// Begins a new file with its header.
  explicit HistogramFile(const std::filesystem::path& path);
  /// Continues after the rows of `step` and cuts off later rows. Begins a missing file.
  static HistogramFile resume(const std::filesystem::path& path, std::int64_t step);

  void write(std::int64_t step, double time, HistogramField field, const Histogram& histogram);
  void synchronise() const { file_.synchronise(); }

 private:
  explicit HistogramFile(AppendFile file) : file_(std::move(file)) {}
  AppendFile file_;
};

}  // namespace halfstep
