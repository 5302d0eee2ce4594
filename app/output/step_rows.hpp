// CSV files whose rows begin with the step they are of, in the order of the steps, so that a restart can cut
// off what comes after its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/output/append_file.hpp"

namespace halfstep {

/// A new file with its header. Throws std::runtime_error, as all do.
AppendFile begin_step_rows(const std::filesystem::path& path, const std::string& header);
/// Goes on after the rows of `step`; those of later steps are cut off. A missing file is begun.
AppendFile resume_step_rows(const std::filesystem::path& path, const std::string& header, std::int64_t step);

}  // namespace halfstep
