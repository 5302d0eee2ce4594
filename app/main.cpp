#include <csignal>

#include "app/commands/commands.hpp"
#include "app/output/standard_output.hpp"

int main(int argc, char** argv) {
  // A full disk and a closed pipe are errors of the call that meets them, not the end of the run.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  halfstep::outlive_readers_of_stdout();
  return halfstep::run_command_line(argc, argv);
}
