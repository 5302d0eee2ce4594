#include "physics/curved/lobatto_points.hpp"

#include <cmath>
#include <numbers>

#include "physics/elements/operators.hpp"

namespace halfstep {

std::vector<double> lobatto_points(int n) {
  const int degree = n - 1;
  std::vector<double> points(n);
  for (int i = 0; i < n; ++i) {
    double x = -std::cos(std::numbers::pi * i / degree);
    for (int iteration = 0; iteration < 50 && i > 0 && i < degree; ++iteration) {
      // Newton's method on P', whose slope Legendre's equation gives: (1 - x^2) P'' = 2 x P' - n (n + 1) P.
      const ValueAndSlope p = legendre(degree, x);
      const double curvature = (2 * x * p.slope - degree * (degree + 1) * p.value) / (1 - x * x);
      x -= p.slope / curvature;
    }
    points[i] = x;
  }
  points.front() = -1;
  points.back() = 1;
  for (int i = 0; i < n / 2; ++i) points[n - 1 - i] = -points[i];
  if (n % 2 == 1) points[n / 2] = 0;
  return points;
}

}  // namespace halfstep
