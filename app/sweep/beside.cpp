#include "app/sweep/beside.hpp"

#include <omp.h>
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

volatile std::sig_atomic_t received = 0;

/// While the object lives, signals that stop are noted, and they and the end of a process arrive in wait()
/// alone: none is lost between a look and a wait. An ignored one stays ignored.
class Signals {
 public:
  Signals() {
    received = 0;
    struct sigaction action {};
    sigset_t held;
    sigemptyset(&held);
    for (std::size_t n = 0; n < kHeld.size(); ++n) {
      sigaction(kHeld[n], nullptr, &before_[n]);
      const bool is_stop = kHeld[n] != SIGCHLD;
      if (is_stop && before_[n].sa_handler == SIG_IGN) continue;
      // An ignored SIGCHLD would keep the exit codes of processes from waitpid().
      action.sa_handler = is_stop ? [](int signal) { received = signal; } : [](int) {};
      sigaction(kHeld[n], &action, nullptr);
      sigaddset(&held, kHeld[n]);
    }
    sigprocmask(SIG_BLOCK, &held, &mask_);
  }
  ~Signals() {
    for (std::size_t n = 0; n < kHeld.size(); ++n) sigaction(kHeld[n], &before_[n], nullptr);
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// Waits for a signal.
  void wait() const { sigsuspend(&mask_); }

  /// Undoes it in a child process, where a signal that came meanwhile takes effect.
  void release() const {
    for (std::size_t n = 0; n < kHeld.size(); ++n)
      if (before_[n].sa_handler != SIG_IGN) std::signal(kHeld[n], SIG_DFL);
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }

 private:
  static constexpr std::array kHeld = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
  std::array<struct sigaction, kHeld.size()> before_{};
  sigset_t mask_{};
};

/// Starts work(n) in a process that is told to stop when this one ends, whatever ends it.
pid_t start(std::size_t n, const std::function<int(std::size_t)>& work, const Signals& signals) {
  std::fflush(nullptr);
  // Threads of OpenMP do not live on in a child, which would wait for them: its own begin anew.
  if (omp_pause_resource_all(omp_pause_hard) != 0)
    throw std::system_error(EBUSY, std::generic_category(),
                            "cannot end OpenMP's threads before a process starts");
  const pid_t parent = ::getpid(), child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
  if (child > 0) return child;
  signals.release();
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(128 + SIGTERM);
  const int code = work(n);
  std::fflush(nullptr);
  ::_exit(code);
}

}  // namespace

bool work_beside(std::size_t count, int jobs, const std::function<int(std::size_t)>& work,
                 const std::function<void(std::size_t, int)>& done) {
  const Signals signals;
  std::map<pid_t, std::size_t> running;
  std::size_t next = 0;
  bool passed_on = false;
  std::exception_ptr failure;
  while (true) {
    try {
      for (; !failure && !received && next < count && running.size() < static_cast<std::size_t>(jobs); ++next)
        running.emplace(start(next, work, signals), next);
    } catch (const std::system_error&) {
      failure = std::current_exception();
    }
    if (received && !passed_on) {
      for (const auto& [process, n] : running) ::kill(process, received);
      passed_on = true;
    }
    if (running.empty()) break;
    int status = 0;
    const pid_t ended = ::waitpid(-1, &status, WNOHANG);
    if (ended < 0) throw std::system_error(errno, std::generic_category(), "cannot wait for a process");
    if (ended == 0) signals.wait();
    const auto entry = running.find(ended);
    if (entry == running.end()) continue;
    done(entry->second, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    running.erase(entry);
  }
  if (failure) std::rethrow_exception(failure);
  return received != 0;
}

}  // namespace halfstep
