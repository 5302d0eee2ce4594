// Running this folder's scripts with this machine's python3.
#pragma once

#include <string>
#include <vector>

#include "app/base/process.hpp"

namespace halfstep {

/// Runs `script` of app/plot/ with the first python3 that has its modules: the one on the PATH, or the
/// distribution's, for which apt-get installs modules. A script exits with 3 if a module is missing.
/// `modules`: the required Python packages, matplotlib first, for the message. Throws std::runtime_error if
/// there is no such python3.
ProcessResult run_script(const std::string& script, const std::vector<std::string>& arguments,
                         const std::vector<std::string>& modules = {"matplotlib"});

/// Returns the last line of a script's output; in a traceback this is the error.
std::string last_line(std::string text);

}  // namespace halfstep
