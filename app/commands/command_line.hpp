// The command line.
#pragma once

namespace halfstep {

/// Parses the command line, runs the command and returns the exit code. Throws nothing.
int run_command_line(int argc, char** argv);

}  // namespace halfstep
