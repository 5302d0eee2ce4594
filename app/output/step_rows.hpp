// CSV files whose rows begin with their step, in ascending order, so that a restart can cut off later rows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/output/append_file.hpp"

namespace halfstep {

/// Begins a new file with its header. Throws std::runtime_error, as all functions here do.
AppendFile begin_step_rows(const std::filesystem::path& path, const std::string& header);
/// Continues after the rows of `step` and cuts off later rows. Begins a missing file.
AppendFile resume_step_rows(const std::filesystem::path& path, const std::string& header, std::int64_t step);

struct StepRows {
  std::vector<std::string> labels;  ///< name of each row: "step 12", "step 12, field density, bin 3"
  std::vector<std::string> columns;
  std::vector<std::vector<double>> values;  ///< by column, then by row
};
/// Reads such a file. `keys`: the columns that identify a row; they form the labels and need not be numbers.
StepRows read_step_rows(const std::filesystem::path& path, const std::vector<std::string>& keys);

}  // namespace halfstep
