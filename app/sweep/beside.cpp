#include "app/sweep/beside.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <map>
#include <system_error>

namespace halfstep {
namespace {

constexpr std::array kStops = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t received = 0;

/// While the object lives, signals that stop are noted. An ignored one stays ignored.
class Stops {
 public:
  Stops() {
    received = 0;
    struct sigaction action {};
    action.sa_handler = [](int signal) { received = signal; };  // waitpid() returns: no SA_RESTART
    for (std::size_t n = 0; n < kStops.size(); ++n) {
      sigaction(kStops[n], nullptr, &before_[n]);
      if (before_[n].sa_handler != SIG_IGN) sigaction(kStops[n], &action, nullptr);
    }
  }
  ~Stops() {
    for (std::size_t n = 0; n < kStops.size(); ++n) sigaction(kStops[n], &before_[n], nullptr);
  }
  Stops(const Stops&) = delete;
  Stops& operator=(const Stops&) = delete;

 private:
  std::array<struct sigaction, kStops.size()> before_{};
};

/// Starts work(n) in a process that is told to stop when this one ends, whatever ends it.
pid_t start(std::size_t n, const std::function<int(std::size_t)>& work) {
  std::fflush(nullptr);
  const pid_t parent = ::getpid(), child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
  if (child > 0) return child;
  for (const int signal : kStops)
    if (struct sigaction now{}; sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN)
      std::signal(signal, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(128 + SIGTERM);
  const int code = work(n);
  std::fflush(nullptr);
  ::_exit(code);
}

}  // namespace

bool work_beside(std::size_t count, int jobs, const std::function<int(std::size_t)>& work,
                 const std::function<void(std::size_t, int)>& done) {
  const Stops stops;
  std::map<pid_t, std::size_t> running;
  std::size_t next = 0;
  bool passed_on = false;
  std::exception_ptr failure;
  while (true) {
    try {
      for (; !failure && !received && next < count && running.size() < static_cast<std::size_t>(jobs); ++next)
        running.emplace(start(next, work), next);
    } catch (const std::system_error&) {
      failure = std::current_exception();
    }
    if (received && !passed_on) {
      for (const auto& [process, n] : running) ::kill(process, received);
      passed_on = true;
    }
    if (running.empty()) break;
    int status = 0;
    const pid_t ended = ::waitpid(-1, &status, 0);
    const auto entry = running.find(ended);
    if (entry == running.end()) continue;  // a signal arrived
    done(entry->second, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    running.erase(entry);
  }
  if (failure) std::rethrow_exception(failure);
  return received != 0;
}

}  // namespace halfstep
