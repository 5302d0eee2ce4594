#include "app/study/fresh_process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <system_error>

namespace halfstep {
namespace {

constexpr int kThrew = 1;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// Runs `work` in the new process and exits without flushing or destroying the parent's objects again.
[[noreturn]] void hand_over(const std::function<std::string()>& work, int pipe) noexcept {
  int code = 0;
  std::string bytes;
  try {
    bytes = work();
  } catch (const std::exception& error) {
    bytes = error.what();
    code = kThrew;
  }
  for (std::size_t written = 0; written < bytes.size();) {
    const ssize_t count = ::write(pipe, bytes.data() + written, bytes.size() - written);
    if (count < 0 && errno != EINTR) ::_exit(kThrew);
    if (count > 0) written += static_cast<std::size_t>(count);
  }
  ::_exit(code);
}

std::string all_of(int pipe) {
  std::string bytes;
  char some[4096];
  for (;;) {
    const ssize_t count = ::read(pipe, some, sizeof(some));
    if (count == 0) return bytes;
    if (count > 0) bytes.append(some, static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) fail("cannot read from a process of the study");
  }
}

}  // namespace

std::string bytes_of_fresh_process(const std::function<std::string()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) fail("cannot make a pipe");
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    fail("cannot start a process");
  }
  if (child == 0) {
    ::close(ends[0]);
    hand_over(work, ends[1]);
  }
  ::close(ends[1]);
  std::string bytes = all_of(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("cannot wait for a process of the study");
  if (WIFSIGNALED(status))
    throw std::runtime_error("a process of the study was ended by signal " +
                             std::to_string(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) throw std::runtime_error(bytes);
  return bytes;
}

}  // namespace halfstep
