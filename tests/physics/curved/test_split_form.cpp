// The flux between two states: consistent, symmetric, and true to kinetic energy and to a contact.
#include <doctest/doctest.h>

#include <cmath>

#include "physics/curved/hexahedron.hpp"

using namespace halfstep;

namespace {

const IdealGas<double> kGas{1.4};
const Vector<double> kAcross{{0.3, -0.7, 0.4}};
const Primitive<double> kLeft{1.3, 0.4, -0.2, 0.9, 0.8}, kRight{0.6, -0.5, 0.7, 0.1, 2.1};

void check_close(const Conserved<double>& a, const Conserved<double>& b) {
  CHECK(a.density == doctest::Approx(b.density).epsilon(1e-14));
  CHECK(a.mu == doctest::Approx(b.mu).epsilon(1e-14));
  CHECK(a.mv == doctest::Approx(b.mv).epsilon(1e-14));
  CHECK(a.mw == doctest::Approx(b.mw).epsilon(1e-14));
  CHECK(a.energy == doctest::Approx(b.energy).epsilon(1e-14));
}

}  // namespace

TEST_CASE("the flux between equal states is theirs, and that between two does not know which is first") {
  check_close(two_point_flux(kLeft, kLeft, kAcross, kGas),
              inviscid_flux_across(to_conserved(kLeft, kGas), kAcross, kGas));
  check_close(two_point_flux(kLeft, kRight, kAcross, kGas), two_point_flux(kRight, kLeft, kAcross, kGas));
}

TEST_CASE("momentum takes along as much kinetic energy as the mass that carries it") {
  const Conserved<double> f = two_point_flux(kLeft, kRight, kAcross, kGas);
  const double pressure = 0.5 * (kLeft.pressure + kRight.pressure);
  const double momentum[3] = {f.mu - pressure * kAcross.of[0], f.mv - pressure * kAcross.of[1],
                              f.mw - pressure * kAcross.of[2]};
  const double left[3] = {kLeft.u, kLeft.v, kLeft.w}, right[3] = {kRight.u, kRight.v, kRight.w};
  double by_momentum = 0, by_mass = 0;
  for (int k = 0; k < 3; ++k) {
    by_momentum += (left[k] - right[k]) * momentum[k];
    by_mass += 0.5 * (left[k] * left[k] - right[k] * right[k]) * f.density;
  }
  CHECK(by_momentum == doctest::Approx(by_mass).epsilon(1e-13));
}

TEST_CASE("across a contact the flux of energy is that of uniform pressure and velocity") {
  Primitive<double> other = kLeft;
  other.density = 7;
  const Conserved<double> f = two_point_flux(kLeft, other, kAcross, kGas);
  const double through = dot({{kLeft.u, kLeft.v, kLeft.w}}, kAcross);
  const double kinetic = 0.5 * (kLeft.u * kLeft.u + kLeft.v * kLeft.v + kLeft.w * kLeft.w);
  CHECK(f.energy ==
        doctest::Approx(f.density * kinetic + 1.4 / 0.4 * kLeft.pressure * through).epsilon(1e-14));
}
