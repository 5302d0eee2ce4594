#include "runtime/checkpoint/trial.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <system_error>

namespace halfstep {

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::generic_category().message(errno));
}

/// Runs `work` in the child and exits with 0, or writes what it throws to the pipe `told` and exits with 1.
[[noreturn]] void run_child(int told, const std::function<void()>& work) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  for (const int crash : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE}) ::signal(crash, SIG_DFL);
  try {
    work();
  } catch (const std::exception& error) {
    const std::string reason = error.what();
    [[maybe_unused]] const ssize_t written = ::write(told, reason.data(), reason.size());
    ::_exit(1);
  }
  ::_exit(0);
}

/// Appends what comes through the pipe `heard` to `reason`. Returns false if that takes more than `seconds`.
bool listen(int heard, double seconds, std::string& reason) {
  using Clock = std::chrono::steady_clock;
  const auto end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::array<char, 512> part;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd end_of_pipe{heard, POLLIN, 0};
    if (::poll(&end_of_pipe, 1, static_cast<int>(left)) <= 0) continue;
    const ssize_t count = ::read(heard, part.data(), part.size());
    if (count == 0) return true;
    if (count > 0) reason.append(part.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::string trial(double seconds, const std::function<void()>& work) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe");
  const pid_t child = ::fork();
  if (child == 0) run_child(ends[1], work);
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    fail("cannot start a process");
  }
  std::string reason;
  const bool ended = listen(ends[0], seconds, reason);
  ::close(ends[0]);
  if (!ended) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("cannot wait for a process");
  if (!ended) return "reading it does not come to an end";
  if (WIFSIGNALED(status)) return "reading it crashes";
  if (WEXITSTATUS(status) == 0) return "";
  return reason.empty() ? "reading it fails" : reason;
}

double seconds_to_read(const std::filesystem::path& path) {
  constexpr double shortest = 1.5, bytes_a_second = 100e6;
  constexpr double largest_ratio = 1030, unpacked_a_second = 200e6, longest_unpacking = 60;  // of gzip
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  return shortest + bytes / bytes_a_second +
         std::min(largest_ratio * bytes / unpacked_a_second, longest_unpacking);
}

}  // namespace halfstep
