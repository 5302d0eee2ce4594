// Signals to a run: SIGINT, SIGTERM and SIGHUP stop it with a checkpoint, SIGUSR1 writes one and goes on.
#pragma once

#include <atomic>
#include <csignal>

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
  static void receive(int signal) {
    if (signal == SIGUSR1)
      checkpoint_ = true;
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
  /// Whether SIGUSR1 arrived since the last call.
  static bool take_checkpoint() { return checkpoint_ && checkpoint_.exchange(false); }

 private:
  static inline std::atomic<Solver*> solver_ = nullptr;
  static inline std::atomic<int> stop_ = 0;
  static inline std::atomic<bool> checkpoint_ = false;
  static_assert(std::atomic<Solver*>::is_always_lock_free && std::atomic<int>::is_always_lock_free &&
                std::atomic<bool>::is_always_lock_free);
};

}  // namespace halfstep
