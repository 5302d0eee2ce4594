#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>

#include "app/base/exit_codes.hpp"
#include "app/commands/command_line.hpp"
#include "app/output/standard_output.hpp"
#include "app/run/ranks.hpp"
#include "runtime/exchange/ranks.hpp"

namespace {

/// Opens /dev/null for every closed standard stream; returns false if it cannot. Otherwise the next opened
/// file would take the stream's descriptor, and printed text would go into that file.
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
  // A full disk or a closed pipe then fails the call that meets it instead of killing the process.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  halfstep::outlive_readers_of_stdout();
  const halfstep::exchange::RanksAtEnd at_end;
  try {
    if (!halfstep::exchange::Ranks::all().is_first()) return halfstep::serve_as_rank();
    const int code = halfstep::run_command_line(argc, argv);
    halfstep::end_ranks(code);
    return code;
  } catch (const std::exception& error) {  // of MPI itself; commands report their own
    std::fprintf(stderr, "halfstep: error: %s\n", error.what());
    return halfstep::kFailed;
  }
}
