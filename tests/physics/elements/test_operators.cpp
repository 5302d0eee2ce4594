// The one-dimensional operators of flux reconstruction, against what defines them.
#include <doctest/doctest.h>

#include <cmath>

#include "physics/cases/exact/quadrature.hpp"
#include "physics/elements/operators.hpp"

using namespace halfstep;

namespace {

template <class F>
void for_degrees(F f) {
  for (int degree = 1; degree <= kMaxDegree; ++degree) {
    CAPTURE(degree);
    with_degree(degree, f);
  }
}

/// Returns the integral of x^k over -1 <= x <= 1.
double integral(int k) { return k % 2 == 0 ? 2.0 / (k + 1) : 0; }

constexpr double kRoundOff = 1e-14;

}  // namespace

TEST_CASE("solution points are Gauss's, and integrate polynomials of degree 2 n - 1 exactly") {
  for_degrees([]<int degree>() {
    const Operators<degree>& of = operators<degree>();
    const GaussRule rule = gauss_rule(of.n);
    for (int i = 0; i < of.n; ++i) {
      CHECK(std::abs(of.xi[i] - rule.nodes[i]) < 1e-15);
      CHECK(std::abs(of.w[i] - rule.weights[i]) < 1e-15);
      CHECK(of.xi[i] == -of.xi[degree - i]);
      CHECK(of.w[i] == of.w[degree - i]);
    }
    for (int k = 0; k <= 2 * of.n; ++k) {
      double sum = 0;
      for (int i = 0; i < of.n; ++i) sum += of.w[i] * std::pow(of.xi[i], k);
      CHECK((std::abs(sum - integral(k)) < kRoundOff) == (k < 2 * of.n));
    }
  });
}

TEST_CASE("slopes and values at the ends are exact for polynomials of the degree, and of no higher one") {
  for_degrees([]<int degree>() {
    const Operators<degree>& of = operators<degree>();
    for (int k = 0; k <= of.n; ++k) {
      double most = 0;
      for (int i = 0; i < of.n; ++i) {
        double slope = 0;
        for (int j = 0; j < of.n; ++j) slope += of.D[i][j] * std::pow(of.xi[j], k);
        most = std::max(most, std::abs(slope - (k > 0 ? k * std::pow(of.xi[i], k - 1) : 0)));
      }
      for (const int side : {0, 1}) {
        double value = 0;
        for (int j = 0; j < of.n; ++j) value += of.l[side][j] * std::pow(of.xi[j], k);
        most = std::max(most, std::abs(value - (side == 0 && k % 2 == 1 ? -1 : 1)));
      }
      CHECK((most < 10 * kRoundOff) == (k <= degree));
    }
  });
}

TEST_CASE("the correction functions recover nodal discontinuous Galerkin") {
  for_degrees([]<int degree>() {
    const Operators<degree>& of = operators<degree>();
    for (int i = 0; i < of.n; ++i) {
      // The lifting of a face's flux, of Lagrange's polynomials over the diagonal mass matrix.
      CHECK(std::abs(of.g[0][i] + of.l[0][i] / of.w[i]) < 10 * kRoundOff);
      CHECK(std::abs(of.g[1][i] - of.l[1][i] / of.w[i]) < 10 * kRoundOff);
      // The weak form: the integral of the flux times a test function's slope.
      for (int j = 0; j < of.n; ++j)
        CHECK(std::abs(of.C[i][j] + of.w[j] * of.D[j][i] / of.w[i]) < 20 * kRoundOff);
    }
  });
}

TEST_CASE("what a line loses passes its ends") {
  for_degrees([]<int degree>() {
    const Operators<degree>& of = operators<degree>();
    double lower = 0, upper = 0;
    for (int i = 0; i < of.n; ++i) {
      lower += of.w[i] * of.g[0][i];
      upper += of.w[i] * of.g[1][i];
    }
    CHECK(std::abs(lower + 1) < kRoundOff);
    CHECK(std::abs(upper - 1) < kRoundOff);
    for (int j = 0; j < of.n; ++j) {
      double sum = 0;
      for (int i = 0; i < of.n; ++i) sum += of.w[i] * of.C[i][j];
      CHECK(std::abs(sum) < 10 * kRoundOff);
    }
  });
}
