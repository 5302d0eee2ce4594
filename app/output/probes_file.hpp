// NAME.csv of an output of kind probes: one row each time, with the columns step, time and FIELD_N for each
// field and each point N, from 0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/output/append_file.hpp"
#include "app/output/output_table.hpp"
#include "physics/flux/scheme.hpp"

namespace halfstep {

inline constexpr std::string_view kProbesHeader = "step,time,";

/// Numbers have 17 significant digits, 9 in single precision. Throws std::runtime_error.
class ProbesFile final : public OutputTable {
 public:
  /// Begins a new file with its header.
  ProbesFile(const std::filesystem::path& path, const std::vector<std::string>& fields, std::size_t points,
             Precision precision);
  /// Continues after the row of `step` and cuts off later rows. Begins a missing file.
  static ProbesFile resume(const std::filesystem::path& path, const std::vector<std::string>& fields,
                           std::size_t points, Precision precision, std::int64_t step);

  void write(std::int64_t step, double time, const std::vector<std::vector<double>>& values) override;
  void flush() override;
  void synchronise() override;

 private:
  ProbesFile(AppendFile file, Precision precision) : file_(std::move(file)), precision_(precision) {}
  AppendFile file_;
  Precision precision_;
  std::string held_;  // rows
};

}  // namespace halfstep
