// The closed list of the names of a run's files. Only files with these names are ever moved aside or removed.
#pragma once

#include <string>

namespace halfstep {

/// Name of the file that marks an output directory.
inline constexpr const char* kRunMark = ".halfstep";

/// Whether a run creates files with this name, unfinished ones included.
bool is_run_file(const std::string& name);

/// Whether 'halfstep plot' or 'halfstep report' creates files with this name in a run's directory.
bool is_run_picture(const std::string& name);

}  // namespace halfstep
