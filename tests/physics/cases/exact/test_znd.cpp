#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "physics/cases/exact/znd.hpp"

using namespace halfstep;

namespace {

constexpr IdealGas<double> kGas{1.2};

Reaction reaction(double activation_energy, double rate = 1) {
  return {.rate = rate, .activation_energy = activation_energy, .heat_release = 50};
}

/// Returns the fluxes of mass, momentum and energy (chemical included) through the wave, in its frame.
std::array<double, 3> fluxes(const ReactingState& state, double speed) {
  const Primitive<double>& q = state.flow;
  const double w = speed - q.u, mass = q.density * w;
  const double enthalpy = 1.2 / 0.2 * q.pressure / q.density + 0.5 * w * w + 50 * state.mass_fraction;
  return {mass, mass * w + q.pressure, mass * enthalpy};
}

}  // namespace

TEST_CASE("speeds and von Neumann pressures of detonations are those of the literature") {
  CHECK(ZndDetonation::chapman_jouguet_speed(kGas, 50) == doctest::Approx(6.80947).epsilon(1e-6));
  const ZndDetonation slower(kGas, reaction(50), 1.6), faster(kGas, reaction(50), 1.8);
  CHECK(slower.von_neumann().flow.pressure == doctest::Approx(67.355).epsilon(1e-5));
  CHECK(faster.von_neumann().flow.pressure == doctest::Approx(75.786).epsilon(1e-5));
  CHECK(faster.speed() == doctest::Approx(9.136).epsilon(1e-4));
}

TEST_CASE("mass, momentum and energy pass through a ZND wave unchanged") {
  for (const double overdrive : {1.0, 1.2, 1.8, 4.0}) {
    CAPTURE(overdrive);
    const ZndDetonation wave(kGas, reaction(50), overdrive);
    const auto ahead = fluxes(wave.state(-1), wave.speed());
    const double length = wave.half_reaction_length();
    for (const double part : {1e-9, 0.1, 0.5, 1.0, 2.0, 5.0, 100.0}) {
      CAPTURE(part);
      const auto here = fluxes(wave.state(part * length), wave.speed());
      for (int i = 0; i < 3; ++i) CHECK(here[i] == doctest::Approx(ahead[i]).epsilon(1e-13));
    }
    // The flow is subsonic behind the shock, and sonic at the end of the Chapman-Jouguet wave alone.
    const Primitive<double> end = wave.burnt().flow;
    const double mach = (wave.speed() - end.u) / sound_speed(end.density, end.pressure, kGas);
    if (overdrive == 1)
      CHECK(mach == doctest::Approx(1).epsilon(1e-7));
    else
      CHECK(mach < 0.9);
  }
}

TEST_CASE("the reactant of a ZND wave burns as the law says along a particle's path") {
  for (const double activation_energy : {0.0, 20.0, 50.0}) {
    CAPTURE(activation_energy);
    const ZndDetonation wave(kGas, reaction(activation_energy, 3), activation_energy == 20 ? 1 : 1.8);
    const double length = wave.half_reaction_length(), step = 1e-4 * length;
    for (const double part : {0.01, 0.3, 1.0, 3.0, 6.0}) {
      CAPTURE(part);
      const double x = part * length;
      const ReactingState q = wave.state(x);
      const double slope =
          (wave.state(x + step).mass_fraction - wave.state(x - step).mass_fraction) / (2 * step);
      const double temperature = q.flow.pressure / q.flow.density;
      CHECK((wave.speed() - q.flow.u) * slope ==
            doctest::Approx(-3 * q.mass_fraction * std::exp(-activation_energy / temperature)).epsilon(1e-5));
    }
  }
}

TEST_CASE("half the reactant is left at the half-reaction length, which is as the rate") {
  const ZndDetonation one(kGas, reaction(50), 1.8), ten(kGas, reaction(50, 10), 1.8);
  CHECK(one.state(one.half_reaction_length()).mass_fraction == doctest::Approx(0.5).epsilon(1e-13));
  CHECK(ten.half_reaction_length() == doctest::Approx(0.1 * one.half_reaction_length()).epsilon(1e-13));
  CHECK(one.state(1e-300).mass_fraction == 1);
  CHECK(one.state(0).flow.density == 1);
  // With no activation energy and hardly any heat release the flow behind the shock is uniform: Y decays
  // exponentially.
  const ZndDetonation passive(kGas, {.rate = 1, .activation_energy = 0, .heat_release = 1e-9}, 9);
  const double decay = passive.speed() - passive.von_neumann().flow.u;
  for (const double x : {0.3, 1.0, 7.0, 300.0})
    CHECK(passive.state(x * decay).mass_fraction == doctest::Approx(std::exp(-x)).epsilon(1e-7));
}

TEST_CASE("averages of a ZND wave are those of its states, through the shock, and add up") {
  const ZndDetonation wave(kGas, reaction(50), 1.6);
  const double length = wave.half_reaction_length();
  const GaussRule fine = gauss_rule(12);
  const auto by_panels = [&](double from, double to) {
    const int panels = 400;
    ReactingAverage sum{};
    for (int i = 0; i < panels; ++i) {
      const double a = from + (to - from) * i / panels, b = from + (to - from) * (i + 1) / panels;
      sum = sum + (1.0 / panels) * interval_average(fine, a, b, [&](double x) {
                    const ReactingState q = wave.state(x);
                    return ReactingAverage{to_conserved(q.flow, kGas), q.flow.density * q.mass_fraction};
                  });
    }
    return sum;
  };
  const auto close = [](const ReactingAverage& a, const ReactingAverage& b, double tolerance) {
    CHECK(a.flow.density == doctest::Approx(b.flow.density).epsilon(tolerance));
    CHECK(a.flow.mu == doctest::Approx(b.flow.mu).epsilon(tolerance));
    CHECK(a.flow.energy == doctest::Approx(b.flow.energy).epsilon(tolerance));
    CHECK(a.reactant == doctest::Approx(b.reactant).epsilon(tolerance));
  };
  close(wave.average(0, 0.025 * length), by_panels(0, 0.025 * length), 1e-12);
  close(wave.average(0.9 * length, 0.91 * length), by_panels(0.9 * length, 0.91 * length), 1e-12);
  close(wave.average(0, 12 * length), by_panels(0, 12 * length), 1e-11);
  // An average across the shock is the average of its parts weighted by their lengths.
  const double a = 0.03 * length, b = 0.01 * length;
  close(wave.average(-a, b), (a / (a + b)) * wave.average(-a, 0) + (b / (a + b)) * wave.average(0, b), 1e-13);
  CHECK(wave.average(-a, -b).flow.density == doctest::Approx(1).epsilon(1e-15));
  CHECK(wave.average(-a, -b).reactant == doctest::Approx(1).epsilon(1e-15));
  // Far behind the shock the gas is burnt, without a trace of round-off.
  const Conserved<double> burnt = to_conserved(wave.burnt().flow, kGas);
  const ReactingAverage far = wave.average(1000 * length, 1000.025 * length);
  CHECK(far.flow.energy == doctest::Approx(burnt.energy).epsilon(1e-14));
  CHECK(far.reactant < 1e-30);
}

TEST_CASE("the exact profile stands for hard parameters too") {
  // In a square wave all the reaction happens at the end of a long induction, where Y(x) magnifies round-off.
  const ZndDetonation square(kGas, reaction(300), 1.1);
  CHECK(square.state(square.half_reaction_length()).mass_fraction == doctest::Approx(0.5).epsilon(1e-7));
  CHECK(square.state(0.5 * square.half_reaction_length()).mass_fraction > 0.9);
}

TEST_CASE("what is no detonation is refused") {
  CHECK_THROWS_AS(ZndDetonation(kGas, reaction(50), 0.99), std::invalid_argument);
  CHECK_THROWS_AS(ZndDetonation(kGas, reaction(50, 0), 1.8), std::invalid_argument);
  CHECK_THROWS_AS(ZndDetonation(kGas, {.rate = 1, .activation_energy = 50, .heat_release = 0}, 1.8),
                  std::invalid_argument);
}
