// Every reconstruction: what it reproduces exactly, its order, its symmetry, and its behaviour at jumps.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include "physics/flux/face_flux.hpp"

using namespace halfstep;

namespace {

/// Returns the edges of the middle one of five cells, from as many averages as the scheme's radius needs.
/// `large` is the scale of a large change of the data.
template <class Scheme, class Real>
EdgeIncrements<Real> edges_of(const std::array<Real, 5>& q, Real large = 1) {
  Real d[4];
  for (int i = 0; i < 4; ++i) d[i] = q[i + 1] - q[i];
  return Scheme::edges(d + 2 - Scheme::radius, Real(1) / (large * large));
}

/// Returns averages over five cells of width h, the middle one from `at` on, given the antiderivative.
template <class F>
std::array<double, 5> averages(F&& antiderivative, double at, double h = 1) {
  std::array<double, 5> q;
  for (int i = 0; i < 5; ++i) {
    const double x = at + (i - 2) * h;
    q[i] = (antiderivative(x + h) - antiderivative(x)) / h;
  }
  return q;
}

/// Returns the largest error of both edge values of a sine over one period of n cells, or their mean:
/// limiters that clip extrema do so in few cells.
template <class Scheme>
double sine_error(int n, bool mean = false) {
  const double h = 2 * std::numbers::pi / n;
  double worst = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    const double x = 0.1 + i * h;  // extrema fall inside cells, at no special place
    const auto q = averages([](double s) { return -std::cos(s); }, x, h);
    const auto e = edges_of<Scheme>(q);
    const double lower = std::abs(q[2] + e.lower - std::sin(x)),
                 upper = std::abs(q[2] + e.upper - std::sin(x + h));
    worst = std::max({worst, lower, upper});
    sum += lower + upper;
  }
  return mean ? sum / (2 * n) : worst;
}

/// Returns numbers of both signs over many orders of magnitude, now and then equal or zero.
template <class Real>
std::array<Real, 5> rough_data(std::mt19937& random) {
  std::uniform_real_distribution<double> exponent(-6, 6), sign(-1, 1);
  std::array<Real, 5> q;
  for (Real& x : q) x = Real(std::copysign(std::pow(10.0, exponent(random)), sign(random)));
  if (sign(random) > 0.5) q[1] = q[2];
  if (sign(random) > 0.5) q[4] = q[3];
  return q;
}

std::array<double, 5> monotone_data(std::mt19937& random) {
  std::uniform_real_distribution<double> exponent(-4, 1), choice(0, 1);
  std::array<double, 5> q{0};
  for (int i = 1; i < 5; ++i) q[i] = q[i - 1] + (choice(random) < 0.1 ? 0 : std::pow(10.0, exponent(random)));
  if (choice(random) < 0.5)
    for (double& x : q) x = -x;
  return q;
}

using Minmod = Plm<Limiter::minmod>;
using VanLeer = Plm<Limiter::van_leer>;
using Mc = Plm<Limiter::mc>;

using Air = IdealGas<double>;
using State = Primitive<double>;

bool same_bits(const State& a, const State& b) {
  return a.density == b.density && a.u == b.u && a.v == b.v && a.w == b.w && a.pressure == b.pressure;
}

}  // namespace

TEST_CASE_TEMPLATE("constants are reconstructed to the last bit", Scheme, Constant, Minmod, VanLeer, Mc, Ppm,
                   Weno5z) {
  for (const double value : {0.0, 1.0, 0.1, -1e300, 1e-300}) {
    const auto e = edges_of<Scheme>(std::array<double, 5>{value, value, value, value, value});
    CHECK(e.lower == 0);
    CHECK(e.upper == 0);
  }
  const auto single = edges_of<Scheme>(std::array<float, 5>{0.1f, 0.1f, 0.1f, 0.1f, 0.1f});
  CHECK(single.lower == 0);
  CHECK(single.upper == 0);
}

TEST_CASE_TEMPLATE("a uniform flow stays uniform to the last bit in either variables", Scheme, Constant,
                   Minmod, VanLeer, Mc, Ppm, Weno5z) {
  const State q{0.3, 1.1, -0.7, 0.9, 1.7e-3};
  const std::array<State, 5> cells{q, q, q, q, q};
  const auto primitive = edge_states<Scheme, Variables::primitive>(cells.data(), Air{});
  const auto characteristic = edge_states<Scheme, Variables::characteristic>(cells.data(), Air{});
  for (const State& edge : {primitive.lower, primitive.upper, characteristic.lower, characteristic.upper})
    CHECK(same_bits(edge, q));
}

TEST_CASE_TEMPLATE("linear data is reconstructed exactly", Scheme, Minmod, VanLeer, Mc, Ppm, Weno5z) {
  for (const double slope : {1.0, -0.3, 1e-8, -7e9}) {
    std::array<double, 5> q;
    for (int i = 0; i < 5; ++i) q[i] = slope * i;
    const auto e = edges_of<Scheme>(q);
    CHECK(e.upper == doctest::Approx(0.5 * slope).epsilon(1e-14));
    CHECK(e.lower == doctest::Approx(-0.5 * slope).epsilon(1e-14));
  }
}

TEST_CASE_TEMPLATE("parabolas are reconstructed exactly, their extrema too", Scheme, Ppm, Weno5z) {
  const auto cubed = [](double x) { return x * x * x / 3; };
  for (const double at :
       {5.0, 3.0, -6.5, -0.5, -0.25, 0.0}) {  // lower edge of the cell; the extremum is at 0
    const auto q = averages(cubed, at);
    const auto e = edges_of<Scheme>(q);
    INFO("cell from ", at);
    CHECK(q[2] + e.lower == doctest::Approx(at * at).epsilon(1e-13).scale(1));
    CHECK(q[2] + e.upper == doctest::Approx((at + 1) * (at + 1)).epsilon(1e-13).scale(1));
  }
}

TEST_CASE("edge values converge with the order of the scheme") {
  const auto order = [](double coarse, double fine) { return std::log2(coarse / fine); };
  // WENO5-Z with p = 2 keeps its order at extrema, hence the largest error.
  CHECK(order(sine_error<Weno5z>(40), sine_error<Weno5z>(80)) > 4.8);
  CHECK(order(sine_error<Weno5z>(80), sine_error<Weno5z>(160)) > 4.8);
  CHECK(sine_error<Weno5z>(80) < 1e-6);
  // PPM has fourth-order edge values, extrema included.
  CHECK(order(sine_error<Ppm>(40), sine_error<Ppm>(80)) > 3.8);
  CHECK(order(sine_error<Ppm>(80), sine_error<Ppm>(160)) > 3.8);
  // Slopes are clipped at extrema: second order in the mean.
  CHECK(order(sine_error<Minmod>(80, true), sine_error<Minmod>(160, true)) > 1.8);
  CHECK(order(sine_error<VanLeer>(80, true), sine_error<VanLeer>(160, true)) > 1.8);
  CHECK(order(sine_error<Mc>(80, true), sine_error<Mc>(160, true)) > 1.8);
}

TEST_CASE_TEMPLATE("reversed data gives reversed edges to the last bit", Scheme, Minmod, VanLeer, Mc, Ppm,
                   Weno5z) {
  std::mt19937 random(1);
  for (int n = 0; n < 20000; ++n) {
    const auto check = [](auto q) {
      auto reversed = q;
      std::reverse(reversed.begin(), reversed.end());
      const auto e = edges_of<Scheme>(q), r = edges_of<Scheme>(reversed);
      REQUIRE(e.lower == r.upper);
      REQUIRE(e.upper == r.lower);
    };
    check(rough_data<double>(random));
    check(rough_data<float>(random));
  }
}

TEST_CASE_TEMPLATE("the sign of data carries over to the last bit", Scheme, Minmod, VanLeer, Mc, Ppm,
                   Weno5z) {
  std::mt19937 random(2);
  for (int n = 0; n < 20000; ++n) {
    const auto q = rough_data<double>(random);
    auto negative = q;
    for (double& x : negative) x = -x;
    const auto e = edges_of<Scheme>(q), m = edges_of<Scheme>(negative);
    REQUIRE(e.lower == -m.lower);
    REQUIRE(e.upper == -m.upper);
  }
}

TEST_CASE_TEMPLATE("monotone data gets no new extrema", Scheme, Minmod, VanLeer, Mc, Ppm) {
  std::mt19937 random(3);
  for (int n = 0; n < 50000; ++n) {
    const auto q = monotone_data(random);
    const auto e = edges_of<Scheme>(q);
    const double size = std::abs(q[4] - q[0]), up = q[4] >= q[0] ? 1 : -1, round_off = 1e-14 * size;
    // Edge values lie between the averages of the cell and of its neighbour.
    REQUIRE(up * e.lower <= round_off);
    REQUIRE(up * e.upper >= -round_off);
    REQUIRE(up * (q[2] + e.lower - q[1]) >= -round_off);
    REQUIRE(up * (q[3] - q[2] - e.upper) >= -round_off);
  }
}

TEST_CASE("limiters are what the literature says") {
  const auto slope = []<Limiter limiter>(double below, double above) {
    return limited_slope<limiter>(below, above);
  };
  const auto minmod = [&](double a, double b) { return slope.operator()<Limiter::minmod>(a, b); };
  const auto van_leer = [&](double a, double b) { return slope.operator()<Limiter::van_leer>(a, b); };
  const auto mc = [&](double a, double b) { return slope.operator()<Limiter::mc>(a, b); };
  CHECK(minmod(1, 3) == 1);
  CHECK(minmod(-3, -1) == -1);
  CHECK(van_leer(1, 3) == doctest::Approx(1.5));  // the harmonic mean
  CHECK(van_leer(-1, -3) == doctest::Approx(-1.5));
  CHECK(mc(1, 3) == 2);  // the centred slope is 2 and so is twice the smaller difference
  CHECK(mc(1, 4) == 2);
  CHECK(mc(2, 3) == 2.5);
  CHECK(mc(-4, -1) == -2);
  for (const auto& f : {std::pair{1.0, -1.0}, {-2.0, 1.0}, {0.0, 5.0}, {5.0, 0.0}, {0.0, 0.0}}) {
    CHECK(minmod(f.first, f.second) == 0);
    CHECK(van_leer(f.first, f.second) == 0);
    CHECK(mc(f.first, f.second) == 0);
  }
}

TEST_CASE("WENO5-Z leaves jumps to the smooth side") {
  for (const double jump : {1.0, -1e6, 1e-6}) {
    // Puts the jump at each of the four places of the stencil: where no smooth substencil is left, the cell
    // is flat.
    for (int place = 1; place <= 4; ++place) {
      std::array<double, 5> q{};
      for (int i = place; i < 5; ++i) q[i] = jump;
      const auto e = edges_of<Weno5z>(q, std::abs(jump));
      INFO("jump ", jump, " below cell ", place);
      CHECK(std::abs(e.lower) < 1e-12 * std::abs(jump));
      CHECK(std::abs(e.upper) < 1e-12 * std::abs(jump));
    }
  }
  const std::array<float, 5> q{0, 0, 0, 1e6f, 1e6f};
  CHECK(std::abs(edges_of<Weno5z>(q, 1e6f).upper) < 1.0f);
}

TEST_CASE("WENO5-Z has the linear fifth-order weights where data is flat but for noise") {
  std::mt19937 random(12);
  std::uniform_real_distribution<double> noise(-1e-9, 1e-9);
  for (int n = 0; n < 1000; ++n) {
    std::array<double, 5> q;
    for (double& x : q) x = noise(random);
    const auto e = edges_of<Weno5z>(q);
    // Compares with the fifth-order value of Jiang & Shu (1996), eq. 2.14, on cell averages.
    const double upper = (2 * q[0] - 13 * q[1] + 47 * q[2] + 27 * q[3] - 3 * q[4]) / 60;
    REQUIRE(std::abs(q[2] + e.upper - upper) < 1e-13);
  }
}

TEST_CASE_TEMPLATE("WENO5-Z stays finite for jumps of any size", Real, double, float) {
  std::mt19937 random(4);
  for (int n = 0; n < 20000; ++n) {
    const auto q = rough_data<Real>(random);
    for (const Real large : {Real(1e-3), Real(1), Real(1e6)}) {
      const auto e = edges_of<Weno5z>(q, large);
      REQUIRE(std::isfinite(e.lower));
      REQUIRE(std::isfinite(e.upper));
    }
  }
}

TEST_CASE_TEMPLATE("characteristic variables keep a contact a contact", Scheme, Minmod, VanLeer, Mc, Ppm,
                   Weno5z) {
  std::array<State, 5> cells;
  const double densities[] = {1.0, 1.3, 2.1, 3.9, 4.0};
  for (int i = 0; i < 5; ++i) cells[i] = {densities[i], 0.4, -0.2, 0.1, 0.7};
  const State* first = cells.data() + 2 - Scheme::radius;
  const auto c = edge_states<Scheme, Variables::characteristic>(first, Air{});
  const auto p = edge_states<Scheme, Variables::primitive>(first, Air{});
  for (const auto& [one, other] : {std::pair{c.lower, p.lower}, {c.upper, p.upper}}) {
    CHECK(one.density == doctest::Approx(other.density).epsilon(1e-14));
    CHECK(one.density != cells[2].density);
    CHECK(one.u == 0.4);
    CHECK(one.v == -0.2);
    CHECK(one.w == 0.1);
    CHECK(one.pressure == 0.7);
  }
}

TEST_CASE_TEMPLATE("characteristic variables keep a sound wave in its family", Scheme, Minmod, VanLeer, Mc,
                   Ppm, Weno5z) {
  const Air gas;
  const double density = 1.2, pressure = 0.8, c = sound_speed(density, pressure, gas),
               impedance = density * c;
  for (const double side : {-1.0, 1.0}) {
    std::array<State, 5> cells;
    const double bumps[] = {-0.10, -0.04, 0, 0.05, 0.07};
    for (int i = 0; i < 5; ++i) {
      const double dp = bumps[i];
      cells[i] = {density + dp / (c * c), 0.3 + side * dp / impedance, 0, 0, pressure + dp};
    }
    const auto e = edge_states<Scheme, Variables::characteristic>(cells.data() + 2 - Scheme::radius, gas);
    for (const State& edge : {e.lower, e.upper}) {
      const double dp = edge.pressure - pressure;
      CHECK(std::abs(dp) > 0.01);
      CHECK(edge.u - 0.3 == doctest::Approx(side * dp / impedance).epsilon(1e-12));
      CHECK(edge.density - density == doctest::Approx(dp / (c * c)).epsilon(1e-12));
    }
  }
}

TEST_CASE("piecewise constant states are the cells', whatever the variables") {
  const State q{0.3, 1.1, -0.7, 0.9, 1.7e-3};
  const auto p = edge_states<Constant, Variables::primitive>(&q, Air{});
  const auto c = edge_states<Constant, Variables::characteristic>(&q, Air{});
  for (const State& edge : {p.lower, p.upper, c.lower, c.upper}) CHECK(same_bits(edge, q));
}
