// What the steps of a rank have cost it so far, and that on its way to the first rank.
#pragma once

#include <array>
#include <chrono>
#include <cstdio>
#include <type_traits>

#include "physics/solver/solver.hpp"
#include "runtime/exchange/ranks.hpp"

namespace halfstep {

/// Adds up the wall time and the messages of calls to the solver of a block.
class StepCost {
 public:
  explicit StepCost(const Solver& block) : block_(block) {}

  /// Measures from its construction to its end.
  class Part {
   public:
    explicit Part(StepCost& cost) : cost_(cost), before_(cost.block_.traffic()) {}
    ~Part() { cost_.add(began_, before_); }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    StepCost& cost_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    exchange::Traffic before_;
  };

  /// Returns the report of this rank.
  exchange::RankReport report(int rank) const {
    const bool on_host = block_.backend() == "host";
    return {rank, exchange::Ranks::machine(), on_host ? "host" : block_.device_name(), seconds_, traffic_};
  }

 private:
  void add(std::chrono::steady_clock::time_point began, const exchange::Traffic& before) {
    const exchange::Traffic now = block_.traffic();
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    exchange::Traffic own{now.bytes_sent - before.bytes_sent, {}};
    if (now.seconds_waited) own.seconds_waited = *now.seconds_waited - *before.seconds_waited;
    traffic_ = traffic_ + own;
  }

  const Solver& block_;
  double seconds_ = 0;
  exchange::Traffic traffic_{0, 0.0};
};

/// A report as bytes.
struct SentReport {
  std::array<char, 256> host, device;
  double seconds;
  exchange::Traffic traffic;
};
static_assert(std::is_trivially_copyable_v<SentReport>, "it is sent as bytes");

inline void send_report(const exchange::RankReport& report, const exchange::Ranks& ranks, int to) {
  SentReport sent{{}, {}, report.seconds, report.traffic};
  std::snprintf(sent.host.data(), sent.host.size(), "%s", report.host.c_str());
  std::snprintf(sent.device.data(), sent.device.size(), "%s", report.device.c_str());
  ranks.send(&sent, sizeof sent, to);
}

inline exchange::RankReport received_report(const exchange::Ranks& ranks, int from) {
  SentReport sent{};
  ranks.receive(&sent, sizeof sent, from);
  return {from, sent.host.data(), sent.device.data(), sent.seconds, sent.traffic};
}

}  // namespace halfstep
