// Interpolation by polynomials between sets of points on -1 <= xi <= 1, at run time.
#pragma once

#include <vector>

namespace halfstep {

/// The polynomials of Lagrange to some points, and their slopes, at other points.
struct Interpolation {
  int from, to;
  std::vector<double> value, slope;  ///< [point * from + polynomial]

  Interpolation(const std::vector<double>& points, const std::vector<double>& at);
  double L(int point, int polynomial) const { return value[point * from + polynomial]; }
  double dL(int point, int polynomial) const { return slope[point * from + polynomial]; }
};

/// Returns n equidistant points from -1 to 1, n >= 2.
std::vector<double> equidistant_points(int n);
/// Returns the n points of Gauss, Legendre and Lobatto from -1 to 1, n >= 2: both ends and the extrema of the
/// Legendre polynomial of degree n - 1.
std::vector<double> lobatto_points(int n);

}  // namespace halfstep
