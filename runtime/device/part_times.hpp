// Times each part of a piece of work by itself while requested, and does nothing otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#if defined(__CUDACC__)
#include <deque>

#include "memory.hpp"
#else
#include <omp.h>
#endif

namespace halfstep {

struct PartTime {
  std::string name;
  std::int64_t calls = 0;
  double seconds = 0;  ///< of all calls
};

/// Adds a call to the part of that name, which is appended if it is new.
inline void add_call(std::vector<PartTime>& parts, const char* name, double seconds) {
  std::size_t n = 0;
  while (n < parts.size() && parts[n].name != name) ++n;
  if (n == parts.size()) parts.push_back({.name = name});
  parts[n].calls += 1;
  parts[n].seconds += seconds;
}

#if defined(__CUDACC__)

/// Times parts with two events around each kernel.
class PartsByEvents {
 public:
  void start() { wanted_ = true; }
  /// Calls `launch`, which must queue the work to the stream, and counts it as a call of the part.
  template <class Launch>
  void time(const char* part, cudaStream_t stream, const Launch& launch) {
    if (!wanted_) return launch();
    Call& call = calls_.emplace_back(part);
    call.began.record(stream);
    launch();
    call.ended.record(stream);
  }
  /// Waits for the work launched since start() and returns its times.
  std::vector<PartTime> stop() {
    std::vector<PartTime> parts;
    for (const Call& call : calls_) add_call(parts, call.part, call.ended.seconds_since(call.began));
    calls_.clear();
    wanted_ = false;
    return parts;
  }

 private:
  struct Call {
    explicit Call(const char* part) : part(part) {}
    const char* part;
    Event began, ended;
  };
  bool wanted_ = false;
  std::deque<Call> calls_;
};

#else

/// Times parts with the clock of the host.
class PartsByClock {
 public:
  void start() { wanted_ = true; }
  template <class Work>
  void time(const char* part, const Work& work) {
    if (!wanted_) return work();
    const double began = omp_get_wtime();
    work();
    add_call(parts_, part, omp_get_wtime() - began);
  }
  std::vector<PartTime> stop() {
    wanted_ = false;
    return std::exchange(parts_, {});
  }

 private:
  bool wanted_ = false;
  std::vector<PartTime> parts_;
};

#endif

}  // namespace halfstep
