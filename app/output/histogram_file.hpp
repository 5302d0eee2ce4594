// histogram.csv: how a field is distributed over the cells, at several times; a row a bin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

#include "app/output/append_file.hpp"
#include "physics/histogram.hpp"

namespace halfstep {

inline constexpr std::string_view kHistogramHeader =
    "step,time,field,bin,lower,upper,count,probability_density";

/// Rows with 17 significant digits, the bins from 0 up; bin -1 holds the cells below the range, from -inf,
/// and the one after the last those above it, to inf. The density is of all cells: over the range it
/// integrates to their part in it. Throws std::runtime_error.
class HistogramFile {
 public:
  /// A new file with its header.
  explicit HistogramFile(const std::filesystem::path& path);
  /// Goes on after the rows of `step`; rows of later steps are cut off. A missing file is begun.
  static HistogramFile resume(const std::filesystem::path& path, std::int64_t step);

  void write(std::int64_t step, double time, HistogramField field, const Histogram& histogram);
  void synchronise() const { file_.synchronise(); }

 private:
  explicit HistogramFile(AppendFile file) : file_(std::move(file)) {}
  AppendFile file_;
};

}  // namespace halfstep
