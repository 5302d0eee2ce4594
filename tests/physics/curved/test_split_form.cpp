// The split form. The flux between two states: consistent, symmetric, and true to kinetic energy and to a
// contact. Elements: kinetic energy leaves through their ends alone.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "physics/curved/geometry.hpp"
#include "physics/curved/hexahedra_tables.hpp"
#include "physics/curved/hexahedron.hpp"
#include "tests/support/bent_box.hpp"

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

/// Returns the kinetic energy that momenta and mass take along where the velocity is that of q.
double kinetic_energy_of(const Conserved<double>& flow, const Primitive<double>& q) {
  return q.u * flow.mu + q.v * flow.mv + q.w * flow.mw -
         0.5 * (q.u * q.u + q.v * q.v + q.w * q.w) * flow.density;
}

/// The kinetic energy that an element of random states without pressure loses, and what random flows through
/// its ends take out.
template <class C>
struct KineticEnergy {
  double lost = 0, through_ends = 0;

  explicit KineticEnergy(C c) {
    const Hexahedra mesh = bent_box({2, 2, C::dimensions == 3 ? 2 : 1}, 2);
    const Layout layout({C::points, mesh.count, 1}, {0, 0, 0});
    const HexahedraTables<double> tables(mesh, HexahedraGeometry(mesh, C::degree));
    const HexahedraView<double> view = tables.view(layout);
    std::mt19937 random(7);
    const auto next = [&](double from, double to) {
      return from + (to - from) * static_cast<double>(random()) / static_cast<double>(random.max());
    };
    std::vector<Primitive<double>> states;
    for (int m = 0; m < C::points; ++m)
      states.push_back({next(0.5, 2), next(-1, 1), next(-1, 1), C::dimensions == 3 ? next(-1, 1) : 0, 0});
    std::vector<Conserved<double>> flows;
    for (int f = 0; f < C::faces * C::face_points; ++f)
      flows.push_back({next(-1, 1), next(-1, 1), next(-1, 1), next(-1, 1), next(-1, 1)});
    const auto state = [&](int, int m) { return states[m]; };
    const auto end = [&](const FacePoint& f) { return primitive_at_end<double>(c, f, state); };
    const auto out = [&](const FacePoint& f) { return flows[f.face * C::face_points + f.point]; };
    const SplitForm split{c, view, kGas, state, end};
    for (int m = 0; m < C::points; ++m) {
      double of_point = 1;
      for (int d = 0; d < C::dimensions; ++d) of_point *= weight(c, index_along(c, d, m));
      const Conserved<double> divergence =
          split.divergence(0, m, [&](const FacePoint& f) { return split.excess(f, out(f)); });
      lost += of_point * kinetic_energy_of(divergence, states[m]);
    }
    for (int face = 0; face < C::faces; ++face)
      for (int s = 0; s < C::face_points; ++s) {
        double of_point = weight(c, s % C::n);
        if (C::dimensions == 3) of_point *= weight(c, s / C::n);
        through_ends += of_point * kinetic_energy_of(out({0, face, s}), end({0, face, s}));
      }
  }
};

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

TEST_CASE("an element loses the kinetic energy that leaves through its ends, whatever its states") {
  for (int degree = 1; degree <= kMaxDegree; ++degree)
    for (const int dimensions : {2, 3})
      with_cube(degree, dimensions, [](auto cube) {
        const KineticEnergy energy(cube);
        CAPTURE(cube.degree);
        CAPTURE(cube.dimensions);
        CHECK(std::abs(energy.through_ends) > 0.01);
        CHECK(energy.lost == doctest::Approx(energy.through_ends).epsilon(1e-12));
      });
}
