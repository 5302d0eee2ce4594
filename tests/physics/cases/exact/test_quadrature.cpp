#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "physics/cases/exact/sphere_average.hpp"

using namespace halfstep;

TEST_CASE("Gauss-Legendre rules are exact for polynomials of degree 2n - 1 and not beyond") {
  for (const int n : {1, 2, 3, 5, 8, 12, 16, 40}) {
    CAPTURE(n);
    const GaussRule rule = gauss_rule(n);
    const auto moment = [&](int degree) {  // mean of x^degree over [0, 2]
      return interval_average(rule, 0, 2, [&](double x) { return std::pow(x, degree); });
    };
    for (int degree = 0; degree < 2 * n; ++degree)
      CHECK(moment(degree) == doctest::Approx(std::pow(2, degree) / (degree + 1)).epsilon(1e-13));
    if (n <= 8) CHECK(std::abs(moment(2 * n) / (std::pow(2, 2 * n) / (2 * n + 1)) - 1) > 1e-10);
  }
}

TEST_CASE("a box average runs over the swept axes and takes the middle of the others") {
  const Box box{{0, 1, 2}, {1, 3, 4}};
  const auto f = [](const std::array<double, 3>& x) {
    return x[0] * x[0] + 10 * x[1] * x[1] + 100 * x[2] * x[2];
  };
  const GaussRule rule = gauss_rule(4);
  CHECK(box_average(rule, box, {true, true, true}, f) ==
        doctest::Approx(1.0 / 3 + 10 * 13.0 / 3 + 100 * 28.0 / 3));
  CHECK(box_average(rule, box, {true, false, false}, f) == doctest::Approx(1.0 / 3 + 10 * 4 + 100 * 9));
}

TEST_CASE("a sphere's share of a box is its volume however the box cuts it") {
  const GaussRule rule = gauss_rule(16);
  const double pi = std::numbers::pi;
  const auto share = [&](const Box& box, bool third, double radius) {
    return sphere_average(rule, box, {true, true, third}, radius, [&](const std::array<double, 3>& x) {
      return std::hypot(x[0], x[1], third ? x[2] : 0) < radius ? 1.0 : 0.0;
    });
  };
  CHECK(share({{-1.5, -1.2, 0}, {1.1, 1.3, 1}}, false, 1) * 2.6 * 2.5 == doctest::Approx(pi).epsilon(1e-12));
  CHECK(share({{0, 0, 0}, {1, 1, 1}}, true, 1) == doctest::Approx(pi / 6).epsilon(1e-10));
  CHECK(share({{0.5, 0, 0}, {1, 0.5, 1}}, false, 1) *
            0.25 ==  // circle against a corner, by elementary geometry
        doctest::Approx(0.5 * (std::asin(0.5) + 0.5 * std::sqrt(0.75)) - 0.25).epsilon(1e-12));
  CHECK(share({{-2, -2, 0.5}, {2, 2, 1.5}}, true, 1) * 16 ==  // cap of height 1/2
        doctest::Approx(pi * 0.25 * (3 - 0.5) / 3).epsilon(1e-9));
  CHECK(share({{2, 2, 2}, {3, 3, 3}}, true, 1) == 0);
  // The pieces add up to the whole.
  double sum = 0;
  for (int k = 0; k < 5; ++k)
    for (int j = 0; j < 5; ++j)
      for (int i = 0; i < 5; ++i)
        sum += share({{-1.25 + 0.5 * i, -1.25 + 0.5 * j, -1.25 + 0.5 * k},
                      {-0.75 + 0.5 * i, -0.75 + 0.5 * j, -0.75 + 0.5 * k}},
                     true, 1.1);
  CHECK(sum * 0.125 == doctest::Approx(4 * pi / 3 * 1.331).epsilon(1e-7));
}
