// Floors of density and pressure. Compiled without contraction, so that the same arithmetic inlined in two
// places gives the same bits.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "physics/gas/admissible.hpp"
#include "physics/recovery/floors.hpp"
#include "tests/support/cells.hpp"

using namespace halfstep;

TEST_CASE_TEMPLATE("floors raise density and pressure, and nothing else", Real, double, float) {
  const IdealGas<Real> gas{Real(1.4)};
  const Floors floors{.density = 1e-3, .pressure = 1e-4};
  const Real near = 4 * std::numeric_limits<Real>::epsilon();

  const Conserved<Real> good = to_conserved(Primitive<Real>{1, 2, -3, 4, 5}, gas);
  CHECK(same_bits(floored(good, floors, gas), good));

  // In thin gas mass is added; momentum and energy stay.
  const Conserved<Real> thin{Real(1e-5), Real(1e-4), 0, Real(-2e-4), Real(0.1)};
  CHECK(same_bits(floored(thin, floors, gas),
                  Conserved<Real>{Real(1e-3), Real(1e-4), 0, Real(-2e-4), Real(0.1)}));

  // In cold gas energy alone is added.
  const Conserved<Real> cold{2, 2, 0, 0, Real(0.9)};  // kinetic energy 1
  const Conserved<Real> warmed = floored(cold, floors, gas);
  CHECK(warmed.density == 2);
  CHECK(warmed.mu == 2);
  CHECK(warmed.energy == doctest::Approx(1 + 1e-4 / 0.4).epsilon(double(near)));

  // A cell without mass becomes gas at rest at the floors, whatever momentum and energy were.
  for (const Real density : {Real(0), Real(-0.1)}) {
    const Conserved<Real> r = floored(Conserved<Real>{density, 30, -20, 10, 1000}, floors, gas);
    CHECK(same_bits(r, Conserved<Real>{Real(1e-3), 0, 0, 0, Real(1e-4) / (gas.gamma - Real(1))}));
  }

  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  const Conserved<Real> infinite = floored(Conserved<Real>{-1, 0, 0, 0, infinity}, floors, gas);
  CHECK(infinite.density == -1);
  CHECK(infinite.energy == infinity);
  const Conserved<Real> unknown =
      floored(Conserved<Real>{-1, std::numeric_limits<Real>::quiet_NaN(), 0, 0, 1}, floors, gas);
  CHECK(unknown.density == -1);
  CHECK(unknown.mu != unknown.mu);
}

TEST_CASE_TEMPLATE("a floored state is physical, at the floors, and floored no more", Real, double, float) {
  const IdealGas<Real> gas{Real(1.4)};
  const Floors floors;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> exponent(-14, 2), sign(-1, 1);
  const auto draw = [&] { return Real(std::copysign(std::pow(10, exponent(random)), sign(random))); };
  for (int n = 0; n < 20000; ++n) {
    const Conserved<Real> c{draw(), draw(), draw(), draw(), draw()};
    const Conserved<Real> r = floored(c, floors, gas);
    INFO(c.density, " ", c.mu, " ", c.mv, " ", c.mw, " ", c.energy);
    REQUIRE(is_admissible(r));
    REQUIRE(to_primitive(r, gas).pressure > 0);
    REQUIRE(r.density >= Real(floors.density));
    REQUIRE(same_bits(floored(r, floors, gas), r));
  }
}
