// The closed list of names that are a run's own. Only files of these names are ever moved aside or removed.
#pragma once

#include <string>

namespace halfstep {

/// The mark of a directory that runs write into.
inline constexpr const char* kRunMark = ".halfstep";

/// Whether a run gives files this name; what it had not written whole counts, too.
bool is_run_file(const std::string& name);

/// Whether 'halfstep plot' and 'halfstep report' give files this name in the directory of a run.
bool is_run_picture(const std::string& name);

}  // namespace halfstep
