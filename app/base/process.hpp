// Running another program to its end.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace halfstep {

struct ProcessResult {
  int status = 0;      ///< exit status, or 128 + the signal that ended it
  std::string output;  ///< standard output and error together
};

/// Runs a program without a shell and waits for it. `words`: the program, searched on the PATH, and its
/// arguments. Throws std::runtime_error if it cannot be started.
ProcessResult run_process(const std::vector<std::string>& words);

/// Returns the path of this executable.
std::filesystem::path program_path();

}  // namespace halfstep
