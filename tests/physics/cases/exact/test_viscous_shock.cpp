#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "physics/cases/exact/quadrature.hpp"
#include "physics/cases/exact/viscous_shock.hpp"
#include "physics/gas/transport.hpp"
#include "physics/rhs/viscous_flux.hpp"
#include "tests/support/make_case.hpp"

using namespace halfstep;

namespace {

constexpr IdealGas<double> kAir{1.4};

}  // namespace

TEST_CASE("far from a viscous shock the states are those of Rankine and Hugoniot") {
  const ViscousShock shock(kAir, 1, 1 / 1.4, 2, 0.01);
  const Primitive<double> ahead = shock.state(-10), behind = shock.state(10);
  CHECK(ahead.density == doctest::Approx(1).epsilon(1e-14));
  CHECK(ahead.u == doctest::Approx(2).epsilon(1e-14));
  CHECK(ahead.pressure == doctest::Approx(1 / 1.4).epsilon(1e-13));
  // At Mach 2 the density jumps by 8/3, the pressure by 4.5.
  CHECK(behind.density == doctest::Approx(8.0 / 3).epsilon(1e-14));
  CHECK(behind.u == doctest::Approx(0.75).epsilon(1e-14));
  CHECK(behind.pressure == doctest::Approx(4.5 / 1.4).epsilon(1e-13));
  CHECK(shock.state(0).u == doctest::Approx(0.5 * (2 + 0.75)).epsilon(1e-14));
}

TEST_CASE("fluxes, with stress and heat, pass through a viscous shock unchanged") {
  for (const double gamma : {1.4, 5.0 / 3})
    for (const double mach : {1.001, 1.5, 3.0, 20.0}) {
      CAPTURE(mach);
      const IdealGas<double> gas{gamma};
      const double viscosity = 0.02;
      const ViscousShock shock(gas, 1.2, 0.7, mach, viscosity);
      const Transport<double> t = transport(viscosity, 0.75, gas);
      const double step = 1e-4 * shock.thickness();
      const auto flux = [&](double x) {
        const Primitive<double> q = shock.state(x), l = shock.state(x - step), r = shock.state(x + step);
        const double slope = (r.u - l.u) / (2 * step), heat = (temperature(r) - temperature(l)) / (2 * step);
        const Conserved<double> c = to_conserved(q, gas);
        return Conserved<double>{c.mu, c.mu * q.u + q.pressure, 0, 0, (c.energy + q.pressure) * q.u} +
               viscous_flux<double>({.u_normal = slope, .temperature_normal = heat}, {q.u, 0, 0}, t);
      };
      const Conserved<double> far = flux(-40 * shock.thickness());
      for (const double part : {-2.0, -0.5, -0.1, 0.0, 0.2, 0.6, 3.0}) {
        CAPTURE(part);
        const Conserved<double> here = flux(part * shock.thickness());
        CHECK(here.density == doctest::Approx(far.density).epsilon(1e-13));
        CHECK(here.mu == doctest::Approx(far.mu).epsilon(1e-7));
        CHECK(here.energy == doctest::Approx(far.energy).epsilon(1e-7));
      }
    }
}

TEST_CASE("the thickness of a viscous shock is the jump over the steepest slope, and as the viscosity") {
  const ViscousShock one(kAir, 1, 1, 3, 0.01), two(kAir, 1, 1, 3, 0.02);
  CHECK(two.thickness() == doctest::Approx(2 * one.thickness()).epsilon(1e-14));
  const double step = 1e-3 * one.thickness();
  double steepest = 0;
  for (double x = -3 * one.thickness(); x < 3 * one.thickness(); x += step)
    steepest = std::max(steepest, (one.state(x).u - one.state(x + step).u) / step);
  CHECK((one.speed_ahead() - one.speed_behind()) / steepest ==
        doctest::Approx(one.thickness()).epsilon(1e-5));
}

TEST_CASE("averages of a viscous shock are those of its states, and add up") {
  const GaussRule fine = gauss_rule(20);
  for (const double mach : {1.2, 2.0, 10.0}) {
    CAPTURE(mach);
    const ViscousShock shock(kAir, 1, 1, mach, 0.01);
    const double d = shock.thickness();
    for (const double from : {-50.0, -3.0, -0.5, 0.0, 0.4, 2.0, 60.0}) {
      CAPTURE(from);
      const double a = from * d, b = a + 0.3 * d;
      const Conserved<double> mean =
          interval_average(fine, a, b, [&](double x) { return to_conserved(shock.state(x), kAir); });
      CHECK(distance(shock.average(a, b), mean) < 2e-12 * mean.energy);
      const double cut = a + 0.07 * d;
      CHECK(distance(shock.average(a, b), (0.07 / 0.3) * shock.average(a, cut) +
                                              (0.23 / 0.3) * shock.average(cut, b)) < 2e-12 * mean.energy);
    }
  }
}

TEST_CASE("what is no viscous shock is refused") {
  CHECK_THROWS_AS(ViscousShock(kAir, 1, 1, 1, 0.01), std::invalid_argument);
  CHECK_THROWS_AS(ViscousShock(kAir, 1, 1, 2, 0), std::invalid_argument);
}
