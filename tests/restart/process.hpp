// A child process that can be sent signals.
#pragma once

#include <fcntl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace halfstep {

inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline void sleep_seconds(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

class Process {
 public:
  /// Starts the command and appends its output and errors to `log`. Throws std::runtime_error if it cannot
  /// fork.
  Process(const std::vector<std::string>& command, const std::filesystem::path& log) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    id_ = ::fork();
    if (id_ < 0) throw std::runtime_error("cannot start a process");
    if (id_ > 0) return;
    const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ~Process() {
    if (ended()) return;
    send(SIGKILL);
    wait();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const {
    if (!ended_) ::kill(id_, signal);
  }
  bool ended() {
    if (!ended_) ended_ = ::waitpid(id_, &status_, WNOHANG) == id_;
    return ended_;
  }
  /// Waits for the end. Returns the exit code, or minus the signal that ended the process.
  int wait() {
    if (!ended_) ::waitpid(id_, &status_, 0);
    ended_ = true;
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
  }
  /// Waits likewise, but kills the process after `seconds`.
  int wait(double seconds) {
    for (const double end = steady_seconds() + seconds; !ended() && steady_seconds() < end;)
      sleep_seconds(0.01);
    if (!ended()) send(SIGKILL);
    return wait();
  }

 private:
  pid_t id_;
  bool ended_ = false;
  int status_ = 0;
};

}  // namespace halfstep
