// Conversions between conserved and primitive variables.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "physics/gas/eos.hpp"

using namespace halfstep;

TEST_CASE("energy is internal and kinetic") {
  const IdealGas<double> gas{1.4};
  const Conserved<double> c = to_conserved({2.0, 3.0, -1.0, 0.5, 4.0}, gas);
  CHECK(c.density == 2);
  CHECK(c.mu == 6);
  CHECK(c.mv == -2);
  CHECK(c.mw == 1);
  CHECK(c.energy == doctest::Approx(4 / 0.4 + 0.5 * 2 * (9 + 1 + 0.25)).epsilon(1e-15));
  CHECK(sound_speed(2.0, 4.0, gas) == doctest::Approx(std::sqrt(2.8)).epsilon(1e-15));
}

TEST_CASE_TEMPLATE("states survive the way to the conserved form and back", Real, double, float) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> exponent(-3, 3), velocity(-3, 3);
  const Real round_off = 8 * std::numeric_limits<Real>::epsilon();
  for (int n = 0; n < 10000; ++n) {
    const IdealGas<Real> gas{n % 2 ? Real(1.4) : Real(5.0 / 3)};
    const Real density = Real(std::pow(10.0, exponent(random))),
               pressure = Real(std::pow(10.0, exponent(random)));
    const Real c = sound_speed(density, pressure, gas);
    const Primitive<Real> q{density, c * Real(velocity(random)), c * Real(velocity(random)),
                            c * Real(velocity(random)), pressure};
    const Primitive<Real> back = to_primitive(to_conserved(q, gas), gas);
    REQUIRE(back.density == q.density);
    REQUIRE(std::abs(back.u - q.u) <= round_off * std::abs(q.u));
    REQUIRE(std::abs(back.v - q.v) <= round_off * std::abs(q.v));
    REQUIRE(std::abs(back.w - q.w) <= round_off * std::abs(q.w));
    // The pressure is a difference, so its round-off is that of the whole energy.
    const Real energy = (gas.gamma - 1) * to_conserved(q, gas).energy;
    REQUIRE(std::abs(back.pressure - q.pressure) <= round_off * energy);
  }
}

TEST_CASE("an unphysical state converts to one that checks can find") {
  const IdealGas<double> gas;
  const Primitive<double> empty = to_primitive(Conserved<double>{0, 1, 0, 0, 1}, gas);
  CHECK_FALSE(std::isfinite(empty.u));
  const Primitive<double> cold = to_primitive(Conserved<double>{1, 2, 0, 0, 1}, gas);
  CHECK(cold.pressure == doctest::Approx(-0.4));
}
