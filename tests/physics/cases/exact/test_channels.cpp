#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "physics/cases/exact/couette.hpp"
#include "physics/cases/exact/poiseuille.hpp"
#include "physics/gas/transport.hpp"

using namespace halfstep;

namespace {

constexpr IdealGas<double> kAir{1.4};

}  // namespace

TEST_CASE("Couette flow meets its walls, and friction heats what conduction carries away") {
  const double prandtl = 0.72, step = 1e-4;
  const Transport<double> t = transport(0.05, prandtl, kAir);
  for (const auto& [below, above] : {std::pair{1.0, 1.3}, {0.0, 1.3}, {1.0, 0.0}}) {
    INFO("below ", below, ", above ", above);
    const SlidingWall lower{-0.5, 0.2, below}, upper{2.0, -0.4, above};
    const CouetteFlow flow(kAir, prandtl, 1.7, lower, upper);
    const Primitive<double> at_lower = flow.state(0), at_upper = flow.state(1);
    CHECK(at_lower.u == -0.5);
    CHECK(at_upper.w == doctest::Approx(-0.4).epsilon(1e-15));
    if (below > 0) CHECK(temperature(at_lower) == doctest::Approx(below).epsilon(1e-15));
    if (above > 0) CHECK(temperature(at_upper) == doctest::Approx(above).epsilon(1e-15));
    const auto heat = [&](double eta) {
      return t.conductivity * (temperature(flow.state(eta + step)) - temperature(flow.state(eta - step))) /
             (2 * step);
    };
    if (below == 0) CHECK(std::abs(heat(0)) < 1e-12);
    if (above == 0) CHECK(std::abs(heat(1)) < 1e-12);
    const double friction = 0.05 * (2.5 * 2.5 + 0.6 * 0.6);
    for (const double eta : {0.1, 0.5, 0.8}) {
      CHECK((heat(eta + step) - heat(eta - step)) / (2 * step) == doctest::Approx(-friction).epsilon(1e-5));
      CHECK(flow.state(eta).pressure == 1.7);
      CHECK(flow.state(eta).v == 0);
    }
  }
  CHECK_THROWS_AS(CouetteFlow(kAir, prandtl, 1, {0, 0, 0}, {1, 0, 0}), std::invalid_argument);
}

TEST_CASE("Poiseuille flow without heating is the parabola") {
  // At Prandtl number 0 the gas conducts so well that it stays as cold as the walls.
  const double gravity = 0.3, viscosity = 0.02, half_width = 0.7, wall = 1.3, pressure = 1.1;
  const PoiseuilleFlow flow(kAir, viscosity, 0, gravity, half_width, wall, pressure);
  for (const double eta : {-1.0, -0.3, 0.0, 0.6, 1.0}) {
    const Primitive<double> q = flow.state(eta);
    const double y = half_width * eta;
    CHECK(q.density == doctest::Approx(pressure / wall).epsilon(1e-15));
    CHECK(q.u == doctest::Approx(q.density * gravity / (2 * viscosity) * (half_width * half_width - y * y))
                     .epsilon(1e-14));
  }
}

TEST_CASE("Poiseuille flow balances gravity with friction, and friction with conduction, hot too") {
  const double viscosity = 0.05, half_width = 0.5, wall = 1, pressure = 1, prandtl = 0.72, step = 1e-3;
  const Transport<double> t = transport(viscosity, prandtl, kAir);
  double hottest = 0;
  for (const double gravity : {1e-3, 0.5, 1.0, 2.0}) {
    CAPTURE(gravity);
    const PoiseuilleFlow flow(kAir, viscosity, prandtl, gravity, half_width, wall, pressure);
    CHECK(temperature(flow.state(1)) == doctest::Approx(wall).epsilon(1e-14));
    CHECK(std::abs(flow.state(-1).u) <= 1e-15 * flow.state(0).u);
    hottest = temperature(flow.state(0));
    const double h = step * half_width;
    const auto at = [&](double eta, int n) { return flow.state(eta + n * step); };
    // Returns the second derivative by fourth-order differences.
    const auto second = [&](auto&& f) {
      return (-f(2) + 16 * f(1) - 30 * f(0) + 16 * f(-1) - f(-2)) / (12 * h * h);
    };
    for (const double eta : {-0.9, -0.4, 0.1, 0.5, 0.8}) {
      const double slope = (-at(eta, 2).u + 8 * at(eta, 1).u - 8 * at(eta, -1).u + at(eta, -2).u) / (12 * h);
      const double stress = viscosity * second([&](int n) { return at(eta, n).u; });
      const double heat = t.conductivity * second([&](int n) { return temperature(at(eta, n)); });
      CHECK(stress == doctest::Approx(-flow.state(eta).density * gravity).epsilon(1e-7));
      CHECK(heat == doctest::Approx(-viscosity * slope * slope).epsilon(1e-6));
    }
  }
  CHECK(hottest > 1.4);  // the last flow is far from the parabola
  CHECK_THROWS_AS(PoiseuilleFlow(kAir, viscosity, prandtl, 4, half_width, wall, pressure),
                  std::invalid_argument);
}
