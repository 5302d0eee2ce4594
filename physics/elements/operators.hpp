// The one-dimensional operators of flux reconstruction on -1 <= xi <= 1, tables of the degree: H. T. Huynh, A
// flux reconstruction approach to high-order schemes including discontinuous Galerkin methods, AIAA Paper
// 2007-4079. Elements of several dimensions apply them along the lines of their points.
#pragma once

#include <stdexcept>

#include "physics/flux/scheme.hpp"

namespace halfstep {

/// A polynomial's value and slope.
struct ValueAndSlope {
  double value, slope;
};

/// Returns Legendre's polynomial P_k, k >= 0.
constexpr ValueAndSlope legendre(int k, double xi) {
  ValueAndSlope p{1, 0}, before{0, 0};
  for (int m = 1; m <= k; ++m) {
    const ValueAndSlope next{((2 * m - 1) * xi * p.value - (m - 1) * before.value) / m,
                             before.slope + (2 * m - 1) * p.value};
    before = p;
    p = next;
  }
  return p;
}

template <int degree>
struct Operators {
  static constexpr int n = degree + 1;  ///< solution points along an axis

  double xi[n];  ///< the points: Gauss's, ascending, symmetric to the last bit
  double w[n];   ///< their weights, whose sum is 2; exact for polynomials of degree 2 n - 1
  double inverse_w[n];
  double l[2][n];     ///< Lagrange's polynomials of the points at xi = -1 and 1: extrapolation to the faces
  double D[n][n];     ///< D[i][j]: their slopes, of polynomial j at point i
  double g[2][n];     ///< slopes of the correction functions g_L and g_R at the points
  double lift[2][n];  ///< what a face's own correction adds there: l g
  double C[n][n];     ///< D without what the flux's own values at the faces add: D - g_L' l_L - g_R' l_R

  constexpr Operators() : xi{}, w{}, inverse_w{}, l{}, D{}, g{}, lift{}, C{} {
    find_points();
    double weight[n] = {};  // of barycentric interpolation
    for (int j = 0; j < n; ++j) {
      weight[j] = 1;
      for (int m = 0; m < n; ++m)
        if (m != j) weight[j] /= xi[j] - xi[m];
    }
    for (int j = 0; j < n; ++j) {
      for (int side = 0; side < 2; ++side) {
        l[side][j] = weight[j];
        for (int m = 0; m < n; ++m)
          if (m != j) l[side][j] *= (side == 0 ? -1 : 1) - xi[m];
      }
      for (int i = 0; i < n; ++i)
        if (i != j) {
          D[i][j] = weight[j] / (weight[i] * (xi[i] - xi[j]));
          D[i][i] -= D[i][j];
        }
    }
    // g_L is the right Radau polynomial, which recovers nodal discontinuous Galerkin: (-1)^n (P_n - P_(n-1))
    // / 2. g_R is its mirror image.
    for (int i = 0; i < n; ++i) {
      g[0][i] = (n % 2 == 0 ? 0.5 : -0.5) * (legendre(n, xi[i]).slope - legendre(n - 1, xi[i]).slope);
      g[1][n - 1 - i] = -g[0][i];
    }
    for (int i = 0; i < n; ++i) {
      inverse_w[i] = 1 / w[i];
      for (int side = 0; side < 2; ++side) lift[side][i] = l[side][i] * g[side][i];
      for (int j = 0; j < n; ++j) C[i][j] = D[i][j] - g[0][i] * l[0][j] - g[1][i] * l[1][j];
    }
  }

 private:
  /// Finds the roots of P_n, the largest first, by Newton's method on P_n without the roots that are known:
  /// from above it comes down to the next one.
  constexpr void find_points() {
    for (int m = 0; m < n; ++m) {
      const int i = n - 1 - m;
      double x = 1;
      for (int iteration = 0; iteration < 100; ++iteration) {
        const ValueAndSlope p = legendre(n, x);
        double known = 0;
        for (int other = i + 1; other < n; ++other) known += 1 / (x - xi[other]);
        x -= p.value / (p.slope - p.value * known);
      }
      xi[i] = x;
    }
    for (int i = 0; i < n / 2; ++i) xi[i] = -xi[n - 1 - i];
    if (n % 2 == 1) xi[n / 2] = 0;
    for (int i = 0; i < n; ++i) {
      const double slope = legendre(n, xi[i]).slope;
      w[i] = 2 / ((1 - xi[i] * xi[i]) * slope * slope);
    }
  }
};

/// Returns the operators of a degree; a variable could not be named in device code.
template <int degree>
HALFSTEP_HD const Operators<degree>& operators() {
  static constexpr Operators<degree> all{};
  return all;
}

/// The operators of a degree known at run time.
template <class Real>
struct OperatorTable {
  static constexpr int kMost = kMaxDegree + 1;

  Real w[kMost], inverse_w[kMost], l[2][kMost], g[2][kMost], lift[2][kMost], D[kMost][kMost], C[kMost][kMost];

  OperatorTable() = default;
  template <int degree>
  explicit OperatorTable(const Operators<degree>& of) : OperatorTable{} {
    for (int i = 0; i <= degree; ++i) {
      w[i] = Real(of.w[i]);
      inverse_w[i] = Real(of.inverse_w[i]);
      for (int side = 0; side < 2; ++side) {
        l[side][i] = Real(of.l[side][i]);
        g[side][i] = Real(of.g[side][i]);
        lift[side][i] = Real(of.lift[side][i]);
      }
      for (int j = 0; j <= degree; ++j) {
        D[i][j] = Real(of.D[i][j]);
        C[i][j] = Real(of.C[i][j]);
      }
    }
  }
};

/// Calls f.template operator()<degree>() with a degree chosen at run time.
template <class F>
auto with_degree(int degree, F&& f) {
  static_assert(kMaxDegree == 5);
  switch (degree) {
    case 1:
      return f.template operator()<1>();
    case 2:
      return f.template operator()<2>();
    case 3:
      return f.template operator()<3>();
    case 4:
      return f.template operator()<4>();
    case 5:
      return f.template operator()<5>();
  }
  throw std::logic_error("no such degree");
}

template <class Real>
OperatorTable<Real> operator_table(int degree) {
  return with_degree(degree, [&]<int own>() { return OperatorTable<Real>(operators<own>()); });
}

}  // namespace halfstep
