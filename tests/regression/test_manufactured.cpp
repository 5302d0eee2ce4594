// A manufactured flow of the Navier-Stokes equations in elements: sources hold a smooth steady flow, found
// here from the equations alone.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "tests/support/run_case.hpp"

using namespace halfstep;

namespace {

constexpr double kGamma = 1.4, kPrandtl = 0.72;

/// A value and its slopes along x and y.
struct Dual {
  double value, x = 0, y = 0;
};
Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.x + b.x, a.y + b.y}; }
Dual operator*(double s, const Dual& a) { return {s * a.value, s * a.x, s * a.y}; }
Dual operator/(const Dual& a, const Dual& b) {
  const double v = a.value / b.value;
  return {v, (a.x - v * b.x) / b.value, (a.y - v * b.y) / b.value};
}
/// Returns sin(2 pi (kx x + ky y) + phase).
Dual wave(double kx, double ky, double phase, double x, double y) {
  const double turn = 2 * std::numbers::pi, a = turn * (kx * x + ky * y) + phase;
  return {std::sin(a), turn * kx * std::cos(a), turn * ky * std::cos(a)};
}

struct Flow {
  Dual density, u, v, pressure;

  Flow(double x, double y)
      : density(Dual{1} + 0.1 * wave(1, 1, 0, x, y)),
        u(Dual{0.5} + 0.2 * wave(1, -1, 0.3, x, y)),
        v(Dual{-0.3} + 0.2 * wave(0, 1, 1.1, x, y) + 0.1 * wave(1, 0, 0.7, x, y)),
        pressure(Dual{1} + 0.1 * wave(-1, 1, 2.0, x, y)) {}
  Conserved<double> conserved() const {
    return to_conserved(Primitive<double>{density.value, u.value, v.value, 0, pressure.value},
                        IdealGas<double>{kGamma});
  }
  /// Returns the flux along x (axis 0) or y of a gas of viscosity mu, by the textbook.
  std::array<double, 4> flux(int axis, double mu) const {
    const double divergence = u.x + v.y, kappa = mu * kGamma / (kGamma - 1) / kPrandtl;
    const double xx = mu * (2 * u.x - 2.0 / 3 * divergence), yy = mu * (2 * v.y - 2.0 / 3 * divergence),
                 xy = mu * (u.y + v.x);
    const Dual temperature = pressure / density;
    const double q = axis == 0 ? -kappa * temperature.x : -kappa * temperature.y;
    const double to_x = axis == 0 ? xx : xy, to_y = axis == 0 ? xy : yy,
                 through = axis == 0 ? u.value : v.value;
    const double energy =
        pressure.value / (kGamma - 1) + 0.5 * density.value * (u.value * u.value + v.value * v.value);
    return {density.value * through,
            density.value * u.value * through + (axis == 0 ? pressure.value : 0) - to_x,
            density.value * v.value * through + (axis == 1 ? pressure.value : 0) - to_y,
            (energy + pressure.value) * through - u.value * to_x - v.value * to_y + q};
  }
};

/// Returns the divergence of the fluxes, by central differences of eighth order.
Conserved<double> divergence(double x, double y, double viscosity) {
  constexpr double h = 5e-3, weights[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  std::array<double, 4> sum{};
  for (int axis = 0; axis < 2; ++axis)
    for (int k = 1; k <= 4; ++k) {
      const double dx = axis == 0 ? k * h : 0, dy = axis == 1 ? k * h : 0;
      const auto above = Flow(x + dx, y + dy).flux(axis, viscosity),
                 below = Flow(x - dx, y - dy).flux(axis, viscosity);
      for (int f = 0; f < 4; ++f) sum[f] += weights[k - 1] / h * (above[f] - below[f]);
    }
  return {sum[0], sum[1], sum[2], 0, sum[3]};
}

/// Returns f(x, y) at every point of the mesh.
template <class F>
Fields at_points(const Mesh& mesh, const F& f) {
  Fields all;
  for (const auto& place : mesh.points->place) append(all, f(place[0], place[1]));
  return all;
}

/// Returns a * A + b * B.
Fields combined(double a, const Fields& of_a, double b, const Fields& of_b) {
  Fields sum = of_a;
  for (int f = 0; f < kFields; ++f)
    for (std::size_t n = 0; n < sum.conserved[f].size(); ++n)
      sum.conserved[f][n] = a * sum.conserved[f][n] + b * of_b.conserved[f][n];
  return sum;
}

/// A mesh of n elements along each axis, and the gas in them.
struct Setup {
  int degree, n;
  double viscosity;
  std::string dealiasing;

  /// Returns a step that is stable for ssprk3.
  double dt() const {
    const double width = 1.0 / (n * (degree + 1));
    return std::min((degree == 5 ? 0.002 : 0.004) * width / viscosity, 0.15 / (degree + 1)) * width;
  }
};

/// Returns the L2 error, over all fields, of the flow that its sources have held until `end`.
double error_of(const Setup& of, double end) {
  CaseRun run(
      "uniform",
      {"scheme.method=flux_reconstruction", "scheme.degree=" + std::to_string(of.degree),
       "scheme.dealiasing=" + of.dealiasing, "output.budgets=false", "scheme.integrator=euler",
       "soft_error.cfl_limit=0", "time.end=1", "mesh.map={kind: bend, amplitude: 0.04}", "mesh.order=4",
       "mesh.lower=[0,0,0]", "mesh.upper=[1,1,1]", "mesh.boundary={x: periodic, y: periodic, z: periodic}",
       "mesh.cells=[" + std::to_string(of.n) + "," + std::to_string(of.n) + ",1]",
       "gas.gamma=" + std::to_string(kGamma), "gas.viscosity=" + std::to_string(of.viscosity),
       "gas.prandtl=" + std::to_string(kPrandtl), "time.dt=" + std::to_string(of.dt())});
  const Fields exact = at_points(run.mesh(), [](double x, double y) { return Flow(x, y).conserved(); });
  const Fields source =
      at_points(run.mesh(), [&](double x, double y) { return divergence(x, y, of.viscosity); });
  const auto euler = [&](const Fields& u) {
    run.begin_from(u);
    const std::int64_t next = run.state.step + 1;
    run.run(next);
    REQUIRE(run.state.step == next);
    return combined(1, run.fields(), run.steps.back().dt, source);
  };
  Fields u = exact;
  for (double time = 0; time < end; time += run.steps.back().dt) {  // ssprk3, of stages with sources
    const Fields second = combined(0.75, u, 0.25, euler(euler(u)));
    u = combined(1.0 / 3, u, 2.0 / 3, euler(second));
  }
  double sum = 0, volume = 0;
  for (std::size_t m = 0; m < run.mesh().points->volume.size(); ++m) {
    for (int f = 0; f < kFields; ++f)
      sum += run.mesh().points->volume[m] * std::pow(u.conserved[f][m] - exact.conserved[f][m], 2);
    volume += run.mesh().points->volume[m];
  }
  return std::sqrt(sum / volume);
}

/// Returns the order of convergence from a mesh to one of twice as many elements along each axis.
double order_of(Setup setup) {
  const double coarse = error_of(setup, 0.3);
  setup.n *= 2;
  const double fine = error_of(setup, 0.3);
  CAPTURE(coarse);
  CAPTURE(fine);
  REQUIRE(fine > 0);
  return std::log2(coarse / fine);
}

/// Checks the orders of all degrees. The split form is of the same functions in each.
void check_orders(double viscosity, double beyond_degree) {
  constexpr int kElements[] = {8, 8, 7, 5, 4};
  for (const std::string dealiasing : {"none", "split_form"})
    for (int degree = 1; degree <= (dealiasing == "none" ? 5 : 3); ++degree) {
      CAPTURE(degree);
      CAPTURE(dealiasing);
      CHECK(order_of({degree, kElements[degree - 1], viscosity, dealiasing}) > degree + beyond_degree);
    }
}

}  // namespace

TEST_CASE("a manufactured viscous flow in bent elements converges with order degree + 1") {
  check_orders(1e-4, 0.8);
}

TEST_CASE("where viscosity rules in an element, density and pressure lose up to half an order") {
  // As elements of Stokes's equations lose a whole one: Cockburn, Kanschat, Schotzau & Schwab, SIAM J. Numer.
  // Anal. 40 (2002) 319.
  check_orders(0.01, 0.3);
}
