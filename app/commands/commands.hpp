// The command line: one function a subcommand, and the exit codes.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace halfstep {

/// Exit codes, a contract.
enum ExitCode : int {
  kFinished = 0,
  kFailed = 1,      ///< internal, I/O or device error
  kUsage = 2,       ///< command line or deck error
  kExhausted = 3,   ///< soft errors exhausted the ladder; a restartable checkpoint was written
  kStopped = 4,     ///< a signal or the wall time; a restartable checkpoint was written
  kDifference = 5,  ///< compare, verify or regress found a difference
};

/// A command line that cannot be understood, or an input that cannot be used: exit code kUsage.
struct UsageError : std::runtime_error {
  UsageError(const std::string& message, std::string remedy)
      : runtime_error(message), help(std::move(remedy)) {}
  std::string help;  ///< what to do instead; may be empty
};

/// Parses the command line, runs the subcommand, returns the exit code. Throws nothing.
int run_command_line(int argc, char** argv);

}  // namespace halfstep
