// Gauss-Legendre quadrature over intervals and boxes.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// Nodes in (-1, 1), ascending and antisymmetric to the last bit; weights sum to 2. Exact for polynomials of
/// degree 2n - 1.
struct GaussRule {
  std::vector<double> nodes, weights;
};

/// Roots of the Legendre polynomial P_n by Newton's method (Abramowitz & Stegun 1964, 25.4.29).
inline GaussRule gauss_rule(int n) {
  GaussRule rule{std::vector<double>(n), std::vector<double>(n)};
  for (int i = 0; i < (n + 1) / 2; ++i) {
    double x = 2 * i + 1 == n ? 0 : std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5));
    double slope = 1;
    for (int iteration = 0; iteration < 10; ++iteration) {
      double p = 1, previous = 0;
      for (int k = 1; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * p - (k - 1) * previous) / k;
        previous = p;
        p = next;
      }
      slope = n * (x * p - previous) / (x * x - 1);
      if (2 * i + 1 != n) x -= p / slope;
    }
    rule.nodes[i] = -x;
    rule.nodes[n - 1 - i] = x;
    rule.weights[i] = rule.weights[n - 1 - i] = 2 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

/// Mean over [a, b] of f(x), whose value is anything with + and a product by a number.
template <class F>
auto interval_average(const GaussRule& rule, double a, double b, F&& f) {
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  auto sum = 0.5 * rule.weights[0] * f(middle + half * rule.nodes[0]);
  for (std::size_t i = 1; i < rule.nodes.size(); ++i)
    sum = sum + 0.5 * rule.weights[i] * f(middle + half * rule.nodes[i]);
  return sum;
}

/// Mean of f(point) over `box`, by the tensor-product rule along the axes with active[axis]; along the others
/// the point stays in the box's middle.
template <class F>
auto box_average(const GaussRule& rule, const Box& box, const std::array<bool, 3>& active, F&& f) {
  static const GaussRule middle = gauss_rule(1);
  const auto along = [&](int axis) -> const GaussRule& { return active[axis] ? rule : middle; };
  return interval_average(along(2), box.lower[2], box.upper[2], [&](double z) {
    return interval_average(along(1), box.lower[1], box.upper[1], [&](double y) {
      return interval_average(along(0), box.lower[0], box.upper[0], [&](double x) {
        return f(std::array<double, 3>{x, y, z});
      });
    });
  });
}

}  // namespace halfstep
