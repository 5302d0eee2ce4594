// What signals ask of a run: SIGINT, SIGTERM and SIGHUP to stop with a checkpoint, SIGUSR1 to write one and
// go on.
#pragma once

#include <atomic>
#include <csignal>

#include "physics/solver.hpp"

namespace halfstep {

class RunSignals {
 public:
  /// From now to the end of the process, so that a second signal while the run is stopping, even in its last
  /// moment, changes nothing. A SIGHUP that nohup had ignored stays so.
  static void install() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
      struct sigaction present {};
      sigaction(signal, nullptr, &present);
      if (signal == SIGHUP && present.sa_handler == SIG_IGN) continue;
      struct sigaction action {};
      action.sa_flags = SA_RESTART;
      action.sa_handler = [](int received) {
        if (received == SIGUSR1)
          checkpoint_ = true;
        else
          stop_ = received;
        if (Solver* const solver = solver_) solver->pause();
      };
      sigaction(signal, &action, nullptr);
    }
  }

  /// For the life of the object a signal ends the slice early that `solver` is in, so that a request does not
  /// have to wait for it.
  class Pausing {
   public:
    explicit Pausing(Solver& solver) { solver_ = &solver; }
    ~Pausing() { solver_ = nullptr; }
    Pausing(const Pausing&) = delete;
    Pausing& operator=(const Pausing&) = delete;
  };

  /// "SIGINT", "SIGTERM" or "SIGHUP", or nullptr where none came.
  static const char* stop() {
    const int received = stop_;
    if (received == 0) return nullptr;
    return received == SIGINT ? "SIGINT" : received == SIGHUP ? "SIGHUP" : "SIGTERM";
  }
  /// Whether SIGUSR1 came since the last call.
  static bool take_checkpoint() { return checkpoint_ && checkpoint_.exchange(false); }

 private:
  static inline std::atomic<Solver*> solver_ = nullptr;
  static inline std::atomic<int> stop_ = 0;
  static inline std::atomic<bool> checkpoint_ = false;
  static_assert(std::atomic<Solver*>::is_always_lock_free && std::atomic<int>::is_always_lock_free &&
                std::atomic<bool>::is_always_lock_free);
};

}  // namespace halfstep
