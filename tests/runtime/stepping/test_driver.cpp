// The time loop with a solver that only counts: how many attempts are under way when states are read.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "runtime/stepping/driver.hpp"

using namespace halfstep;

namespace {

struct CountedAttempt {
  std::uint64_t epoch;
  std::int64_t step;
  int number;
  Remedy remedy;
  bool wants_totals;
};

struct CountedVerdict {
  bool accepted;
  StepPlan plan;
  double cfl_rate;
};

/// Accepts every attempt, but for those at one step, the first time.
struct CountingSolver {
  std::int64_t fails_at = 0;
  std::deque<CountedAttempt> under_way = {};
  int most_under_way = 0;
  StepLimits limits = {};
  StepState state = {};

  void resume(const StepLimits& to, const StepState& from, double) {
    under_way.clear();
    limits = to;
    state = from;
  }
  void launch(const CountedAttempt& attempt) {
    under_way.push_back(attempt);
    most_under_way = std::max(most_under_way, static_cast<int>(under_way.size()));
  }
  bool advance() { return true; }
  CountedVerdict await() {
    const CountedAttempt attempt = under_way.front();
    under_way.pop_front();
    const CountedVerdict verdict{attempt.step != fails_at || attempt.number > 1, plan_step(state, limits, 1),
                                 1};
    if (verdict.accepted) accept_step(state, limits, verdict.plan);
    return verdict;
  }
  Cure diagnose() { return Cure::any; }
  int diagnosis() { return 0; }
};

/// Notes for each step whether its state was read at rest, and how many attempts were under way otherwise.
struct Reader : QuietObserver {
  const CountingSolver& solver;
  const StepState& state;
  std::int64_t every;
  struct Reading {
    std::int64_t step;
    std::size_t under_way;
  };
  std::vector<Reading> readings = {};

  Reader(const CountingSolver& by, const StepState& of, std::int64_t steps)
      : solver(by), state(of), every(steps) {}
  bool reads_after(std::int64_t step) const { return step % every == 0; }
  void at_rest() {
    if (reads_after(state.step)) read();
  }
  void read() { readings.push_back({state.step, solver.under_way.size()}); }
  void rejected(const StepPlan&, int, const StepPlan*) {}
};

}  // namespace

TEST_CASE("states that are read are those of the steps asked for, with at most one attempt under way") {
  for (const std::int64_t fails_at : {0, 6, 7})
    for (const std::int64_t every : {1, 3})
      for (const int depth : {1, 2, 8}) {
        CAPTURE(fails_at);
        CAPTURE(every);
        CAPTURE(depth);
        CountingSolver solver{.fails_at = fails_at};
        StepState state;
        Reader reader(solver, state, every);
        const StepLimits limits{.end = 100, .max_steps = 12, .fixed_dt = 0.125};
        double rate = 1;
        std::uint64_t epoch = 0;
        REQUIRE(drive<CountedAttempt>(solver, reader, limits, depth, state, rate, epoch) ==
                DriveEnd::finished);
        REQUIRE(std::ssize(reader.readings) == 12 / every);
        std::size_t beside = 0;
        for (std::size_t n = 0; n < reader.readings.size(); ++n) {
          CHECK(reader.readings[n].step == static_cast<std::int64_t>(n + 1) * every);
          CHECK(reader.readings[n].under_way <= 1);
          beside += reader.readings[n].under_way;
        }
        CHECK((beside > 0) == (depth > 1));  // so the device has something to do meanwhile
        CHECK(solver.most_under_way == std::min({depth, static_cast<int>(every) + 1}));
      }
}
