// Checks of states, the first-order fallback of a face, rotation, and the CFL rate.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "physics/flux/face_flux.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/gas/cfl_rate.hpp"
#include "physics/gas/rotate.hpp"
#include "tests/support/cells.hpp"

using namespace halfstep;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Whether two states agree to round-off; a compiler may contract each inlined copy of a formula differently.
bool same(const Conserved<double>& a, const Conserved<double>& b) {
  const auto close = [](double x, double y) { return std::abs(x - y) <= 1e-14 * (1 + std::abs(y)); };
  return close(a.density, b.density) && close(a.mu, b.mu) && close(a.mv, b.mv) && close(a.mw, b.mw) &&
         close(a.energy, b.energy);
}

}  // namespace

TEST_CASE_TEMPLATE("a primitive state is physical when it is positive and finite", Real, double, float) {
  const Primitive<Real> good{1, 2, -3, 4, Real(0.1)};
  CHECK(is_admissible(good));
  CHECK(is_admissible(
      Primitive<Real>{std::numeric_limits<Real>::min(), 0, 0, 0, std::numeric_limits<Real>::min()}));
  using P = Primitive<Real>;
  for (Real P::*field : {&P::density, &P::pressure})
    for (const double bad : {0.0, -0.0, -1.0, -1e-30, infinity, -infinity, not_a_number}) {
      P q = good;
      q.*field = Real(bad);
      CHECK_FALSE(is_admissible(q));
    }
  for (Real P::*field : {&P::u, &P::v, &P::w})
    for (const double bad : {infinity, -infinity, not_a_number}) {
      P q = good;
      q.*field = Real(bad);
      CHECK_FALSE(is_admissible(q));
    }
}

TEST_CASE_TEMPLATE("a conserved state is physical when density and internal energy are positive and finite",
                   Real, double, float) {
  using C = Conserved<Real>;
  const C good{2, 1, -1, 1, 3};
  CHECK(is_admissible(good));
  for (Real C::*field : {&C::density, &C::mu, &C::mv, &C::mw, &C::energy})
    for (const double bad : {infinity, -infinity, not_a_number}) {
      C c = good;
      c.*field = Real(bad);
      CHECK_FALSE(is_admissible(c));
    }
  CHECK_FALSE(is_admissible(C{1, 0, 0, 0, 0}));
  CHECK_FALSE(is_admissible(C{1, 0, 0, 0, -1}));
  // The kinetic energy is 2: below it the pressure is negative, at it zero.
  CHECK_FALSE(is_admissible(C{1, 0, 2, 0, Real(1.9)}));
  CHECK_FALSE(is_admissible(C{1, 0, 2, 0, 2}));
  CHECK(is_admissible(C{1, 0, 2, 0, Real(2.1)}));
  // The product of two negatives must not pass for a positive, nor a density that is not finite for a normal
  // one.
  const double least = std::numeric_limits<Real>::min(), most = std::numeric_limits<Real>::max();
  for (const double density :
       {-not_a_number, not_a_number, -infinity, -most, -1.0, -least, -0.0, 0.0, least / 2, infinity})
    for (const double energy : {-not_a_number, not_a_number, -infinity, -1.0, 0.0, 1.0, most, infinity}) {
      CAPTURE(density);
      CAPTURE(energy);
      CHECK_FALSE(is_admissible(C{Real(density), 0, 0, 0, Real(energy)}));
    }
  CHECK(is_admissible(C{Real(least), 0, 0, 0, 1}));
}

TEST_CASE_TEMPLATE("an admissible state has a positive pressure for every reader", Real, float, double) {
  constexpr double roundoff = 0.5 * double(std::numeric_limits<Real>::epsilon());
  const IdealGas<Real> gas{Real(1.4)};
  const IdealGas<double> wide{1.4};
  std::uint64_t seed = 1;
  const auto random = [&] {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return 1 + static_cast<double>(seed >> 40) / (1 << 24);
  };
  int admissible = 0, refused = 0;
  for (int n = 0; n < 200000; ++n) {
    Conserved<Real> c{Real(random()), Real(random()), Real(random() - 1.5), Real(random()), 0};
    const double kinetic =
        0.5 * (double(c.mu) * c.mu + double(c.mv) * c.mv + double(c.mw) * c.mw) / c.density;
    const double excess = n % 60 - 10;  // unit roundoffs
    c.energy = Real(kinetic + excess * roundoff * kinetic);
    if (excess >= 30) CHECK(is_admissible(c, gas));
    if (!is_admissible(c)) {
      refused += 1;
      continue;
    }
    admissible += 1;
    REQUIRE(to_primitive(c, gas).pressure > 0);
    const Conserved<double> d{c.density, c.mu, c.mv, c.mw, c.energy};
    if (sizeof(Real) == 4) REQUIRE(to_primitive(d, wide).pressure > 0);
    // Takes a reciprocal that is two unit roundoffs too large, as a device may compute it.
    const Real volume = Real(1) / c.density * (1 + Real(2) * std::numeric_limits<Real>::epsilon() / 2);
    const Real u = c.mu * volume, v = c.mv * volume, w = c.mw * volume;
    REQUIRE(c.energy - Real(0.5) * (c.mw * w + (c.mv * v + c.mu * u)) > 0);
    REQUIRE(std::fma(Real(-0.5), std::fma(c.mw, w, std::fma(c.mv, v, c.mu * u)), c.energy) > 0);
  }
  CHECK(admissible > 50000);
  CHECK(refused > 50000);
}

TEST_CASE_TEMPLATE("a pressure that is no normal number is not accepted", Real, float, double) {
  const IdealGas<Real> gas{Real(1.4)};
  const Real least = std::numeric_limits<Real>::min();
  CHECK(is_admissible(Conserved<Real>{Real(1e10), 0, 0, 0, 4 * least}, gas));
  CHECK(is_admissible(Conserved<Real>{Real(1e10), 0, 0, 0, least}));
  CHECK_FALSE(is_admissible(Conserved<Real>{Real(1e10), 0, 0, 0, least}, gas));
}

TEST_CASE_TEMPLATE("a bad face falls back to first order and says so", Solver, Rusanov, Hll, Hllc, Lhllc,
                   Roe) {
  const IdealGas<double> gas;
  const Primitive<double> l{1, 0.3, 0.1, 0, 1}, r{0.5, -0.2, 0, 0.2, 0.4};
  const Primitive<double> cell_l{1.1, 0.2, 0.1, 0, 1.1}, cell_r{0.4, -0.1, 0, 0.3, 0.3};
  const auto good = checked_flux<Solver>(l, r, cell_l, cell_r, gas);
  CHECK_FALSE(good.bad);
  CHECK(same(good.flux, Solver::flux(l, r, gas)));

  const Conserved<double> first_order = Solver::flux(cell_l, cell_r, gas);
  const Primitive<double> unusable[] = {{-1, 0, 0, 0, 1},
                                        {1, 0, 0, 0, -1e-9},
                                        {not_a_number, 0, 0, 0, 1},
                                        {1, infinity, 0, 0, 1},
                                        {1, 0, 0, not_a_number, 1}};
  for (const Primitive<double>& q : unusable) {
    const auto on_left = checked_flux<Solver>(q, r, cell_l, cell_r, gas);
    const auto on_right = checked_flux<Solver>(l, q, cell_l, cell_r, gas);
    CHECK(on_left.bad);
    CHECK(on_right.bad);
    // Both sides fall back, not the bad one alone.
    CHECK(same(on_left.flux, first_order));
    CHECK(same(on_right.flux, first_order));
  }
}

TEST_CASE_TEMPLATE("a reconstruction that undershoots zero is caught at the face", Scheme, Ppm, Weno5z) {
  // Averages of x^2 - 0.3 over unit cells are positive; its value at the face x = 0 is not.
  const IdealGas<double> gas;
  std::array<Primitive<double>, 6> q;
  for (int i = 0; i < 6; ++i) {
    const double x = i - 3, average = x * x + x + 1.0 / 3 - 0.3;
    q[i] = {average, 0.1 * i, 0, 0, average};
  }
  const auto face = face_flux<Scheme, Variables::primitive, Hllc>(q.data(), gas);
  CHECK(edge_states<Scheme, Variables::primitive>(q.data(), gas).upper.density == doctest::Approx(-0.3));
  CHECK(face.bad);
  CHECK(same(face.flux, Hllc::flux(q[2], q[3], gas)));
  // Monotone slopes cannot undershoot.
  CHECK_FALSE(face_flux<Plm<Limiter::mc>, Variables::primitive, Hllc>(q.data() + 1, gas).bad);
}

TEST_CASE("the flux of a smooth face is that of its two edge states") {
  const IdealGas<double> gas;
  std::array<Primitive<double>, 6> q;
  for (int i = 0; i < 6; ++i)
    q[i] = {1 + 0.1 * std::sin(i), 0.3 * std::cos(i), 0.1 * i, -0.1 * i, 1 + 0.2 * std::cos(2.0 * i)};
  const auto l = edge_states<Weno5z, Variables::characteristic>(q.data(), gas).upper;
  const auto r = edge_states<Weno5z, Variables::characteristic>(q.data() + 1, gas).lower;
  const auto face = face_flux<Weno5z, Variables::characteristic, Hllc>(q.data(), gas);
  CHECK_FALSE(face.bad);
  CHECK(face.flux.density == doctest::Approx(Hllc::flux(l, r, gas).density).epsilon(1e-14));
  CHECK(face.flux.energy == doctest::Approx(Hllc::flux(l, r, gas).energy).epsilon(1e-14));
  // The flux is not the first-order one.
  CHECK(std::abs(face.flux.density - Hllc::flux(q[2], q[3], gas).density) > 1e-3);
}

TEST_CASE("a state turns to an axis and back") {
  const Primitive<double> q{1, 2, 3, 4, 5};
  const double normal[] = {2, 3, 4}, first[] = {3, 2, 2}, second[] = {4, 4, 3};
  for (int axis = 0; axis < 3; ++axis) {
    const Primitive<double> turned = rotated(q, axis);
    CHECK(turned.u == normal[axis]);
    CHECK(turned.v == first[axis]);
    CHECK(turned.w == second[axis]);
    const auto back =
        unrotated(Conserved<double>{turned.density, turned.u, turned.v, turned.w, turned.pressure}, axis);
    CHECK(same_bits(back, Conserved<double>{1, 2, 3, 4, 5}));
  }
}

TEST_CASE("the CFL rate adds the swept axes, and x and y may be exchanged") {
  const IdealGas<double> gas;
  const Primitive<double> q{1.4, 3, -2, 0.5, 1};  // sound speed 1
  const double all[] = {10, 20, 40}, plane[] = {10, 20, 0}, exchanged[] = {20, 10, 40};
  CHECK(cfl_rate(q, all, gas) == doctest::Approx(4 * 10 + 3 * 20 + 1.5 * 40).epsilon(1e-15));
  CHECK(cfl_rate(q, plane, gas) == doctest::Approx(100).epsilon(1e-15));
  CHECK(cfl_rate(Primitive<double>{1.4, -2, 3, 0.5, 1}, exchanged, gas) ==
        doctest::Approx(cfl_rate(q, all, gas)).epsilon(1e-15));
}
