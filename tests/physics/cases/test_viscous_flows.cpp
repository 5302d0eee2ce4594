// Flows with viscosity, walls and gravity, and the jet.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/cases/exact/quadrature.hpp"
#include "physics/cases/exact/rayleigh_taylor.hpp"
#include "physics/gas/transport.hpp"
#include "tests/support/make_case.hpp"

using namespace halfstep;

namespace {

constexpr IdealGas<double> kAir{1.4};
const Mesh kChannel{{1, 20, 1}, {0, -1, 0}, {1, 2, 1}};

std::unique_ptr<Case> with_terms(const std::string& name, const Mesh& mesh, const RhsTerms& terms) {
  return make_case(name, mesh, 1.4, {}, {}, terms);
}

}  // namespace

TEST_CASE("channels' cells hold averages of the steady state, and their walls' ghosts its image") {
  const GaussRule fine = gauss_rule(24);
  for (const char* name : {"couette", "poiseuille"}) {
    CAPTURE(name);
    const auto flow = make_case(name, kChannel, 1.4);
    CHECK(flow->knows_terms());
    for (int j = 0; j < 20; ++j) {
      const Box cell = kChannel.cell(0, j, 0);
      // Averages point values taken from boxes of negligible size.
      const Conserved<double> mean = interval_average(fine, cell.lower[1], cell.upper[1], [&](double y) {
        return flow->initial({{0, y - 1e-7, 0}, {1, y + 1e-7, 1}});
      });
      CHECK(distance(flow->initial(cell), mean) < 1e-12);
      CHECK(same_bits(flow->initial(cell), flow->exact(cell, 3)));
    }
    for (int g = 1; g <= 3; ++g)
      for (const auto& [ghost, image] : {std::pair{-g, g - 1}, {19 + g, 20 - g}})
        CHECK(distance(flow->initial(kChannel.cell(0, ghost, 0)), flow->initial(kChannel.cell(0, image, 0))) <
              1e-13);
  }
}

TEST_CASE("a disturbed channel has no exact state until the disturbance has died away") {
  for (const char* name : {"couette", "poiseuille"}) {
    CAPTURE(name);
    const auto calm = make_case(name, kChannel, 1.4),
               flow = make_case(name, kChannel, 1.4, {{"disturbance", 0.5}});
    CHECK(calm->has_exact(0));
    CHECK_FALSE(flow->has_exact(0));
    // The decay rate is nu (pi / 3)^2 at the density 1 of the cold walls.
    const double decay = 1 / (0.05 * std::pow(std::numbers::pi / 3, 2));
    CHECK_FALSE(flow->has_exact(19 * decay));
    CHECK(flow->has_exact(21 * decay));
    const Box cell = kChannel.cell(0, 10, 0);
    CHECK(flow->initial(cell).mu > calm->initial(cell).mu + 0.3);
    CHECK(flow->initial(cell).density == calm->initial(cell).density);
    CHECK(same_bits(flow->exact(cell, 1000), calm->initial(cell)));
  }
}

TEST_CASE("an adiabatic wall of Couette flow is hot, and the gas beside it as hot") {
  RhsTerms terms = terms_of_case("couette", 1.4);
  terms.walls.temperature = {0, 1};
  const auto flow = with_terms("couette", kChannel, terms);
  // The recovery temperature is 1 + Pr (gamma - 1) / (2 gamma) U^2.
  const Primitive<double> q = to_primitive(flow->initial({{0, -1, 0}, {1, -1 + 1e-6, 1}}), kAir);
  CHECK(q.pressure / q.density == doctest::Approx(1 + 0.72 * 0.4 / 2.8 * 9).epsilon(1e-5));
}

TEST_CASE("a travelling viscous shock is the standing one seen by another observer, along any axis") {
  for (int axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    Mesh mesh{{1, 1, 1}, {0, 0, 0}, {4, 4, 4}};
    mesh.cells[axis] = 50;
    const std::string word(1, "xyz"[axis]);
    const auto standing = make_case("viscous_shock", mesh, 1.4, {{"axis", word}, {"position", 2.0}});
    const auto moving =
        make_case("viscous_shock", mesh, 1.4, {{"axis", word}, {"position", 1.5}, {"speed", 0.25}});
    std::array<int, 3> at{};
    for (at[axis] = -3; at[axis] < 53; ++at[axis]) {
      const Box cell = mesh.cell(at[0], at[1], at[2]);
      const Conserved<double> s = standing->initial(cell), m = moving->exact(cell, 2);
      const double flux[3] = {s.mu, s.mv, s.mw};
      std::array<double, 3> momentum{s.mu, s.mv, s.mw};
      momentum[axis] += 0.25 * s.density;
      CHECK(distance(m, {s.density, momentum[0], momentum[1], momentum[2],
                         s.energy + 0.25 * flux[axis] + 0.03125 * s.density}) < 1e-12);
      CHECK(flux[axis] == doctest::Approx(2 * std::sqrt(1.4)).epsilon(1e-13));
    }
    Boundaries open{};
    open[axis] = {Boundary::inflow, Boundary::outflow};
    CHECK(standing->lost_exact(open, 1e9) == "");
    CHECK(moving->lost_exact(open, 0) == "");
    CHECK(moving->lost_exact(open, 12) == "a wave has met a boundary");
  }
}

TEST_CASE("heavy gas over light gas starts as a solution of the linearised equations that grows") {
  const Mesh mesh{{40, 80, 1}, {0, -0.5, 0}, {0.5, 0.5, 1}};
  const auto still = make_case("rayleigh_taylor", mesh, 1.4, {{"amplitude", 1e-12}, {"thickness", 0.05}});
  const double amplitude = 1e-4, h = 1e-3;
  const auto moving =
      make_case("rayleigh_taylor", mesh, 1.4, {{"amplitude", amplitude}, {"thickness", 0.05}});
  const auto at = [](const Case& flow, double x,
                     double y) {  // a box so small that its average is the point's
    return flow.initial({{x - 1e-6, y - 1e-6, 0}, {x + 1e-6, y + 1e-6, 1}});
  };
  const auto flux = [&](const Conserved<double>& c, int axis) {
    const Primitive<double> q = to_primitive(c, kAir);
    const double n = axis == 0 ? q.u : q.v;
    return Conserved<double>{c.density * n, c.mu * n + (axis == 0 ? q.pressure : 0),
                             c.mv * n + (axis == 1 ? q.pressure : 0), 0, (c.energy + q.pressure) * n};
  };
  // Returns d/dt of each field by the equations, with fourth-order differences.
  const auto change = [&](const Case& flow, double x, double y) {
    const auto slope = [&](int axis) {
      const auto f = [&](int n) {
        return flux(at(flow, x + (axis == 0 ? n * h : 0), y + (axis == 1 ? n * h : 0)), axis);
      };
      return (1 / (12 * h)) * (8.0 * (f(1) - f(-1)) - (f(2) - f(-2)));
    };
    const Conserved<double> c = at(flow, x, y);
    return -1.0 * (slope(0) + slope(1)) + Conserved<double>{0, 0, -c.density, 0, -c.mv};
  };
  const double sigma =
      RayleighTaylorMode(kAir, {1, 2, 0.05, 5, 1}, 4 * std::numbers::pi, -0.5, 0.5).growth_rate();
  for (const double y : {-0.3, -0.06, 0.02, 0.1}) {
    CAPTURE(y);
    const double x = 0.07;
    CHECK(distance(change(*still, x, y), {}) < 1e-6);  // at rest under its weight
    const Conserved<double> mode = at(*moving, x, y) - at(*still, x, y), rate = change(*moving, x, y);
    // All fields grow at one rate.
    CHECK(rate.mv == doctest::Approx(sigma * mode.mv).epsilon(2e-3));
    CHECK(rate.mu == doctest::Approx(sigma * mode.mu).epsilon(5e-3));
    CHECK(distance(rate, sigma * mode) < 5e-3 * sigma * std::abs(mode.mv));
  }
}

TEST_CASE("heavy gas over light gas is mirror symmetric to the last bit and periodic in the ghost cells") {
  for (const int n : {16, 17}) {
    CAPTURE(n);
    const Mesh mesh{{n, 20, 1}, {0, -0.5, 0}, {0.5, 0.5, 1}};
    const auto flow = make_case("rayleigh_taylor", mesh, 1.4);
    for (int j = 0; j < 20; ++j)
      for (int i = 0; i < n; ++i) {
        const Conserved<double> q = flow->initial(mesh.cell(i, j, 0)),
                                m = flow->initial(mesh.cell(n - 1 - i, j, 0));
        CHECK((q.density == m.density && q.mu == -m.mu && q.mv == m.mv && q.energy == m.energy));
        if (i < 3) CHECK(same_bits(q, flow->initial(mesh.cell(n + i, j, 0))));
      }
    // Half the mass is light and half is heavy: displacing them moves no mass.
    double mass = 0, up = 0;
    for (int j = 0; j < 20; ++j)
      for (int i = 0; i < n; ++i) {
        const Conserved<double> q = flow->initial(mesh.cell(i, j, 0));
        mass += q.density / (20 * n);
        up = std::max(up, q.mv);
      }
    CHECK(mass == doctest::Approx(1.5).epsilon(1e-6));
    CHECK(up > 1e-4);
  }
}

TEST_CASE("the jet is beyond the lower x side alone, as wide as it is") {
  const Mesh mesh{{80, 40, 1}, {0, -0.25, 0}, {1, 0.25, 1}};
  const auto flow = make_case("jet", mesh, 5.0 / 3);
  double width = 0;
  for (int j = 0; j < 40; ++j) {
    const Conserved<double> inside = flow->initial(mesh.cell(0, j, 0)),
                            beyond = flow->initial(mesh.cell(-1, j, 0));
    CHECK(inside.density == 0.5);
    CHECK(inside.mu == 0);
    CHECK(beyond.density == (j >= 16 && j < 24 ? 5 : 0.5));
    CHECK(beyond.mu == (j >= 16 && j < 24 ? 4000 : 0));
  }
  // Cells are cut by the jet's edges here: no mesh changes how much flows in.
  const Mesh other{{80, 37, 1}, {0, -0.25, 0}, {1, 0.25, 1}};
  const auto cut = make_case("jet", other, 5.0 / 3);
  for (int j = 0; j < 37; ++j) width += cut->initial(other.cell(-3, j, 0)).mu / 4000 * other.spacing(1);
  CHECK(width == doctest::Approx(0.1).epsilon(1e-13));
}

TEST_CASE("cases with viscosity, walls and gravity refuse what their flow is not") {
  const RhsTerms none;
  const auto refused = [](const std::string& name, const Mesh& mesh, RhsTerms terms, auto change) {
    change(terms);
    CAPTURE(name);
    CHECK_THROWS_AS(with_terms(name, mesh, terms), std::invalid_argument);
  };
  for (const char* name : {"couette", "poiseuille", "viscous_shock"}) {
    const RhsTerms good = terms_of_case(name, 1.4);
    const Mesh mesh{{20, 20, 1}, {0, 0, 0}, {4, 1, 1}};
    CHECK_NOTHROW(with_terms(name, mesh, good));
    refused(name, mesh, good, [](auto& terms) { terms.transport.law = ViscosityLaw::sutherland; });
    refused(name, mesh, good, [](auto& terms) { terms = {}; });
    refused(name, mesh, good, [](auto& terms) { terms.gravity = std::array{0.0, -1.0, 0.0}; });
    refused(name, {{1, 1, 20}, {0, 0, 0}, {1, 1, 1}}, good, [](auto&) {});
  }
  const RhsTerms couette = terms_of_case("couette", 1.4), poiseuille = terms_of_case("poiseuille", 1.4);
  refused("couette", kChannel, couette, [](auto& terms) { terms.walls.temperature = std::array{0.0, 0.0}; });
  refused("poiseuille", kChannel, poiseuille, [](auto& t) { t.walls.temperature = std::array{1.0, 1.1}; });
  refused("poiseuille", kChannel, poiseuille, [](auto& t) {
    t.walls.velocity[1] = std::array{1.0, 0.0, 0.0};
  });
  refused("viscous_shock", {{20, 1, 1}}, terms_of_case("viscous_shock", 1.4),
          [](auto& terms) { terms.transport.reference = transport(0.04, 0.72, kAir); });
  const Mesh sheet{{16, 16, 1}, {0, -0.5, 0}, {0.5, 0.5, 1}};
  CHECK_THROWS_AS(with_terms("rayleigh_taylor", sheet, none), std::invalid_argument);
  CHECK_THROWS_AS(with_terms("rayleigh_taylor", {{16, 1, 1}}, terms_of_case("rayleigh_taylor", 1.4)),
                  std::invalid_argument);
  CHECK_THROWS_AS(make_case("rayleigh_taylor", sheet, 1.4, {{"interface", 0.5}}), std::invalid_argument);
  CHECK_THROWS_AS(make_case("jet", sheet, 1.4, {{"half_width", 0.5}}), std::invalid_argument);
}
