// The program's exit codes.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace halfstep {

/// Exit codes. Scripts rely on them: they do not change.
enum ExitCode : int {
  kFinished = 0,
  kFailed = 1,      ///< internal, I/O or device error
  kUsage = 2,       ///< command line or deck error
  kExhausted = 3,   ///< soft errors exhausted the ladder; a restartable checkpoint was written
  kStopped = 4,     ///< a signal or the wall time; a restartable checkpoint was written
  kDifference = 5,  ///< compare, verify or regress found a difference
};

/// An invalid command line or an unusable input: exit code kUsage.
struct UsageError : std::runtime_error {
  UsageError(const std::string& message, std::string remedy)
      : runtime_error(message), help(std::move(remedy)) {}
  std::string help;  ///< the remedy; may be empty
};

}  // namespace halfstep
