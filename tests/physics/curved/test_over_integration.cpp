// Over-integration: what interpolation and projection leave as it is, and what the projection is exact for.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "physics/curved/over_integration.hpp"

using namespace halfstep;

namespace {

constexpr auto in_turn = [](int count, const auto& visit) {
  for (int n = 0; n < count; ++n) visit(n);
};

double power(double x, int k) { return std::pow(x, k); }

/// A polynomial of the degree along each axis.
double polynomial(int degree, double x, double y, double z) {
  return 0.7 + power(x, degree) - 0.3 * power(y, degree) * x + 0.2 * power(z, degree) * y;
}

template <int degree, int axes>
void check_polynomial() {
  using Grid = FineGrid<degree, axes, double>;
  CAPTURE(degree);
  CAPTURE(axes);
  const auto at = [&](const auto& xi, int points, int m) {
    return polynomial(degree, xi[m % points], axes > 1 ? xi[m / points % points] : 0,
                      axes > 2 ? xi[m / (points * points)] : 0);
  };
  const Operators<degree> own;
  const Operators<Grid::q - 1> fine;
  std::vector<double> values(Grid::size, std::nan(""));
  const int points = axes == 1 ? Grid::n : axes == 2 ? Grid::n * Grid::n : Grid::n * Grid::n * Grid::n;
  for (int m = 0; m < points; ++m) values[Grid::own_place(m)] = at(own.xi, Grid::n, m);
  Grid::interpolate(values.data(), 1, in_turn);
  for (int m = 0; m < Grid::count; ++m)
    CHECK(values[Grid::place(m)] == doctest::Approx(at(fine.xi, Grid::q, m)).epsilon(1e-13));
  Grid::project(values.data(), 1, in_turn);
  for (int m = 0; m < points; ++m)
    CHECK(values[Grid::own_place(m)] == doctest::Approx(at(own.xi, Grid::n, m)).epsilon(1e-13));
}

template <int degree>
void check_product() {
  CAPTURE(degree);
  constexpr int q = FinePoints<degree>::q;
  const Operators<degree> own;
  const Operators<q - 1> fine;
  double product[q];
  for (int m = 0; m < q; ++m) product[m] = power(fine.xi[m], 2 * degree);
  change_line<double>(product, 1, fine_points<degree>().P);
  for (int k = 0; k <= degree; ++k) {
    double moment = 0;
    for (int i = 0; i <= degree; ++i) moment += own.w[i] * power(own.xi[i], k) * product[i];
    CAPTURE(k);
    CHECK(moment == doctest::Approx(k % 2 == 0 ? 2.0 / (2 * degree + k + 1) : 0).epsilon(1e-13));
  }
}

}  // namespace

TEST_CASE("polynomials of the degree are interpolated exactly, and are their own projection") {
  for (int chosen = 1; chosen <= kMaxDegree; ++chosen)
    with_degree(chosen, [&]<int degree>() {
      check_polynomial<degree, 1>();
      check_polynomial<degree, 2>();
      check_polynomial<degree, 3>();
    });
}

TEST_CASE("a product of two polynomials is projected exactly") {
  for (int chosen = 1; chosen <= kMaxDegree; ++chosen)
    with_degree(chosen, [&]<int degree>() { check_product<degree>(); });
}

TEST_CASE("fluxes that are linear in the states are those at the points, by the grid and one by one") {
  const IdealGas<double> gas{1.4};
  for (int chosen = 1; chosen <= kMaxDegree; ++chosen)
    with_degree(chosen, [&]<int degree>() {
      using Grid = FineGrid<degree, 3, double>;
      using C = Cube<degree, 3>;
      CAPTURE(degree);
      // Where velocity and pressure are uniform, all fluxes are linear in the density.
      const auto state = [&](int m) {
        return to_conserved(Primitive<double>{1.5 + std::sin(5.0 * m), 0.3, -0.4, 0.6, 0.9}, gas);
      };
      std::vector<Conserved<double>> states(Grid::size);
      std::vector<FluxTensor<double>> fluxes(Grid::size);
      for (int m = 0; m < C::points; ++m) states[Grid::own_place(m)] = state(m);
      Grid::interpolate(states.data(), 1, in_turn);
      for (int m = 0; m < Grid::count; ++m)
        for (int d = 0; d < 3; ++d) find_flux_along(d, states[Grid::place(m)], gas, fluxes[Grid::place(m)]);
      Grid::project(fluxes.data(), 1, in_turn);
      const Vector<double> across{{0.3, -0.7, 0.4}};
      const FineTable fine = fine_table(degree);
      for (int m = 0; m < C::points; m += 3) {
        const Conserved<double> flux = flux_across(fluxes[Grid::own_place(m)], state(m), across),
                                by_itself = flux_across(projected_flux_at<double>(C{}, fine, gas, m, state),
                                                        state(m), across);
        const double through = dot({{0.3, -0.4, 0.6}}, across);
        CHECK(flux.density == doctest::Approx(state(m).density * through).epsilon(1e-13));
        CHECK(flux.mv == doctest::Approx(state(m).mv * through - 0.7 * 0.9).epsilon(1e-13));
        CHECK(flux.energy == doctest::Approx((state(m).energy + 0.9) * through).epsilon(1e-13));
        CHECK(by_itself.mv == doctest::Approx(flux.mv).epsilon(1e-14));
        CHECK(by_itself.energy == doctest::Approx(flux.energy).epsilon(1e-14));
      }
    });
}
