#include "app/study/clocks.hpp"

#include <sys/time.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>

namespace halfstep {
namespace {

std::int64_t by_gettimeofday() {
  timeval now;
  ::gettimeofday(&now, nullptr);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + std::int64_t{now.tv_usec} * 1000;
}

std::int64_t by_clock() { return std::int64_t{std::clock()} * (1'000'000'000 / CLOCKS_PER_SEC); }

std::int64_t by_chrono() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

const std::array<Clock, 3>& clocks() {
  static const std::array<Clock, 3> all = {{{"gettimeofday", "wall time", by_gettimeofday},
                                            {"clock", "processor time of all threads", by_clock},
                                            {"chrono", "wall time", by_chrono}}};
  return all;
}

double cost_of(const Clock& clock) {
  constexpr int readings = 20'000;
  const std::int64_t began = by_chrono();
  for (int n = 0; n < readings; ++n) clock.nanoseconds();
  return seconds_between(began, by_chrono()) / readings;
}

double step_of(const Clock& clock) {
  constexpr int steps = 200;
  std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
  for (int n = 0; n < steps; ++n) {
    const std::int64_t from = clock.nanoseconds();
    std::int64_t to = from;
    while (to == from) to = clock.nanoseconds();
    smallest = std::min(smallest, to - from);
  }
  return seconds_between(0, smallest);
}

}  // namespace halfstep
