// SIGINT and SIGTERM ask the run to stop at the next step.
#pragma once

#include <csignal>

namespace halfstep {

/// Installs the handlers for the life of the object; afterwards the signals do what they did before. One at a
/// time.
class StopSignals {
 public:
  StopSignals() {
    received_ = 0;
    for (int n = 0; n < 2; ++n) {
      struct sigaction action {};
      action.sa_handler = [](int signal) { received_ = signal; };
      sigaction(kSignals[n], &action, &before_[n]);
    }
  }
  ~StopSignals() {
    for (int n = 0; n < 2; ++n) sigaction(kSignals[n], &before_[n], nullptr);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// "SIGINT" or "SIGTERM", or nullptr where none came.
  static const char* received() {
    return received_ == 0 ? nullptr : received_ == SIGINT ? "SIGINT" : "SIGTERM";
  }

 private:
  static constexpr int kSignals[2] = {SIGINT, SIGTERM};
  static inline volatile std::sig_atomic_t received_ = 0;
  struct sigaction before_[2]{};
};

}  // namespace halfstep
