// The scripts in this folder, run by the python3 of this machine.
#pragma once

#include <string>
#include <vector>

#include "app/kernels/process.hpp"

namespace halfstep {

/// Runs `script`, of app/plot/, by the first python3 that has its modules: that on the PATH, or the
/// distribution's, which apt-get serves. A script exits with 3 where a module is missing. `modules`: the
/// Python modules that are not part of Python, the first one matplotlib, for the message.
/// Throws std::runtime_error if there is no such python3.
ProcessResult run_script(const std::string& script, const std::vector<std::string>& arguments,
                         const std::vector<std::string>& modules = {"matplotlib"});

/// The last line of what a script printed: of a traceback, what went wrong.
std::string last_line(std::string text);

}  // namespace halfstep
