// Points and weights of Gauss-Legendre quadrature.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

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

}  // namespace halfstep
