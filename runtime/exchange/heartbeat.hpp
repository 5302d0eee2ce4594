// A watch over ranks that stopped without dying: a stopped process, a machine that hangs or swaps. The ranks
// form a ring. A thread of each sends beats to the next rank and listens for those of the rank before it, so
// that a long computation, a long write or a wait for a device is no silence.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "runtime/exchange/ranks.hpp"

namespace halfstep::exchange {

class Heartbeat {
 public:
  /// Gets what is wrong with which rank, on the thread of this object; it must end the run.
  using Alarm = std::function<void(const std::string&)>;

  /// Begins to beat and to listen, on all ranks at once. `limit`: seconds of silence after which `alarm` is
  /// called. Silence is counted in the wake-ups of the thread that listens, so that a job that is suspended
  /// as a whole and resumed goes on.
  Heartbeat(const Ranks& ranks, double limit, Alarm alarm);
  /// Takes leave of the next rank and waits until the rank before this one does so, too, on all ranks at
  /// once. A rank that has taken leave is not taken for silent.
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  class Thread;
  std::unique_ptr<Thread> thread_;  // nullptr: one rank
};

}  // namespace halfstep::exchange
