// CSV files whose rows begin with the step they are of, in the order of the steps, so that a restart can cut
// off what comes after its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/output/append_file.hpp"

namespace halfstep {

/// A new file with its header. Throws std::runtime_error, as all do.
AppendFile begin_step_rows(const std::filesystem::path& path, const std::string& header);
/// Goes on after the rows of `step`; those of later steps are cut off. A missing file is begun.
AppendFile resume_step_rows(const std::filesystem::path& path, const std::string& header, std::int64_t step);

/// The rows of such a file.
struct StepRows {
  std::vector<std::string> labels;  ///< what each row is of: "step 12", "step 12, field density, bin 3"
  std::vector<std::string> columns;
  std::vector<std::vector<double>> values;  ///< as many columns, each with a number a row
};
/// `keys` are the columns that tell rows apart; they make the labels, and need not be numbers.
StepRows read_step_rows(const std::filesystem::path& path, const std::vector<std::string>& keys);

}  // namespace halfstep
