// The substeps of a step and the levels of the buffers.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "physics/solver/stage_arguments.hpp"
#include "physics/stage/integrator.hpp"
#include "physics/stage/substeps.hpp"

using namespace halfstep;

namespace {

constexpr Integrator kAll[] = {Integrator::euler, Integrator::ssprk2, Integrator::ssprk3, Integrator::ssprk4};

template <class F>
void for_every_start(F f) {
  for (const Integrator integrator : kAll)
    for (const bool has_source : {false, true})
      for (const int states : {2, 3})
        for (int start = 0; start < states; ++start) f(TimeLevels{{integrator, has_source}, start, states});
}

}  // namespace

TEST_CASE(
    "no substep writes U^n, its own input or what later stages start from, whichever buffer holds U^n") {
  for_every_start([](const TimeLevels& r) {
    CHECK(r.input(1) == r.start);
    for (int substep = 1; substep <= r.substeps.count(); ++substep) {
      CHECK(r.output(substep) >= 0);
      CHECK(r.output(substep) < r.buffers());
      CHECK(r.output(substep) != r.start);
      CHECK(r.output(substep) != r.input(substep));
      if (substep > 1) CHECK(r.input(substep) == r.output(substep - 1));
      if (substep > 1 && !r.substeps.is_source(substep)) CHECK(r.output(substep) != r.stages_start());
      if (r.has_last_start(substep)) CHECK(r.output(substep) != r.last_start());
    }
  });
}

TEST_CASE("accepting makes the last substep's output U^n and moves nothing else") {
  for_every_start([](TimeLevels r) {
    const int last = r.output(r.substeps.count());
    r.accept();
    CHECK(r.start == last);
    CHECK(r.input(1) == last);
  });
}

TEST_CASE("between two steps the last states are there, and within a step all of them but the earliest") {
  for_every_start([](TimeLevels r) {
    std::vector<int> held;  // the buffers of U^n and of the states before it
    for (int steps = 0; steps < r.states; ++steps) held.push_back(r.past(steps));
    CHECK(held.front() == r.start);
    for (int substep = 1; substep <= r.substeps.count(); ++substep)
      for (int steps = 0; steps < r.states - 1; ++steps) CHECK(r.output(substep) != held[steps]);
    r.accept();
    for (int steps = 1; steps < r.states; ++steps) CHECK(r.past(steps) == held[steps - 1]);
  });
}

TEST_CASE("a source comes before and after the stages") {
  const Substeps split{Integrator::ssprk2, true}, plain{Integrator::ssprk2, false};
  CHECK(split.count() == 4);
  CHECK(plain.count() == 2);
  CHECK(split.is_source(1));
  CHECK(split.is_source(4));
  for (int stage = 1; stage <= 2; ++stage) {
    CHECK_FALSE(split.is_source(split.substep_of(stage)));
    CHECK_FALSE(plain.is_source(stage));
    CHECK(split.stage(split.substep_of(stage)) == stage);
    CHECK(plain.stage(plain.substep_of(stage)) == stage);
  }
  // A half of the source belongs to the stage beside it.
  CHECK(split.stage(1) == 1);
  CHECK(split.stage(4) == 2);
}

TEST_CASE("the output of a substep has the time at which it is taken up") {
  const StepPlan plan{.dt = 0.25, .time_after = 1.3, .lands_on_output = true, .lands_on_end = false};
  const Substeps split{Integrator::ssprk3, true}, plain{Integrator::ssprk3, false};
  CHECK(output_time(plain, 1, 1.0, plan) == 1.25);
  CHECK(output_time(plain, 2, 1.0, plan) == 1.125);
  CHECK(output_time(plain, 3, 1.0, plan) == 1.3);
  CHECK(output_time(split, 1, 1.0, plan) == 1.0);
  for (int stage = 1; stage <= 3; ++stage)
    CHECK(output_time(split, stage + 1, 1.0, plan) == output_time(plain, stage, 1.0, plan));
  CHECK(output_time(split, 5, 1.0, plan) == 1.3);
}

TEST_CASE("the last stage of ssprk4 starts from a state of its own, made of the middle stage's output") {
  for (const bool has_source : {false, true}) {
    const TimeLevels levels{{Integrator::ssprk4, has_source}};
    for (int stage = 1; stage <= 10; ++stage) {
      const int substep = levels.substeps.substep_of(stage);
      CHECK(levels.has_last_start(substep) == (stage > kMiddleStage));
      CHECK(levels.start_of(substep) == (stage == 10 ? levels.last_start() : levels.stages_start()));
    }
    for (const int buffer : {levels.start, levels.stages_start(), levels.output(1), levels.output(2)})
      CHECK(buffer != levels.last_start());
  }
  CHECK(last_start(0.1, 0.1, 0.0) == 0.1);
  CHECK(last_start(1.0, 3.0, 0.0) == 9 * 3.0 / 4 - 5.0 / 4);
  // 6.75 units more than 1.5: rounded down where the dither says so.
  const float unit = std::numeric_limits<float>::epsilon(), middle = 1.5f + 3 * unit;
  CHECK(last_start(1.5f, middle, 0.0f) == 1.5f + 7 * unit);
  CHECK(last_start(1.5f, middle, -0x1.8p-25f) == 1.5f + 6 * unit);
}

namespace {

/// Returns the error at t = 1 of u' = (1 + cos 3t) u, u(0) = 1, in steps of length dt.
double error_of_steps(Integrator integrator, int steps) {
  const double dt = 1.0 / steps, h = stage_dt({integrator}, dt);
  double u = 1;
  for (int step = 0; step < steps; ++step) {
    double in = u, start_of_last = u;
    for (int stage = 1; stage <= stage_count(integrator); ++stage) {
      const StageWeights w = stage_weights(integrator, stage);
      const double start = has_middle(integrator) && stage == stage_count(integrator) ? start_of_last : u;
      const double rate = 1 + std::cos(3 * (step + w.time) * dt);
      in = w.alpha * start + (1 - w.alpha) * (in + h * rate * in);
      if (has_middle(integrator) && stage == kMiddleStage) start_of_last = last_start(u, in, 0.0);
    }
    u = in;
  }
  return std::abs(u - std::exp(1 + std::sin(3.0) / 3));
}

}  // namespace

TEST_CASE("integrators have their orders, in the times of their stages as well") {
  for (int n = 0; n < 4; ++n) {
    const double order = std::log2(error_of_steps(kAll[n], 40) / error_of_steps(kAll[n], 80));
    CHECK(order == doctest::Approx(n + 1).epsilon(0.05));
  }
}

TEST_CASE("what stages add makes the whole step") {
  for (const Integrator integrator : kAll) {
    double all = 0;
    for (int stage = 1; stage <= stage_count(integrator); ++stage)
      all += weight_in_result(integrator, stage) * (1 - stage_weights(integrator, stage).alpha);
    CHECK(all == doctest::Approx(stages_in_step(integrator)).epsilon(1e-15));
  }
  CHECK(weight_in_result(Integrator::ssprk4, kMiddleStage) == doctest::Approx(1.5));
}

TEST_CASE_TEMPLATE("a stage keeps equal states to the last bit, and its terms weigh what its fluxes do", Real,
                   float, double) {
  Real memory = 0, *const buffers[5] = {&memory, &memory, &memory, &memory, &memory};
  const Layout layout({1, 1, 1}, {0, 0, 0}, kFields);
  Problem problem;
  const auto check = [&](Integrator integrator, const TimeLevels& levels, int substep) {
    problem.scheme.integrator = integrator;
    const auto a = stage_arguments<Real>(problem, layout, levels, buffers, 1, 3, substep);
    const double alpha = stage_weights(integrator, substep).alpha;
    const Real state = Real(1.1), term = Real(0.01);
    const auto result = [&](Real start) { return updated(a, a.dt, start, state, Real(0)); };
    CHECK(a.beta == doctest::Approx(1 - alpha));
    CHECK((a.start != nullptr) == (alpha > 0));
    const Real start = alpha > 0 ? state : Real(0);
    CHECK(result(start) == state);
    CHECK((result(start + a.weight_in_start * term) - state) / term ==
          doctest::Approx(1 - alpha).epsilon(1e3 * std::numeric_limits<Real>::epsilon()));
  };
  for (const Integrator integrator : kAll) {
    const TimeLevels levels{{integrator, false}, 0};
    for (int substep = 1; substep <= levels.substeps.count(); ++substep) check(integrator, levels, substep);
  }
}
