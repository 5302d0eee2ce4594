// The mass fraction at a face and the flux of a scalar. Compiled without contraction: a face has the same
// bits seen along the flow or against it, so that a solver may do either.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "physics/flux/face_flux.hpp"
#include "physics/flux/scalar_flux.hpp"

using namespace halfstep;

TEST_CASE_TEMPLATE("an edge value stays in [0, 1] and within three times what the cell has", Real, double,
                   float) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(0, 1), wild(-3, 4);
  const Real round_off = 4 * std::numeric_limits<Real>::epsilon();
  for (int n = 0; n < 10000; ++n) {
    const Real average = Real(number(random)), edge = bounded_fraction(Real(wild(random)), average);
    REQUIRE(edge >= 0);
    REQUIRE(edge <= 1);
    REQUIRE(edge <= 3 * average + round_off);
    REQUIRE(1 - edge <= 3 * (1 - average) + round_off);
  }
  CHECK(bounded_fraction(Real(0.7), Real(0.6)) == Real(0.7));
  // Round-off may have put an average just outside [0, 1].
  CHECK(bounded_fraction(Real(0.1), Real(-1e-9)) == 0);
  CHECK(bounded_fraction(Real(0.9), Real(1.001)) == 1);
}

TEST_CASE_TEMPLATE("the edge of a uniform mass fraction is that fraction", R, Constant, Plm<Limiter::minmod>,
                   Plm<Limiter::van_leer>, Plm<Limiter::mc>, Ppm, Weno5z) {
  constexpr int n = 2 * R::radius + 1;
  std::array<double, n> y;
  for (const double fraction : {0.0, 0.3, 1.0}) {
    y.fill(fraction);
    CHECK(upper_edge_fraction<R>(y.data()) == fraction);
  }
}

/// Returns the flux of a scalar with the mass fractions `y` around a face.
template <class R>
double flux_of(const double* y, double mass_flux, bool first_order) {
  return scalar_flux<R>([y](int m) { return y[m]; }, mass_flux, first_order);
}

TEST_CASE("mass takes the fraction of the side it comes from") {
  const double y[] = {0.1, 0.2, 0.4, 0.7, 0.8, 0.9};
  CHECK(flux_of<Constant>(y + 2, 2.0, false) == 2 * 0.4);
  CHECK(flux_of<Constant>(y + 2, -2.0, false) == -2 * 0.7);
  CHECK(flux_of<Constant>(y + 2, 0.0, false) == 0);
  CHECK(flux_of<Weno5z>(y, 3.0, true) == 3 * 0.4);
  CHECK(flux_of<Weno5z>(y, -3.0, true) == -3 * 0.7);
  CHECK(flux_of<Weno5z>(y, 3.0, false) == 3 * upper_edge_fraction<Weno5z>(y));
  const double mirrored[] = {0.9, 0.8, 0.7, 0.4, 0.2, 0.1};
  CHECK(flux_of<Weno5z>(y, -3.0, false) == -flux_of<Weno5z>(mirrored, 3.0, false));
}

TEST_CASE_TEMPLATE("a cell that loses less than a third of its mass keeps a fraction in [0, 1]", R, Constant,
                   Plm<Limiter::minmod>, Plm<Limiter::van_leer>, Plm<Limiter::mc>, Ppm, Weno5z) {
  constexpr int r = R::radius, cells = 200;
  std::mt19937 random(2);
  std::uniform_real_distribution<double> number(0, 1);
  // Takes fractions of 0, 1 and all between side by side, and random fluxes. The mass that a cell loses
  // through two faces is at most a third of the least mass of a cell.
  std::vector<double> y(cells + 2 * r + 2), mass(cells), flux(cells + 1), carried(cells + 1);
  for (int round = 0; round < 200; ++round) {
    for (double& value : y) value = std::clamp(2 * number(random) - 0.5, 0.0, 1.0);
    for (double& value : mass) value = 1 + 9 * number(random);
    for (int face = 0; face <= cells; ++face) {
      flux[face] = (2 * number(random) - 1) / 6;
      carried[face] = flux_of<R>(y.data() + face, flux[face], number(random) < 0.05);
    }
    for (int n = 0; n < cells; ++n) {
      const double after = mass[n] - (flux[n + 1] - flux[n]);
      const double scalar = mass[n] * y[n + r + 1] - (carried[n + 1] - carried[n]);
      REQUIRE(scalar >= -1e-15);
      REQUIRE(scalar <= after + 1e-14);
    }
  }
}
