#include "physics/curved/interpolation.hpp"

#include <cmath>
#include <numbers>

#include "physics/elements/operators.hpp"

namespace halfstep {

Interpolation::Interpolation(const std::vector<double>& points, const std::vector<double>& at)
    : from(static_cast<int>(points.size())),
      to(static_cast<int>(at.size())),
      value(points.size() * at.size()),
      slope(points.size() * at.size()) {
  for (int p = 0; p < to; ++p)
    for (int j = 0; j < from; ++j) {
      double product = 1, sum = 0;  // of the factors, and of the products that lack one of them
      for (int m = 0; m < from; ++m) {
        if (m == j) continue;
        const double factor = (at[p] - points[m]) / (points[j] - points[m]);
        sum = sum * factor + product / (points[j] - points[m]);
        product *= factor;
      }
      value[p * from + j] = product;
      slope[p * from + j] = sum;
    }
}

std::vector<double> equidistant_points(int n) {
  std::vector<double> points;
  for (int i = 0; i < n; ++i) points.push_back(double(2 * i - (n - 1)) / (n - 1));
  return points;
}

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
