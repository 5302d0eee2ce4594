#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "app/commands/commands.hpp"
#include "app/output/standard_output.hpp"

namespace {

/// Opens /dev/null for every standard stream that is closed: the next file that is opened would take its
/// descriptor, and what is printed would go into that file.
bool open_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) != descriptor) return false;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (!open_standard_streams()) {
    std::perror("halfstep: error: a standard stream is closed, and /dev/null cannot be opened in its place");
    return halfstep::kFailed;
  }
  // A full disk and a closed pipe are errors of the call that meets them, not the end of the run.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  halfstep::outlive_readers_of_stdout();
  return halfstep::run_command_line(argc, argv);
}
