#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "physics/cases/exact/exact_riemann.hpp"
#include "physics/cases/exact/quadrature.hpp"
#include "tests/support/cells.hpp"

using namespace halfstep;

namespace {

struct Tube {
  std::string name;
  Primitive<double> left, right;
  double gamma;
  double pressure, velocity, density_l, density_r;  // printed star state
};

// Star states to six digits: Toro (2009), table 4.2, and independent computations.
const Tube tubes[] = {
    {"sod", {1, 0, 0, 0, 1}, {0.125, 0, 0, 0, 0.1}, 1.4, 0.303130, 0.927453, 0.426319, 0.265574},
    {"toro_1", {1, 0.75, 0, 0, 1}, {0.125, 0, 0, 0, 0.1}, 1.4, 0.466294, 1.36091, 0.579867, 0.339700},
    {"toro_2", {1, -2, 0, 0, 0.4}, {1, 2, 0, 0, 0.4}, 1.4, 0.00189387, 0, 0.0218521, 0.0218521},
    {"toro_3", {1, 0, 0, 0, 1000}, {1, 0, 0, 0, 0.01}, 1.4, 460.894, 19.5975, 0.575062, 5.99924},
    {"toro_4",
     {5.99924, 19.5975, 0, 0, 460.894},
     {5.99242, -6.19633, 0, 0, 46.095},
     1.4,
     1691.65,
     8.68977,
     14.2823,
     31.0426},
    {"toro_5", {1, -19.59745, 0, 0, 1000}, {1, -19.59745, 0, 0, 0.01}, 1.4, 460.894, 0, 0.575062, 5.99924},
    {"lax", {0.445, 0.698, 0, 0, 3.528}, {0.5, 0, 0, 0, 0.571}, 1.4, 2.46610, 1.52872, 0.344568, 1.30408},
    {"leblanc",
     {1, 0, 0, 0, 2.0 / 30},
     {1e-3, 0, 0, 0, 2.0 / 3 * 1e-10},
     5.0 / 3,
     5.15578e-4,
     0.621839,
     0.0540793,
     0.004},
};

ExactRiemann solve(const Tube& tube) { return {tube.left, tube.right, {tube.gamma}}; }

/// Returns the x-flux of the Euler equations.
Conserved<double> flux(const Primitive<double>& q, double gamma) {
  const Conserved<double> c = to_conserved(q, IdealGas<double>{gamma});
  return {c.mu, c.mu * q.u + q.pressure, c.mv * q.u, c.mw * q.u, (c.energy + q.pressure) * q.u};
}

double difference(double value, double expected) { return std::abs(value / expected - 1); }

}  // namespace

TEST_CASE("star states of the standard shock tubes agree with the printed digits") {
  for (const Tube& tube : tubes) {
    CAPTURE(tube.name);
    const ExactRiemann exact = solve(tube);
    CHECK_FALSE(exact.vacuum());
    CHECK(difference(exact.star_pressure(), tube.pressure) < 5e-6);
    CHECK(difference(exact.star_density_l(), tube.density_l) < 5e-6);
    CHECK(difference(exact.star_density_r(), tube.density_r) < 5e-6);
    if (tube.velocity != 0)
      CHECK(difference(exact.star_velocity(), tube.velocity) < 5e-6);
    else  // the speeds of the data cancel to their last printed digit
      CHECK(std::abs(exact.star_velocity()) < 1e-5);
  }
  CHECK(solve(tubes[0]).right_wave().head == doctest::Approx(1.752156).epsilon(1e-6));
}

TEST_CASE("shocks obey the Rankine-Hugoniot conditions and fans the Riemann invariants") {
  for (const Tube& tube : tubes) {
    CAPTURE(tube.name);
    const ExactRiemann exact = solve(tube);
    const Primitive<double> star_l{exact.star_density_l(), exact.star_velocity(), 0, 0,
                                   exact.star_pressure()};
    const Primitive<double> star_r{exact.star_density_r(), exact.star_velocity(), 0, 0,
                                   exact.star_pressure()};
    const IdealGas<double> gas{tube.gamma};
    const auto check = [&](const Primitive<double>& outer, const Primitive<double>& star,
                           const ExactRiemann::Wave& wave, int side) {
      if (wave.shock) {
        CHECK(star.pressure > outer.pressure);
        const auto jump = flux(star, tube.gamma) - flux(outer, tube.gamma);
        const auto carried = wave.head * (to_conserved(star, gas) - to_conserved(outer, gas));
        CHECK(largest_component(jump - carried) <=
              1e-12 * (largest_component(jump) + largest_component(flux(star, tube.gamma))));
      } else {
        const auto invariant = [&](const Primitive<double>& q) {
          return q.u - side * 2 * sound_speed(q.density, q.pressure, gas) / (tube.gamma - 1);
        };
        const double c = sound_speed(outer.density, outer.pressure, gas);
        CHECK(std::abs(invariant(star) - invariant(outer)) <= 1e-12 * (std::abs(outer.u) + 5 * c));
        CHECK(difference(star.pressure / std::pow(star.density, tube.gamma),
                         outer.pressure / std::pow(outer.density, tube.gamma)) < 1e-12);
      }
    };
    check(tube.left, star_l, exact.left_wave(), -1);
    check(tube.right, star_r, exact.right_wave(), +1);
  }
}

TEST_CASE("the exact solution is continuous but at shocks and contacts, and constant outside its waves") {
  const ExactRiemann sod = solve(tubes[0]);
  const auto near = [](const Primitive<double>& a, const Primitive<double>& b) {
    return std::abs(a.density - b.density) + std::abs(a.u - b.u) + std::abs(a.pressure - b.pressure);
  };
  for (const double edge : {sod.left_wave().head, sod.left_wave().tail})
    CHECK(near(sod.sample(edge - 1e-9), sod.sample(edge + 1e-9)) < 1e-8);
  CHECK(near(sod.sample(sod.right_wave().head - 1e-9), sod.sample(sod.right_wave().head + 1e-9)) > 0.1);
  CHECK(sod.sample(-10).density == 1);
  CHECK(sod.sample(10).density == 0.125);
}

TEST_CASE("cell averages of the exact solution agree with quadrature of its samples") {
  const GaussRule rule = gauss_rule(40);
  for (const Tube& tube : tubes) {
    CAPTURE(tube.name);
    const ExactRiemann exact = solve(tube);
    const double edges[] = {exact.left_wave().head - 0.3, exact.left_wave().head,  exact.left_wave().tail,
                            exact.star_velocity(),        exact.right_wave().tail, exact.right_wave().head,
                            exact.right_wave().head + 0.3};
    const auto sample = [&](double xi) {
      return to_conserved(exact.sample(xi), IdealGas<double>{tube.gamma});
    };
    Conserved<double> sum{};
    for (int i = 0; i < 6; ++i)
      if (edges[i] < edges[i + 1])
        sum = sum + (edges[i + 1] - edges[i]) * interval_average(rule, edges[i], edges[i + 1], sample);
    const Conserved<double> mean = (1 / (edges[6] - edges[0])) * sum;
    CHECK(largest_component(exact.average(edges[0], edges[6]) - mean) <= 1e-13 * largest_component(mean));
    // Takes short cells, as on a mesh, one of them inside each fan.
    for (const auto& wave : {exact.left_wave(), exact.right_wave()}) {
      if (wave.shock) continue;
      const double a = 0.5 * (wave.head + wave.tail), b = a + 1e-4 * std::abs(wave.head - wave.tail);
      CHECK(largest_component(exact.average(a, b) - interval_average(rule, a, b, sample)) <=
            1e-13 * largest_component(sample(a)));
    }
  }
}

TEST_CASE("cell averages of the exact solution conserve mass, momentum and energy") {
  for (const Tube& tube : tubes) {
    CAPTURE(tube.name);
    const ExactRiemann exact = solve(tube);
    const double a = std::min(0.0, exact.left_wave().head) - 1,
                 b = std::max(0.0, exact.right_wave().head) + 1;
    // At time 1, [a, b] holds what was there and what flowed in through the ends.
    const IdealGas<double> gas{tube.gamma};
    const Conserved<double> start = (-a) * to_conserved(tube.left, gas) + b * to_conserved(tube.right, gas);
    const Conserved<double> inflow = flux(tube.left, tube.gamma) - flux(tube.right, tube.gamma);
    const Conserved<double> expected = start + inflow;
    CHECK(largest_component((b - a) * exact.average(a, b) - expected) <=
          1e-12 * (largest_component(start) + largest_component(inflow)));
  }
}

TEST_CASE("receding states leave a vacuum with the right edges and nothing inside") {
  const double gamma = 1.4;
  const ExactRiemann exact({1, -10, 1, 2, 0.4}, {0.5, 10, 3, 4, 0.4}, {gamma});
  REQUIRE(exact.vacuum());
  const double c_l = std::sqrt(gamma * 0.4), c_r = std::sqrt(gamma * 0.4 / 0.5);
  CHECK(exact.left_wave().tail == doctest::Approx(-10 + 5 * c_l));
  CHECK(exact.right_wave().tail == doctest::Approx(10 - 5 * c_r));
  CHECK(exact.sample(0).density == 0);
  CHECK(exact.average(-1, 1).energy == 0);
  const double a = -12, b = 13;
  const IdealGas<double> gas{gamma};
  const Primitive<double> l{1, -10, 1, 2, 0.4}, r{0.5, 10, 3, 4, 0.4};
  const Conserved<double> expected =
      (-a) * to_conserved(l, gas) + b * to_conserved(r, gas) + (flux(l, gamma) - flux(r, gamma));
  CHECK(largest_component((b - a) * exact.average(a, b) - expected) <=
        1e-12 * largest_component((-a) * to_conserved(l, gas)));
  // At the limit of vacuum the pressure stays positive just before and is zero just after.
  const double limit = 5 * 2 * std::sqrt(gamma);
  CHECK_FALSE(ExactRiemann({1, 0, 0, 0, 1}, {1, limit * (1 - 1e-6), 0, 0, 1}, gas).vacuum());
  CHECK(ExactRiemann({1, 0, 0, 0, 1}, {1, limit * (1 - 1e-6), 0, 0, 1}, gas).star_pressure() > 0);
  CHECK(ExactRiemann({1, 0, 0, 0, 1}, {1, limit * (1 + 1e-6), 0, 0, 1}, gas).vacuum());
}

TEST_CASE("the star pressure is found for any ratio of pressures and densities") {
  for (double log_p = -12; log_p <= 12; log_p += 3)
    for (double log_d = -6; log_d <= 6; log_d += 3)
      for (const double du : {-1e3, -1.0, 0.0, 1.0})
        for (const double gamma : {1.01, 1.4, 5.0 / 3, 3.0}) {
          INFO("log_p ", log_p, ", log_d ", log_d, ", du ", du, ", gamma ", gamma);
          const Primitive<double> l{1, 0, 0, 0, 1}, r{std::pow(10, log_d), du, 0, 0, std::pow(10, log_p)};
          const ExactRiemann exact(l, r, {gamma});
          if (exact.vacuum()) continue;
          CHECK(exact.star_pressure() > 0);
          // Mirrored data give the mirrored solution.
          const ExactRiemann mirror({r.density, -r.u, 0, 0, r.pressure}, {l.density, -l.u, 0, 0, l.pressure},
                                    {gamma});
          CHECK(difference(mirror.star_pressure(), exact.star_pressure()) < 1e-12);
          CHECK(exact.left_wave().head <= exact.left_wave().tail);
          CHECK(exact.left_wave().tail < exact.star_velocity());
          CHECK(exact.star_velocity() < exact.right_wave().tail);
          CHECK(exact.right_wave().tail <= exact.right_wave().head);
        }
}

TEST_CASE("equal states stay as they are") {
  const Primitive<double> q{1.3, 0.4, -0.2, 0.7, 2.1};
  const ExactRiemann exact(q, q, {1.4});
  CHECK(exact.star_pressure() == doctest::Approx(2.1).epsilon(1e-14));
  CHECK(exact.star_velocity() == doctest::Approx(0.4).epsilon(1e-14));
  CHECK(largest_component(exact.average(-3, 4) - to_conserved(q, IdealGas<double>{1.4})) < 1e-14);
}

TEST_CASE("a Riemann problem without positive data is refused") {
  CHECK_THROWS_AS(ExactRiemann({0, 0, 0, 0, 1}, {1, 0, 0, 0, 1}, {1.4}), std::invalid_argument);
  CHECK_THROWS_AS(ExactRiemann({1, 0, 0, 0, 1}, {1, 0, 0, 0, -1}, {1.4}), std::invalid_argument);
  CHECK_THROWS_AS(ExactRiemann({1, 0, 0, 0, 1}, {1, 0, 0, 0, 1}, {1.0}), std::invalid_argument);
}
