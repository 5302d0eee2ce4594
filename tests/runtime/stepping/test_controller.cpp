// The step controller as pure logic: the halving ladder, regrowth, landing.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/stepping/controller.hpp"

using namespace halfstep;

namespace {

/// Accepts one step and returns its plan.
StepPlan step(StepState& state, const StepLimits& limits, double rate) {
  const StepPlan plan = plan_step(state, limits, rate);
  accept_step(state, limits, plan);
  return plan;
}

/// Rejects an attempt; returns whether there is another.
bool retries(StepState& state, const StepLimits& limits, Cure cure, double rate = 1) {
  return reject_step(state, limits, plan_step(state, limits, rate), cure);
}

/// Rejects an attempt and returns the plan of its redo.
StepPlan reject(StepState& state, const StepLimits& limits, double rate) {
  REQUIRE(retries(state, limits, Cure::any, rate));
  return plan_step(state, limits, rate);
}

/// A run to its end, at a CFL rate of rate + swing sin(step).
struct Run {
  StepState state;
  StepPlan last;
  std::vector<double> outputs;  ///< the times of the steps that landed on one

  Run(const StepLimits& limits, double rate, double swing = 0) {
    while (!run_finished(state, limits)) {
      REQUIRE(state.step < 10000);
      last = step(state, limits, rate + swing * std::sin(double(state.step)));
      REQUIRE(last.dt > 0);
      REQUIRE(last.time_after > last.time_after - last.dt);
      if (last.lands_on_output) outputs.push_back(state.time);
    }
  }
};

/// Returns the dt of each step that a script takes: `s` is an accepted one, `r` a rejected attempt.
std::vector<double> taken(const StepLimits& limits, const char* script, StepState state = {}) {
  std::vector<double> all;
  for (; *script; ++script)
    if (*script == 'r')
      reject(state, limits, 1);
    else
      all.push_back(step(state, limits, 1).dt);
  return all;
}

}  // namespace

TEST_CASE("dt is the Courant number over the CFL rate") {
  const StepLimits limits{.end = 100, .cfl = 0.5};
  StepState state;
  const StepPlan plan = step(state, limits, 4);
  CHECK(plan.dt == 0.125);
  CHECK(plan.time_after == 0.125);
  CHECK_FALSE(plan.lands_on_end);
  CHECK_FALSE(plan.lands_on_output);
  CHECK(state.time == 0.125);
  CHECK(state.step == 1);
  CHECK(plan_step(state, limits, 8).dt == 0.0625);
}

TEST_CASE("a fixed dt alone is the ceiling, whatever the CFL rate") {
  const StepLimits limits{.end = 100, .cfl = 0.5, .fixed_dt = 0.75};
  const StepState state;
  for (const double rate : {1e-9, 1.0, 1e9}) CHECK(plan_step(state, limits, rate).dt == 0.75);
}

TEST_CASE("the last step lands on the end to the last bit") {
  for (const double end : {0.2, 1.0 / 3, 0.15, 6.0}) {
    const Run run({.end = end, .cfl = 0.4}, 3.7, 1);
    CHECK(run.state.time == end);
    CHECK(run.last.lands_on_end);
  }
}

TEST_CASE("a landing step ends at its target, not at the sum of time and dt") {
  int apart = 0;
  for (int n = 1; n < 2000; ++n) {
    const StepLimits limits{.end = 0.6 + 1e-4 * n, .fixed_dt = 10};
    StepState state;
    state.time = 0.13 + 6e-5 * n;
    const StepPlan plan = plan_step(state, limits, 1);
    apart += state.time + plan.dt != limits.end;  // round-off: the sum misses now and then
    REQUIRE(plan.lands_on_end);
    REQUIRE(plan.time_after == limits.end);
  }
  CHECK(apart > 0);
}

TEST_CASE("every output time is landed on to the last bit and none is missed") {
  const Run run({.end = 1, .cfl = 0.4, .output_every = 0.05}, 17.3, 5);
  REQUIRE(run.outputs.size() == 20);
  for (int k = 1; k <= 20; ++k) CHECK(run.outputs[k - 1] == k * 0.05);
  CHECK(run.state.time == 1);
}

TEST_CASE("an output time just past the end for round-off is the end") {
  // 3 * 0.1 is a little more than 0.3.
  const Run run({.end = 0.3, .cfl = 0.4, .output_every = 0.1}, 20);
  CHECK(run.outputs.size() == 3);
  CHECK(run.last.lands_on_end);
  CHECK(run.last.lands_on_output);
  CHECK(run.state.time == 0.3);
}

TEST_CASE("outputs that do not divide the end leave a last step that is no output") {
  const Run run({.end = 0.5, .cfl = 0.4, .output_every = 0.2}, 10);
  CHECK(run.outputs == std::vector<double>{0.2, 2 * 0.2});
  CHECK(run.last.lands_on_end);
  CHECK_FALSE(run.last.lands_on_output);
}

TEST_CASE("round-off leaves no sliver of a step") {
  // The sum of ten steps of 0.1 misses 1: the last step must take the rest with it, not leave 1e-16.
  for (const double dt : {0.1, 0.01, 0.001, 1.0 / 3, 1.0 / 7}) {
    const StepLimits limits{.end = 1, .fixed_dt = dt};
    StepState state;
    while (!run_finished(state, limits)) {
      const StepPlan plan = step(state, limits, 1);
      REQUIRE(plan.dt > 0.999 * dt);
      REQUIRE(plan.dt < 1.001 * dt);
    }
    CHECK(state.time == 1);
    CHECK(state.step == std::lround(1 / dt));
  }
}

TEST_CASE("each rejection halves the step and leaves the time alone") {
  const StepLimits limits{.end = 100, .fixed_dt = 1, .max_halvings = 5};
  StepState state;
  double expected = 1;
  for (int n = 1; n <= 5; ++n) {
    expected /= 2;
    CHECK(reject(state, limits, 1).dt == expected);
    CHECK(state.halvings == n);
    CHECK(state.time == 0);
    CHECK(state.step == 0);
  }
}

TEST_CASE("dt is halved to ceiling / 2^max_halvings and no further, over however many steps") {
  const StepLimits limits{
      .end = 100, .fixed_dt = 1, .max_halvings = 2, .regrow_after = 100, .last_remedy = Remedy::none};
  StepState state;
  reject(state, limits, 1);
  step(state, limits, 1);
  CHECK(state.halvings == 0);
  CHECK(plan_step(state, limits, 1).dt == 0.5);  // the level stays
  CHECK(reject(state, limits, 1).dt == 0.25);
  const StepState before = state;
  CHECK_FALSE(retries(state, limits, Cure::any));
  CHECK(state.halvings == before.halvings);
  CHECK(state.level == before.level);
  step(state, limits, 1);
  CHECK(state.level == 2);
  CHECK_FALSE(retries(state, limits, Cure::any));
  CHECK_FALSE(retries(state, limits, Cure::shorter_step));

  const StepLimits never{.end = 100, .fixed_dt = 1, .max_halvings = 0, .last_remedy = Remedy::none};
  for (const Cure cure : {Cure::any, Cure::shorter_step}) {
    StepState fresh;
    CHECK_FALSE(retries(fresh, never, cure));
  }
}

TEST_CASE("a first step from a Courant number is halved as often as it overruns, the level is not") {
  StepLimits limits{.end = 100, .cfl = 1, .max_halvings = 8, .last_remedy = Remedy::floor};
  StepState state;
  for (int n = 1; n <= 8; ++n) reject(state, limits, 1);
  StepState unphysical = state;
  REQUIRE(reject_step(unphysical, limits, plan_step(state, limits, 1), Cure::any));
  CHECK(unphysical.remedy == Remedy::first_order);

  StepState endless = state;
  int halvings = 0;
  for (; endless.remedy == Remedy::none; halvings = std::max(halvings, endless.halvings))
    REQUIRE(retries(endless, limits, Cure::shorter_step));
  CHECK(halvings > 40);
  CHECK(halvings < 60);
  for (int n = 9; n <= 11; ++n) REQUIRE(retries(state, limits, Cure::shorter_step));
  CHECK(step(state, limits, 1).dt == std::ldexp(1, -11));
  CHECK(state.level == 8);
  CHECK_FALSE(retries(state, limits, Cure::shorter_step));

  // A dt given by the deck may be halved as often as the deck says, and so may a step without a remedy.
  StepState fixed, alone;
  StepLimits of_fixed = limits, of_none = limits;
  of_fixed.fixed_dt = 1;
  of_none.last_remedy = Remedy::none;
  for (int n = 1; n <= 8; ++n) {
    REQUIRE(retries(fixed, of_fixed, Cure::shorter_step));
    REQUIRE(retries(alone, of_none, Cure::any));
  }
  CHECK_FALSE(retries(fixed, of_fixed, Cure::shorter_step));
  CHECK_FALSE(retries(alone, of_none, Cure::any));
}

TEST_CASE("a Courant number beyond all reason is halved from the length of the run") {
  const StepLimits limits{.end = 0.5, .cfl = 1e300, .max_halvings = 4, .regrow_after = 100};
  StepState state;
  for (int n = 0; n < 3; ++n) reject(state, limits, 300);
  CHECK(step(state, limits, 300).dt == 0.0625);
  CHECK(step(state, limits, 300).dt == 0.0625);  // not halved from the rest of the run again
}

TEST_CASE("after regrow_after accepted steps dt doubles, to its ceiling; a rejection counts anew") {
  const StepLimits limits{.end = 1000, .fixed_dt = 1, .regrow_after = 3};
  CHECK(taken(limits, "rrsssssssss") == std::vector<double>{0.25, 0.25, 0.25, 0.5, 0.5, 0.5, 1, 1, 1});
  CHECK(taken(limits, "rssrsssssss") == std::vector<double>{0.5, 0.5, 0.25, 0.25, 0.25, 0.5, 0.5, 0.5, 1});
}

TEST_CASE("the ceiling follows the flow while the level stays") {
  const StepLimits limits{.end = 1000, .cfl = 0.4, .regrow_after = 100};
  StepState state;
  reject(state, limits, 1);
  CHECK(step(state, limits, 1).dt == 0.2);
  CHECK(step(state, limits, 2).dt == 0.1);
}

TEST_CASE("a rejected step that would have landed is halved from its own length") {
  // The first attempt is shortened to 0.3 to land on 1; its redo is 0.15, not half of the ceiling.
  const StepLimits limits{.end = 1, .fixed_dt = 0.7};
  StepState state;
  step(state, limits, 1);
  const double rest = 1 - 0.7;
  CHECK(plan_step(state, limits, 1).dt == rest);
  const StepPlan redo = reject(state, limits, 1);
  CHECK(redo.dt == rest / 2);
  CHECK_FALSE(redo.lands_on_end);
  CHECK(redo.time_after == state.time + rest / 2);
  accept_step(state, limits, redo);
  // The rest is within the halved ceiling of 0.35, so the step lands.
  const StepPlan last = plan_step(state, limits, 1);
  CHECK(last.lands_on_end);
  CHECK(last.time_after == 1);
  CHECK(last.dt == doctest::Approx(rest / 2).epsilon(1e-12));
}

TEST_CASE("a halved landing step does not skip its output") {
  const StepLimits limits{.end = 1, .fixed_dt = 0.5, .output_every = 0.25};
  StepState state;
  const StepPlan redo = reject(state, limits, 1);
  CHECK(redo.dt == 0.125);
  CHECK_FALSE(redo.lands_on_output);
  accept_step(state, limits, redo);
  CHECK(state.next_output == 1);
  const StepPlan landing = plan_step(state, limits, 1);
  CHECK(landing.lands_on_output);
  CHECK(landing.time_after == 0.25);
  accept_step(state, limits, landing);
  CHECK(state.next_output == 2);
}

TEST_CASE("a step that would vanish beside the time is not halved further") {
  const StepLimits limits{.end = 2, .fixed_dt = 1e-10, .max_halvings = 1000, .last_remedy = Remedy::none};
  StepState state;
  state.time = 1;
  int halvings = 0;
  while (retries(state, limits, Cure::any)) ++halvings;
  CHECK(halvings > 10);
  CHECK(halvings < 30);
  // The rest still advances the time.
  CHECK(plan_step(state, limits, 1).time_after > 1);
}

TEST_CASE("time never stands still") {
  const StepLimits limits{.end = 2, .cfl = 0.5};
  StepState state;
  state.time = 1;
  StepControl control = step_control(limits, state, 1e18);
  CHECK(control.plan.dt > 0);
  CHECK(stands_still(control.state, control.plan));
  CHECK_FALSE(finish_attempt(control, false, 1));
  CHECK(control.state.time == 1);
  CHECK_FALSE(stands_still(state, plan_step(state, limits, 1e14)));
  CHECK(stands_still(state, plan_step(state, limits, std::numeric_limits<double>::infinity())));
  state.time = std::nextafter(2, 0);  // to land is one unit in the last place, and time advances
  CHECK_FALSE(stands_still(state, plan_step(state, limits, 1)));
}

TEST_CASE("what a boundary lets in shortens the next step and is no overrun of the last") {
  const StepLimits limits{.end = 10, .cfl = 0.5, .cfl_limit = 1};
  StepControl control = step_control(limits, {}, 2);
  REQUIRE(finish_attempt(control, false, 2, 50));
  CHECK(control.cfl_rate == 50);
  CHECK(control.plan.dt == 0.01);
  REQUIRE(finish_attempt(control, false, 100, 50));
  CHECK(control.plan.dt == 0.005);
}

TEST_CASE("a run ends at its time or after its steps") {
  StepLimits limits{.end = 1, .max_steps = 3, .fixed_dt = 0.1};
  StepState state;
  for (int n = 0; n < 3; ++n) {
    CHECK_FALSE(run_finished(state, limits));
    step(state, limits, 1);
  }
  CHECK(run_finished(state, limits));
  limits.max_steps = 0;
  CHECK_FALSE(run_finished(state, limits));
  state.time = 1;
  CHECK(run_finished(state, limits));
}

TEST_CASE("a step overruns when waves cross more of a cell than the limit") {
  const StepLimits limits{.cfl_limit = 0.9};
  CHECK_FALSE(overruns(limits, {.dt = 0.1}, 9));
  CHECK(overruns(limits, {.dt = 0.1}, 9.1));
  CHECK_FALSE(overruns(StepLimits{.cfl_limit = 0}, {.dt = 0.1}, 1e9));
}

TEST_CASE("an output time that rounds to just below the end is the end") {
  // 3 * 0.009 is one ulp less than 0.027.
  const Run run({.end = 0.027, .fixed_dt = 1, .output_every = 0.009}, 1);
  CHECK(run.state.step == 3);
  CHECK(run.state.time == 0.027);
}

TEST_CASE("a run taken up with another output interval goes on to the next time of the new one") {
  CHECK(next_output_after(0.12, 0.01) == 13);
  CHECK(next_output_after(0.12, 0.05) == 3);
  CHECK(next_output_after(3 * 0.05, 0.05) == 4);
  CHECK(next_output_after(0, 0.05) == 1);
}

TEST_CASE("steps end at the multiples of every landing time, and an output interval keeps its own") {
  StepLimits limits{.end = 1, .fixed_dt = 0.07, .output_every = 0.25};
  limits.landings = {2, {0.1, 0.15}};
  std::vector<double> landed;
  StepState state;
  std::vector<double> outputs;
  for (StepPlan plan; !run_finished(state, limits);) {
    plan = step(state, limits, 1);
    if (plan.lands()) landed.push_back(state.time);
    if (plan.lands_on_output) outputs.push_back(state.time);
  }
  // 3 * 0.1 and 2 * 0.15, 6 * 0.1 and 4 * 0.15 differ by round-off: there is one step to both, none between.
  const std::vector<double> expected = {0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.45,
                                        0.5, 0.6,  0.7, 0.75, 0.8, 0.9, 1};
  REQUIRE(landed.size() == expected.size());
  for (std::size_t n = 0; n < landed.size(); ++n)
    CHECK(landed[n] == doctest::Approx(expected[n]).epsilon(1e-14));
  CHECK(outputs == std::vector<double>{0.25, 0.5, 0.75, 1});
  CHECK(state.time == 1);
}

TEST_CASE("every multiple of a landing time is reached once, also where it rounds, and also under halving") {
  for (const double every : {0.1, 0.3, 1.0 / 7, 0.009}) {
    StepLimits limits{.end = 27 * every, .cfl = 0.5};
    limits.landings = {1, {every}};
    StepState state;
    int reached = 0;
    while (!run_finished(state, limits)) {
      REQUIRE(state.step < 100000);
      if (state.step % 5 == 0) reject(state, limits, 40);
      const double before = state.time;
      step(state, limits, 40 + 7 * std::sin(double(state.step)));
      CHECK(state.time - before > 1e-9);
      reached += reaches_multiple(every, before, state.time);
    }
    CHECK(reached == 27);
    CHECK(state.time == limits.end);
  }
}

TEST_CASE("an end that is a multiple but for round-off is one, also for a run that goes on from there") {
  CHECK(3 * 0.1 > 0.3);
  CHECK(next_multiple(0.3, 0.1) == 4 * 0.1);
  CHECK(next_multiple(3 * 0.1, 0.1) == 4 * 0.1);
  CHECK(next_multiple(0.2999999, 0.1) == 3 * 0.1);
  for (int n = 1; n <= 200; ++n) {
    const double every = n / 1000.0;
    StepLimits limits{.end = 3 * n / 1000.0, .fixed_dt = 1};
    limits.landings = {1, {every}};
    StepState state;
    int reached = 0;
    for (const double end : {3 * n / 1000.0, 7 * n / 1000.0, 10 * n / 1000.0}) {
      limits.end = end;
      while (!run_finished(state, limits)) {
        const double before = state.time;
        step(state, limits, 1);
        reached += reaches_multiple(every, before, state.time);
      }
    }
    CHECK(reached == 10);
    CHECK(state.step == 10);
  }
}

TEST_CASE("a transient fault is redone with its own dt once, then halved") {
  const StepLimits limits{.end = 100, .fixed_dt = 1, .redo_same_dt = true};
  StepState state;
  CHECK(reject(state, limits, 1).dt == 1);
  CHECK(reject(state, limits, 1).dt == 0.5);
  accept_step(state, limits, plan_step(state, limits, 1));
  CHECK(reject(state, limits, 1).dt == 0.5);  // halvings are counted anew for every step
}

TEST_CASE("remedies follow in their order, each from the dt of the first attempt") {
  const StepLimits limits{.end = 100, .fixed_dt = 1, .max_halvings = 2, .last_remedy = Remedy::floor};
  StepState state;
  std::vector<double> tried;
  std::vector<Remedy> remedies;
  do {
    tried.push_back(plan_step(state, limits, 1).dt);
    remedies.push_back(state.remedy);
  } while (retries(state, limits, Cure::any));
  CHECK(tried == std::vector<double>{1, 0.5, 0.25, 1, 0.5, 0.25, 1, 0.5, 0.25});
  const Remedy order[] = {Remedy::none, Remedy::first_order, Remedy::floor};
  for (int n = 0; n < 9; ++n) CHECK(remedies[n] == order[n / 3]);
  CHECK(state.rejections == 9);
}

TEST_CASE("the ladder of elements begins with their scaling, which is halved as others are") {
  StepLimits limits{.end = 100,
                    .fixed_dt = 1,
                    .max_halvings = 1,
                    .first_remedy = Remedy::scaling,
                    .last_remedy = Remedy::floor};
  StepState state;
  std::vector<std::pair<Remedy, double>> tried;
  do {
    tried.emplace_back(state.remedy, plan_step(state, limits, 1).dt);
  } while (retries(state, limits, Cure::any));
  CHECK(tried == std::vector<std::pair<Remedy, double>>{{Remedy::none, 1},
                                                        {Remedy::none, 0.5},
                                                        {Remedy::scaling, 1},
                                                        {Remedy::scaling, 0.5},
                                                        {Remedy::first_order, 1},
                                                        {Remedy::first_order, 0.5},
                                                        {Remedy::floor, 1},
                                                        {Remedy::floor, 0.5}});
  limits.last_remedy = Remedy::scaling;
  StepState alone;
  REQUIRE(retries(alone, limits, Cure::remedy));
  CHECK(alone.remedy == Remedy::scaling);
  CHECK_FALSE(retries(alone, limits, Cure::remedy));
}

TEST_CASE("of elements, too, the remedy that has helped is tried first") {
  const StepLimits limits{
      .end = 100, .fixed_dt = 1, .first_remedy = Remedy::scaling, .last_remedy = Remedy::first_order};
  for (const auto& [helped, next] : {std::pair(Remedy::scaling, Remedy::scaling),
                                     {Remedy::first_order, Remedy::first_order},
                                     {Remedy::floor, Remedy::first_order}}) {
    StepState state;
    state.remembered = 3;
    state.last_helped = helped;
    REQUIRE(retries(state, limits, Cure::any));
    CHECK(state.remedy == next);
  }
}

TEST_CASE("what no dt can cure gets a remedy at once, what only dt can cure gets it last") {
  const StepLimits limits{.end = 100, .fixed_dt = 1, .max_halvings = 2, .last_remedy = Remedy::first_order};
  StepState state;
  REQUIRE(retries(state, limits, Cure::remedy));
  CHECK(state.remedy == Remedy::first_order);
  CHECK(plan_step(state, limits, 1).dt == 1);
  CHECK_FALSE(retries(state, limits, Cure::remedy));

  // Near a step that took a remedy, an error that a remedy may cure gets it first, an error of dt does not.
  StepState later;
  later.remembered = 3;
  later.last_helped = Remedy::first_order;
  StepState other = later;
  REQUIRE(retries(later, limits, Cure::shorter_step));
  CHECK(later.remedy == Remedy::none);
  CHECK(later.halvings == 1);
  REQUIRE(retries(other, limits, Cure::any));
  CHECK(other.remedy == Remedy::first_order);
  CHECK(other.halvings == 0);
}

TEST_CASE("a step that overruns goes on to the remedies if it failed otherwise before, else has none") {
  const StepLimits limits{.end = 100, .fixed_dt = 1, .max_halvings = 2, .last_remedy = Remedy::floor};
  StepState state;
  state.step = 5;
  REQUIRE(retries(state, limits, Cure::any));
  REQUIRE(retries(state, limits, Cure::any));
  REQUIRE(retries(state, limits, Cure::shorter_step));
  CHECK(state.remedy == Remedy::first_order);
  CHECK(plan_step(state, limits, 1).dt == 1);
  for (const Remedy remedy : {Remedy::first_order, Remedy::floor})
    for (int halvings = 1; halvings <= 2; ++halvings) {
      if (remedy == Remedy::floor && halvings == 1) REQUIRE(retries(state, limits, Cure::shorter_step));
      REQUIRE(retries(state, limits, Cure::shorter_step));
      CHECK(state.remedy == remedy);
      CHECK(state.halvings == halvings);
    }
  CHECK_FALSE(retries(state, limits, Cure::shorter_step));

  StepState of_dt;
  of_dt.step = 5;
  REQUIRE(retries(of_dt, limits, Cure::shorter_step));
  REQUIRE(retries(of_dt, limits, Cure::shorter_step));
  CHECK_FALSE(retries(of_dt, limits, Cure::shorter_step));
  CHECK(of_dt.remedy == Remedy::none);
}

TEST_CASE("a remedy remembered from before a restart is not one that the deck no longer allows") {
  const StepLimits limits{.end = 100, .fixed_dt = 1, .last_remedy = Remedy::first_order};
  StepState state;
  state.remembered = 3;
  state.last_helped = Remedy::floor;
  REQUIRE(retries(state, limits, Cure::any));
  CHECK(state.remedy == Remedy::first_order);
}

TEST_CASE("a remedy that helps at the full dt gives later steps their full length back") {
  const StepLimits limits{
      .end = 100, .fixed_dt = 1, .max_halvings = 3, .regrow_after = 2, .last_remedy = Remedy::floor};
  StepState state;
  reject(state, limits, 1);
  reject(state, limits, 1);
  step(state, limits, 1);  // at 1/4
  CHECK(state.level == 2);
  reject(state, limits, 1);  // 1/8, as far as halving goes with a remedy at hand
  const StepPlan remedied = reject(state, limits, 1);
  CHECK(state.remedy == Remedy::first_order);
  CHECK(remedied.dt == 0.25);
  accept_step(state, limits, remedied);
  CHECK(plan_step(state, limits, 1).dt == 1);
  CHECK(state.last_helped == Remedy::first_order);
  CHECK(state.remembered == 2);
  step(state, limits, 1);
  step(state, limits, 1);
  CHECK(state.remembered == 0);  // forgotten after as many steps as dt takes to double
}

TEST_CASE("a step settles as it was planned, and its verdict is one") {
  const StepLimits limits{.end = 10, .cfl = 0.5, .output_every = 1, .cfl_limit = 1};
  StepControl control = step_control(limits, {}, 2);
  CHECK(control.plan.dt == 0.25);
  CHECK_FALSE(finish_attempt(control, true, 2));
  CHECK(control.state.step == 0);
  CHECK_FALSE(finish_attempt(control, false, 4.1));  // waves now cross more than a cell
  REQUIRE(finish_attempt(control, false, 4));
  CHECK(control.state.time == 0.25);
  CHECK(control.cfl_rate == 4);
  CHECK(control.plan.dt == 0.125);
  CHECK_FALSE(rests_after(control.plan, control.state, limits));
  control.state.time = 0.875;
  control.plan = plan_step(control.state, limits, 4);
  const StepPlan landing = control.plan;
  REQUIRE(finish_attempt(control, false, 4));
  CHECK(rests_after(landing, control.state, limits));
}
