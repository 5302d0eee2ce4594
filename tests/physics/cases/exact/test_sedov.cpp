#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "physics/cases/exact/quadrature.hpp"
#include "physics/cases/exact/sedov.hpp"

using namespace halfstep;

TEST_CASE("the energy constant of the Sedov blast agrees with Kamm and Timmes for gamma = 1.4") {
  CHECK(SedovBlast(2, 1.4).alpha() == doctest::Approx(0.984074).epsilon(1e-6));
  CHECK(SedovBlast(3, 1.4).alpha() == doctest::Approx(0.851072).epsilon(1e-6));
  CHECK(SedovBlast(1, 1.4).alpha() == doctest::Approx(2 * 0.538743).epsilon(1e-6));
}

TEST_CASE("a Sedov blast of gamma near 1 is a thin shell around hot gas, and is found at once") {
  // In the limit all mass is in a thin shell at R', with half the shock's pressure inside:
  // energy = pressure volume / (gamma - 1), R' = 2/5 R / t.
  CHECK(1e-4 * SedovBlast(3, 1.0001).alpha() == doctest::Approx(8 * std::numbers::pi / 75).epsilon(1e-4));
}

TEST_CASE("a Sedov blast holds the mass it swept up and the energy it was given") {
  const GaussRule rule = gauss_rule(12);
  const double energy = 2.5, density = 1.7, time = 0.8;
  for (const int d : {1, 2, 3})
    for (const double gamma : {1.2, 1.4, 5.0 / 3, 2.0, 3.0}) {
      INFO("d ", d, ", gamma ", gamma);
      const SedovBlast blast(d, gamma);
      const double radius = blast.shock_radius(energy, density, time);
      CHECK(
          energy ==
          doctest::Approx(blast.alpha() * density * std::pow(radius, d + 2) / (time * time)).epsilon(1e-12));
      double mass = 0, total = 0;
      const int panels = 2000;
      for (int i = 0; i < panels; ++i) {
        const double a = radius * i / panels, b = radius * (i + 1) / panels;
        const double area = d == 1 ? 2 : d == 2 ? 2 * std::numbers::pi : 4 * std::numbers::pi;
        mass += (b - a) * interval_average(rule, a, b, [&](double r) {
                  return area * std::pow(r, d - 1) * blast.sample(r, energy, density, time).density;
                });
        total +=
            (b - a) * interval_average(rule, a, b, [&](double r) {
              const Primitive<double> q = blast.sample(r, energy, density, time);
              return area * std::pow(r, d - 1) * (q.pressure / (gamma - 1) + 0.5 * q.density * q.u * q.u);
            });
      }
      const double ball = d == 1 ? 2 : d == 2 ? std::numbers::pi : 4 * std::numbers::pi / 3;
      CHECK(mass == doctest::Approx(density * ball * std::pow(radius, d)).epsilon(1e-7));
      CHECK(total == doctest::Approx(energy).epsilon(1e-7));
    }
}

TEST_CASE("the Sedov shock is a strong shock of the radius' own speed") {
  const double gamma = 1.4, time = 0.5, step = 1e-5;
  const SedovBlast blast(3, gamma);
  const double radius = blast.shock_radius(1, 1, time);
  const double speed =
      (blast.shock_radius(1, 1, time + step) - blast.shock_radius(1, 1, time - step)) / (2 * step);
  const Primitive<double> q = blast.sample(radius * (1 - 1e-10), 1, 1, time);
  CHECK(q.density == doctest::Approx(6).epsilon(1e-6));
  CHECK(q.u == doctest::Approx(2 / (gamma + 1) * speed).epsilon(1e-6));
  CHECK(q.pressure == doctest::Approx(2 / (gamma + 1) * speed * speed).epsilon(1e-6));
  const Primitive<double> outside = blast.sample(radius * (1 + 1e-10), 1, 1, time);
  CHECK(outside.density == 1);
  CHECK(outside.u == 0);
}

TEST_CASE("the Sedov profile solves the Euler equations") {
  // Checks the conservation of mass and of a fluid particle's entropy by finite differences of the profile.
  for (const int d : {2, 3}) {
    CAPTURE(d);
    const double gamma = 1.4, t = 1, h = 1e-4;
    const SedovBlast blast(d, gamma);
    const double radius = blast.shock_radius(1, 1, t);
    for (const double part : {0.4, 0.7, 0.95}) {
      const double r = part * radius;
      const auto at = [&](double dr, double dt) { return blast.sample(r + dr, 1, 1, t + dt); };
      const auto flow = [&](double dr) {
        const auto q = at(dr, 0);
        return std::pow(r + dr, d - 1) * q.density * q.u;
      };
      const auto entropy = [&](double dr, double dt) {
        const auto q = at(dr, dt);
        return std::log(q.pressure / std::pow(q.density, gamma));
      };
      const auto q = at(0, 0);
      const double mass = (at(0, h).density - at(0, -h).density) / (2 * h) +
                          (flow(h) - flow(-h)) / (2 * h) / std::pow(r, d - 1);
      CHECK(std::abs(mass) < 1e-5 * q.density);
      const double advected =
          (entropy(0, h) - entropy(0, -h)) / (2 * h) + q.u * (entropy(h, 0) - entropy(-h, 0)) / (2 * h);
      CHECK(std::abs(advected) < 1e-5);
      const double force = (at(0, h).u - at(0, -h).u) / (2 * h) + q.u * (at(h, 0).u - at(-h, 0).u) / (2 * h) +
                           (at(h, 0).pressure - at(-h, 0).pressure) / (2 * h) / q.density;
      CHECK(std::abs(force) < 1e-5);
    }
  }
}

TEST_CASE("a Sedov blast without a filled core is refused") {
  CHECK_THROWS_AS(SedovBlast(3, 7.0), std::invalid_argument);
  CHECK_THROWS_AS(SedovBlast(3, 1.0), std::invalid_argument);
  CHECK(SedovBlast(3, 6.9).alpha() > 0);
}
