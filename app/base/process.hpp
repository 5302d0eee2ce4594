// Running another program to its end, and what the system says of this one.
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

/// Quotes `text` so that a shell reads it as one word.
std::string shell_word(const std::string& text);

/// Returns the command line of this process as a shell would read it; "" if the system does not tell.
std::string command_line();

/// Returns the name of this machine; "" if the system does not tell.
std::string host_name();

}  // namespace halfstep
