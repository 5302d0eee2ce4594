// Another program, run to its end.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace halfstep {

struct ProcessResult {
  int status = 0;      ///< its exit status, or 128 + the signal that ended it
  std::string output;  ///< standard output and error together
};

/// `words`: the program, looked for on the PATH, and its arguments; no shell. Throws std::runtime_error if it
/// cannot be started.
ProcessResult run_process(const std::vector<std::string>& words);

/// Of the program that runs.
std::filesystem::path program_path();

}  // namespace halfstep
