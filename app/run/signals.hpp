// Signals to a run: SIGINT, SIGTERM and SIGHUP stop it with a checkpoint, SIGUSR1 writes one and goes on.
#pragma once

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <optional>

#include "physics/solver/solver.hpp"

namespace halfstep {

class RunSignals {
 public:
  /// Installs the handlers for the rest of the process, so that a second signal while the run is stopping
  /// changes nothing. A SIGHUP ignored by nohup stays ignored.
  static void install() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
      struct sigaction present {};
      sigaction(signal, nullptr, &present);
      if (signal == SIGHUP && present.sa_handler == SIG_IGN) continue;
      struct sigaction action {};
      action.sa_flags = SA_RESTART;
      action.sa_handler = receive;
      sigaction(signal, &action, nullptr);
    }
  }

  /// Notes a signal.
  static void receive(int signal) { receive(signal, milliseconds()); }
  /// Notes one that arrived at `when`, in milliseconds since 1970.
  static void receive(int signal, std::int64_t when) {
    if (signal == SIGUSR1)
      checkpoint_ = std::max<std::int64_t>(checkpoint_, when);
    else
      stop_ = signal;
    if (Solver* const solver = solver_) solver->pause();
  }

  /// While the object lives, a signal ends the solver's current slice early, so that a request does not wait
  /// for it.
  class Pausing {
   public:
    explicit Pausing(Solver& solver) { solver_ = &solver; }
    ~Pausing() { solver_ = nullptr; }
    Pausing(const Pausing&) = delete;
    Pausing& operator=(const Pausing&) = delete;
  };

  /// Returns "SIGINT", "SIGTERM" or "SIGHUP", or nullptr if none arrived.
  static const char* stop() {
    const int received = stop_;
    if (received == 0) return nullptr;
    return received == SIGINT ? "SIGINT" : received == SIGHUP ? "SIGHUP" : "SIGTERM";
  }
  /// Returns when the last SIGUSR1 arrived, if one did since the last call.
  static std::optional<std::int64_t> take_checkpoint() {
    if (checkpoint_ == 0) return std::nullopt;
    return checkpoint_.exchange(0);
  }

  /// Returns the time since 1970.
  static std::int64_t milliseconds() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
  }

 private:
  static inline std::atomic<Solver*> solver_ = nullptr;
  static inline std::atomic<int> stop_ = 0;
  static inline std::atomic<std::int64_t> checkpoint_ = 0;  // 0: none
  static_assert(std::atomic<Solver*>::is_always_lock_free && std::atomic<int>::is_always_lock_free &&
                std::atomic<std::int64_t>::is_always_lock_free);
};

}  // namespace halfstep
