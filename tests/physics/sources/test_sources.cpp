// The sub-integration of stiff sources: its order, its error, where it gives up, and its effect on a state.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/cases/exact/cooling.hpp"
#include "physics/cases/exact/inverted_integral.hpp"
#include "physics/gas/transport.hpp"
#include "physics/sources/source.hpp"
#include "physics/sources/sponge.hpp"
#include "tests/support/stretched.hpp"

using namespace halfstep;

namespace {

/// The equation y' = f(y) from two functions, f and its derivative; errors are relative to y.
template <class Rate, class Slope>
struct SomeOde {
  Rate f;
  Slope df;
  double rate(double y) const { return f(y); }
  double slope(double y) const { return df(y); }
  double scale(double y) const { return std::abs(y); }
};

template <class Ode>
InnerStep integrate(InnerIntegration& s, const Ode& ode, double span, double tolerance,
                    std::int64_t max_substeps = 100000) {
  InnerStep outcome = InnerStep::goes_on;
  while (outcome == InnerStep::goes_on) outcome = advance(s, ode, span, tolerance, max_substeps);
  return outcome;
}

/// Applies a cell's source over `span`, and REQUIREs that it comes to its end.
InnerIntegration apply(const Source& source, double gamma, double span, Conserved<double>& state,
                       double& reactant) {
  InnerIntegration s = begin_cell(source, state, reactant, gamma);
  InnerStep outcome = InnerStep::goes_on;
  while (outcome == InnerStep::goes_on) outcome = advance_cell(source, state, reactant, gamma, span, s);
  REQUIRE(outcome == InnerStep::done);
  finish_cell(source, s, gamma, state, reactant);
  return s;
}

Source cooling(double coefficient, double exponent, double equilibrium, double tolerance = 1e-6) {
  return {.kind = SourceKind::cooling,
          .tolerance = tolerance,
          .cooling = {coefficient, exponent, equilibrium},
          .reaction = {}};
}

Source reaction(double rate, double activation_energy, double heat_release, double tolerance = 1e-6) {
  return {.kind = SourceKind::reaction,
          .tolerance = tolerance,
          .cooling = {},
          .reaction = {rate, activation_energy, heat_release}};
}

/// Returns the exact Y after `time`: the time to reach Y is an integral over s = -ln Y.
double exact_mass_fraction(const Reaction& reaction, double temperature, double y, double gamma,
                           double time) {
  const InvertedIntegral elapsed(
      [&](double s) {
        const double t = temperature + (gamma - 1) * reaction.heat_release * y * -std::expm1(-s);
        return std::exp(reaction.activation_energy / t) / reaction.rate;
      },
      100);
  return y * std::exp(-elapsed.inverse(time));
}

}  // namespace

TEST_CASE("a Rosenbrock inner step is of third order, its error estimate of second") {
  // Solves y' = -y^3 from 2, which has a closed solution. (Riccati equations are solved too well to tell.)
  const SomeOde ode{[](double y) { return -y * y * y; }, [](double y) { return -3 * y * y; }};
  const auto exact = [](double t) { return 1 / std::sqrt(0.25 + 2 * t); };
  double previous = 0, previous_estimate = 0;
  for (const double h : {0.004, 0.002, 0.001}) {
    const RosenbrockStep step = rodas3(ode, 2.0, ode.rate(2), ode.slope(2), h);
    const double error = std::abs(step.value - exact(h)), estimate = std::abs(step.error);
    if (previous > 0) {
      CHECK(std::log2(previous / error) == doctest::Approx(4).epsilon(0.05));
      CHECK(std::log2(previous_estimate / estimate) == doctest::Approx(3).epsilon(0.05));
    }
    previous = error;
    previous_estimate = estimate;
  }
}

TEST_CASE("a Rosenbrock inner step damps what is infinitely stiff") {
  const SomeOde ode{[](double y) { return -1e12 * y; }, [](double) { return -1e12; }};
  const RosenbrockStep step = rodas3(ode, 1.0, ode.rate(1), -1e12, 1.0);
  CHECK(std::abs(step.value) < 1e-11);
}

TEST_CASE("a sub-integration lands on its span and keeps to its tolerance") {
  const SomeOde ode{[](double y) { return -y * y * y; }, [](double y) { return -3 * y * y; }};
  double previous_steps = 0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    CAPTURE(tolerance);
    InnerIntegration s{.value = 3};
    REQUIRE(integrate(s, ode, 0.7, tolerance) == InnerStep::done);
    CHECK(s.elapsed == 0.7);
    CHECK(s.value == doctest::Approx(1 / std::sqrt(1 / 9.0 + 1.4)).epsilon(3 * tolerance));
    CHECK(s.steps > previous_steps);  // the steps follow the tolerance
    previous_steps = static_cast<double>(s.steps);
    CHECK(advance(s, ode, 0.7, tolerance, 1) == InnerStep::done);  // a finished integration stays done
  }
}

TEST_CASE("the error of a inner step is measured against the smaller scale of its two ends") {
  const SomeOde falling{[](double y) { return -y * y * y; }, [](double y) { return -3 * y * y; }};
  const SomeOde growing{[](double y) { return y * y * y; }, [](double y) { return 3 * y * y; }};
  const auto check = [](const auto& ode) {
    const double start = 1, h = 0.2;
    const RosenbrockStep trial = rodas3(ode, start, ode.rate(start), ode.slope(start), h);
    const double smaller = std::min(ode.scale(start), ode.scale(trial.value));
    REQUIRE(std::max(ode.scale(start), ode.scale(trial.value)) > 1.1 * smaller);
    for (const double margin : {0.99, 1.01}) {
      InnerIntegration s{.value = start, .step = h, .steps = 1};
      advance(s, ode, 1, margin * std::abs(trial.error) / smaller, 100);
      CHECK(s.steps == 2);
      CHECK(s.elapsed == (margin > 1 ? h : 0));
    }
  };
  check(falling);
  check(growing);
}

TEST_CASE("a sub-integration of a rate of zero takes one inner step and changes no bit") {
  const SomeOde ode{[](double) { return 0.0; }, [](double) { return -1.0; }};
  InnerIntegration s{.value = 0.1};
  CHECK(integrate(s, ode, 5, 1e-6) == InnerStep::done);
  CHECK(s.steps == 1);
  CHECK(s.value == 0.1);
}

TEST_CASE("a sub-integration gives up at its limit, at what is not finite, and where time stands still") {
  const SomeOde decay{[](double y) { return -y; }, [](double) { return -1.0; }};
  InnerIntegration s{.value = 1};
  CHECK(integrate(s, decay, 1, 1e-10, 5) == InnerStep::gave_up);
  CHECK(s.steps == 5);

  InnerIntegration nan{.value = std::numeric_limits<double>::quiet_NaN()};
  CHECK(integrate(nan, decay, 1, 1e-6) == InnerStep::gave_up);
  CHECK(nan.steps == 0);

  // The solution of y' = y^2 from 1 is infinite at time 1.
  const SomeOde blow_up{[](double y) { return y * y; }, [](double y) { return 2 * y; }};
  InnerIntegration past{.value = 1};
  CHECK(integrate(past, blow_up, 1.5, 1e-6) == InnerStep::gave_up);
  CHECK(past.elapsed == doctest::Approx(1).epsilon(1e-5));
  InnerIntegration before{.value = 1};
  REQUIRE(integrate(before, blow_up, 0.99, 1e-8) == InnerStep::done);
  CHECK(before.value == doctest::Approx(100).epsilon(1e-4));

  // The solution of y' = -1 / y from 1 ends at time 1 / 2.
  const SomeOde vanishing{[](double y) { return y > 0 ? -1 / y : std::nan(""); },
                          [](double y) { return 1 / (y * y); }};
  InnerIntegration gone{.value = 1};
  CHECK(integrate(gone, vanishing, 0.6, 1e-6) == InnerStep::gave_up);
  CHECK(gone.elapsed == doctest::Approx(0.5).epsilon(1e-4));
}

TEST_CASE("a growing solution does not jump over the pole of the formula") {
  // The start is nearly at rest: the first inner step would be the whole span.
  const SomeOde logistic{[](double y) { return 50 * y * (1 - y); },
                         [](double y) { return 50 * (1 - 2 * y); }};
  InnerIntegration s{.value = 1e-12};
  REQUIRE(integrate(s, logistic, 0.6, 1e-8) == InnerStep::done);
  const double grown = 1e-12 * std::exp(50 * 0.6);
  CHECK(s.value == doctest::Approx(grown / (1 - 1e-12 + grown)).epsilon(1e-5));
}

TEST_CASE("an inverted integral goes there and back") {
  const InvertedIntegral x([](double s) { return 1 / (1 + s * s) + 0.1; }, 50);
  for (const double s : {0.0, 1e-9, 0.3, 1.0, 7.7, 49.0, 50.0}) {
    CAPTURE(s);
    CHECK(x.integral(s) == doctest::Approx(std::atan(s) + 0.1 * s).epsilon(1e-14));
    CHECK(x.inverse(x.integral(s)) == doctest::Approx(s).epsilon(1e-13));
  }
  CHECK(x.integral(60) == doctest::Approx(std::atan(50.0) + 5 + 10 * (1 / 2501.0 + 0.1)).epsilon(1e-14));
  CHECK(x.inverse(x.integral(60)) == doctest::Approx(60).epsilon(1e-13));
  CHECK_THROWS_AS(InvertedIntegral([](double s) { return 1 - s; }, 3), std::invalid_argument);
}

TEST_CASE("exact cooling is the closed solution where there is one") {
  const double gamma = 1.4, density = 2, strength = 0.4 * 2 * 3;
  const ExactCooling newton({3, 1, 0.5}, density, gamma, 4);
  const ExactCooling square({3, 2, 0.5}, density, gamma, 4), heated({3, 2, 0.5}, density, gamma, 0.01);
  for (const double t : {0.0, 1e-6, 0.1, 1.0, 10.0}) {
    CAPTURE(t);
    CHECK(newton.temperature(t) == doctest::Approx(0.5 + 3.5 * std::exp(-strength * t)).epsilon(1e-13));
    // The solution of T' = -k (T^2 - c^2) has (T - c) / (T + c) fall exponentially.
    const auto closed = [&](double start) {
      const double part = (start - 0.5) / (start + 0.5) * std::exp(-2 * strength * 0.5 * t);
      return 0.5 * (1 + part) / (1 - part);
    };
    CHECK(square.temperature(t) == doctest::Approx(closed(4)).epsilon(1e-13));
    CHECK(heated.temperature(t) == doctest::Approx(closed(0.01)).epsilon(1e-13));
  }
  CHECK(ExactCooling({3, 0.5, 2}, density, gamma, 2).temperature(7) == 2);
}

TEST_CASE("cooling follows its exact solution to its tolerance, however stiff") {
  const double gamma = 5.0 / 3;
  for (const double exponent : {0.5, 1.0, 2.7})
    for (const double start : {0.02, 0.999, 50.0})
      for (const double coefficient : {1e-3, 1.0, 1e9})
        for (const double tolerance : {1e-5, 1e-9}) {
          CAPTURE(exponent);
          CAPTURE(start);
          CAPTURE(coefficient);
          CAPTURE(tolerance);
          const double density = 0.7;
          const Primitive<double> q{density, 1, -2, 3, density * start};
          Conserved<double> state = to_conserved(q, IdealGas<double>{gamma});
          const Conserved<double> before = state;
          double none = 0;
          const Source source = cooling(coefficient, exponent, 1, tolerance);
          const InnerIntegration s = apply(source, gamma, 2, state, none);
          const ExactCooling exact(source.cooling, density, gamma, start);
          CHECK(s.value == doctest::Approx(exact.temperature(2)).epsilon(20 * tolerance));
          // The state has that temperature (its kinetic energy costs a digit), and nothing else has changed.
          CHECK(temperature(state, gamma) == doctest::Approx(s.value).epsilon(1e-11));
          CHECK((state.density == before.density && state.mu == before.mu && state.mv == before.mv &&
                 state.mw == before.mw));
          CHECK(s.steps < (tolerance < 1e-6 ? 3000 : 150));
        }
}

TEST_CASE("a gas at its equilibrium temperature keeps its bits") {
  Conserved<double> state{2, 0, 0, 0, 2 / (1.4 - 1)};
  const Conserved<double> before = state;
  double none = 0;
  apply(cooling(1e9, 0.5, temperature(state, 1.4)), 1.4, 1, state, none);
  CHECK(state.energy == before.energy);
}

TEST_CASE("the reaction follows its exact solution through an explosion") {
  const double gamma = 1.2, density = 1.3;
  for (const double tolerance : {1e-5, 1e-8})
    for (const double time : {0.02, 0.5, 3.0, 6.0, 7.0, 8.0, 30.0}) {
      INFO("tolerance ", tolerance, ", time ", time);
      // The induction takes long compared with the explosion.
      const Source source = reaction(1000, 20, 5, tolerance);
      const double start = 2;
      Conserved<double> state = to_conserved<double>({density, 3, 0, 0, density * start}, {gamma});
      double reactant = density;
      const double total = state.energy + 5 * reactant;
      apply(source, gamma, time, state, reactant);
      const double exact = exact_mass_fraction(source.reaction, start, 1, gamma, time);
      CHECK(std::abs(reactant / density - exact) < 300 * tolerance);
      CHECK(state.energy + 5 * reactant == doctest::Approx(total).epsilon(1e-15));
      CHECK(temperature(state, gamma) ==
            doctest::Approx(start + 0.2 * 5 * (1 - reactant / density)).epsilon(1e-13));
    }
}

TEST_CASE("gas that does not react keeps its bits, and costs one inner step") {
  // The gas is cold as ahead of a detonation, or without reactant as behind one.
  const Source source = reaction(150, 50, 50);
  for (const double y : {1.0, 0.0}) {
    const double density = 1.1, pressure = y > 0 ? 1.1 : 33;
    Conserved<double> state = to_conserved<double>({density, 0.3, 0, 0, pressure}, {1.2});
    const Conserved<double> before = state;
    double reactant = density * y / 3 * 3;
    const double reactant_before = reactant;
    CHECK(apply(source, 1.2, 1e-3, state, reactant).steps == 1);
    CHECK(state.energy == before.energy);
    CHECK(reactant == reactant_before);
  }
}

TEST_CASE("reactant that advection has carried out of [0, 1] stays in proportion to its heat") {
  const Source source = reaction(1e4, 20, 50);
  for (const double y : {-1e-9, -0.01, 1.001}) {
    CAPTURE(y);
    Conserved<double> state = to_conserved<double>({1, 0, 0, 0, 10}, {1.2});
    double reactant = y;
    const double total = state.energy + 50 * reactant;
    apply(source, 1.2, 1, state, reactant);
    CHECK(std::abs(reactant) < 1e-5);
    CHECK(state.energy + 50 * reactant == doctest::Approx(total).epsilon(1e-15));
  }
}

TEST_CASE("a reaction that leaves no positive temperature gives up") {
  const Source source = reaction(1, 0, 50);
  // Consuming this much negative reactant would take more heat than there is.
  const Conserved<double> state = to_conserved<double>({1, 0, 0, 0, 0.1}, {1.2});
  InnerIntegration s = begin_cell(source, state, -0.5, 1.2);
  InnerStep outcome = InnerStep::goes_on;
  while (outcome == InnerStep::goes_on) outcome = advance_cell(source, state, -0.5, 1.2, 10, s);
  CHECK(outcome == InnerStep::gave_up);
  InnerIntegration cold = begin_cell(source, {1, 0, 0, 0, -1}, 1, 1.2);
  CHECK(advance_cell(source, {1, 0, 0, 0, -1}, 1, 1.2, 10, cold) == InnerStep::gave_up);
}

TEST_CASE(
    "what a sponge adds to a cell of a stretched mesh counts by its volume, and is rejected by its width") {
  const Mesh mesh = stretched({{10, 9, 1}, {0, 0, 0}, {2, 1, 1}});
  const AxisTables<double> tables(mesh);
  const Layout layout(mesh, 2);
  std::vector<double> u(layout.values());
  StageArguments<double> a{.layout = layout,
                           .start = nullptr,
                           .in = nullptr,
                           .out = u.data(),
                           .beta = 1,
                           .dt = 0,
                           .inverse_dx = {1 / mesh.spacing(0), 1 / mesh.spacing(1), 0},
                           .gas = {1.4},
                           .raise_bad_faces = false,
                           .wants_rate = true,
                           .axes = tables.views()};
  const Conserved<double> before{1, 0, 0, 0, 2.5}, target{3, 0, 0, 0, 2.5};
  const double sound = std::sqrt(1.4), dt = 0.1, share = 1 - std::exp(-2 * dt);
  for (const int i : {0, 9}) {
    CAPTURE(i);
    const double rate = sound / mesh.width(0, i) + sound / mesh.width(1, 4);
    for (const double part : {0.99, 1.01}) {  // of the Courant number that the limit is
      store(layout, u.data(), i, 4, 0, before);
      const Conserved<double> change = relax(a, {i, 4, 0, 2, target}, dt, dt * rate / part);
      const double mean = mesh.mean_volume();
      const double expected = part < 1 ? 2 * share * volume(mesh.cell(i, 4, 0)) : 0;
      CHECK(mean * change.density == doctest::Approx(expected).epsilon(1e-13));
    }
  }
}
