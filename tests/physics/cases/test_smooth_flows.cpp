// Waves, vortices and shear layers: smooth flows in periodic boxes.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "physics/cases/exact/quadrature.hpp"
#include "tests/support/make_case.hpp"

using namespace halfstep;

namespace {

const IdealGas<double> air{1.4}, monatomic{5.0 / 3};

/// Returns the mean over `cell` of the conserved form of primitive(x), by 24 points an axis.
template <class F>
Conserved<double> mean_of(const Box& cell, const std::array<bool, 3>& active, const IdealGas<double>& gas,
                          F&& primitive) {
  static const GaussRule rule = gauss_rule(24);
  return box_average(rule, cell, active,
                     [&](const std::array<double, 3>& x) { return to_conserved(primitive(x), gas); });
}

}  // namespace

TEST_CASE("the vortex is averaged to round-off on meshes that resolve it") {
  const Mesh mesh{{40, 40, 1}, {-10, -10, 0}, {10, 10, 1}};
  const auto flow = make_case("isentropic_vortex", mesh, 1.4);
  const auto point = [](const std::array<double, 3>& x) {
    const double r2 = x[0] * x[0] + x[1] * x[1], pi = std::numbers::pi;
    const double f = 5 / (2 * pi) * std::exp(0.5 * (1 - r2));
    const double temperature = 1 - 0.4 * 25 / (8 * 1.4 * pi * pi) * std::exp(1 - r2);
    return Primitive<double>{std::pow(temperature, 2.5), 1 - f * x[1], 1 + f * x[0], 0,
                             std::pow(temperature, 3.5)};
  };
  for (int j = 0; j < 40; j += 3)
    for (int i = 14; i < 26; ++i) {
      const Box cell = mesh.cell(i, j, 0);
      CHECK(distance(flow->initial(cell), mean_of(cell, {true, true, false}, air, point)) < 1e-13);
    }
}

TEST_CASE("the vortex returns after a period, in ghost cells too, and is steady in its own frame") {
  const Mesh mesh{{40, 40, 1}, {-10, -10, 0}, {10, 10, 1}};
  const auto flow = make_case("isentropic_vortex", mesh, 1.4);
  for (int j = -3; j < 43; ++j)
    for (int i = -3; i < 43; ++i) {
      REQUIRE(distance(flow->initial(mesh.cell(i, j, 0)), flow->exact(mesh.cell(i, j, 0), 20)) < 1e-12);
      REQUIRE(distance(flow->initial(mesh.cell(i, j, 0)),
                       flow->initial(mesh.cell((i + 40) % 40, (j + 40) % 40, 0))) < 1e-12);
    }
  // Half a period later the vortex is in the corner.
  CHECK(flow->exact(mesh.cell(0, 0, 0), 10).density ==
        doctest::Approx(flow->initial(mesh.cell(20, 20, 0)).density).epsilon(1e-12));
  // Checks the radial balance dp/dr = rho u_theta^2 / r by differences of small boxes.
  const double r = 0.8, h = 1e-3;
  const auto at = [&](double x) {
    return to_primitive(flow->initial({{x - 1e-5, -1e-5, 0}, {x + 1e-5, 1e-5, 1}}), air);
  };
  const Primitive<double> q = at(r);
  CHECK((at(r + h).pressure - at(r - h).pressure) / (2 * h) ==
        doctest::Approx(q.density * (q.v - 1) * (q.v - 1) / r).epsilon(1e-5));
}

TEST_CASE("the Gresho vortex is in balance and has its Mach number, whatever that is") {
  const Mesh mesh{{40, 40, 1}, {0, 0, 0}, {1, 1, 1}};
  for (const double mach : {0.5, 0.1, 1e-3}) {
    const auto flow = make_case("gresho", mesh, 1.4, {{"mach", mach}});
    const auto at = [&](double x) {
      return to_primitive(flow->initial({{x - 1e-6, 0.5 - 1e-6, 0}, {x + 1e-6, 0.5 + 1e-6, 1}}), air);
    };
    double fastest = 0, h = 1e-3;
    for (const double r : {0.05, 0.15, 0.25, 0.35, 0.45}) {
      const Primitive<double> q = at(0.5 + r);
      CHECK(q.v == doctest::Approx(r < 0.2 ? 5 * r : r < 0.4 ? 2 - 5 * r : 0).epsilon(1e-6));
      CHECK(q.density == doctest::Approx(1).epsilon(1e-12));
      CHECK((at(0.5 + r + h).pressure - at(0.5 + r - h).pressure) / (2 * h) ==
            doctest::Approx(q.v * q.v / r).epsilon(1e-3));
    }
    for (int n = 0; n < 500; ++n) fastest = std::max(fastest, mach_squared(at(0.5 + 1e-3 * n), air));
    CHECK(std::sqrt(fastest) == doctest::Approx(mach).epsilon(1e-4));
  }
}

TEST_CASE("the Gresho vortex is averaged to 1e-3 of a cell's change of velocity, and carried by its stream") {
  const Mesh mesh{{32, 32, 1}, {0, 0, 0}, {1, 1, 1}};
  const auto still = make_case("gresho", mesh, 1.4, {{"mach", 0.1}});
  const auto point = [](const std::array<double, 3>& x) {
    const double dx = x[0] - 0.5, dy = x[1] - 0.5, r = std::hypot(dx, dy);
    const double turn = r < 0.2 ? 5 : r < 0.4 ? (2 - 5 * r) / r : 0;
    return Primitive<double>{1, -turn * dy, turn * dx, 0, 1};
  };
  for (int j = 0; j < 32; ++j)
    for (int i = 0; i < 32; ++i) {
      const Box cell = mesh.cell(i, j, 0);
      const Conserved<double> c = still->initial(cell), fine = mean_of(cell, {true, true, false}, air, point);
      REQUIRE(std::abs(c.mu - fine.mu) < 1e-3 * 10 / 32);
      REQUIRE(std::abs(c.mv - fine.mv) < 1e-3 * 10 / 32);
    }
  const std::vector<double> stream{1, 0.5, 0.25};
  const auto carried = make_case("gresho", mesh, 1.4, {{"mach", 0.1}, {"velocity", stream}});
  for (int i = 0; i < 32; ++i) {
    const Conserved<double> there = carried->exact(mesh.cell((i + 8) % 32, 20, 0), 0.25),
                            here = still->initial(mesh.cell(i, 16, 0));
    REQUIRE(there.mu == doctest::Approx(here.mu + 1).epsilon(1e-12));
    REQUIRE(there.mv == doctest::Approx(here.mv + 0.5).epsilon(1e-12));
  }
}

TEST_CASE("linear waves are averaged exactly, along any direction and for every family") {
  const Mesh mesh{{12, 6, 8}, {0, 0, 0}, {3, 1.5, 1.5}};
  const std::vector<std::int64_t> waves{1, 1, 1};
  const double k = 2 * std::numbers::pi, amplitude = 0.01;
  const double n[3] = {1.0 / 3, 2.0 / 3, 2.0 / 3};
  const std::vector<double> stream{0.3, -0.2, 0.5};
  // Each family's wave speed along n over c = 1, besides the stream's.
  for (const auto& [family, side] : {std::pair{"sound_left", -1.0},
                                     {"sound_right", 1.0},
                                     {"entropy", 0.0},
                                     {"shear_v", 0.0},
                                     {"shear_w", 0.0}}) {
    CAPTURE(family);
    const auto flow =
        make_case("linear_wave", mesh, 5.0 / 3,
                  {{"family", family}, {"amplitude", amplitude}, {"waves", waves}, {"velocity", stream}});
    const double speed = 0.3 / 3 - 0.4 / 3 + 1.0 / 3 + side;
    const bool shear = std::string(family).starts_with("shear");
    const double e_v[3] = {-2 / std::sqrt(5.0), 1 / std::sqrt(5.0), 0};
    const double e_w[3] = {-2.0 / 3 / std::sqrt(5.0), -4.0 / 3 / std::sqrt(5.0), std::sqrt(5.0) / 3};
    for (const double time : {0.0, 0.37}) {
      const auto point = [&](const std::array<double, 3>& x) {
        const double s = amplitude * std::sin(k * (n[0] * x[0] + n[1] * x[1] + n[2] * x[2] - speed * time));
        const double* e = std::string(family) == "shear_v" ? e_v : std::string(family) == "shear_w" ? e_w : n;
        const double du = shear ? s : side * s, drho = shear ? 0 : s, dp = side * side * s;
        return Primitive<double>{1 + drho, 0.3 + du * e[0], -0.2 + du * e[1], 0.5 + du * e[2], 0.6 + dp};
      };
      for (int i = 0; i < 12; ++i) {
        const Box cell = mesh.cell(i, (5 * i) % 6, (3 * i) % 8);
        // Sound is linearised: it differs from its nonlinear form by the square of the amplitude.
        CHECK(distance(flow->exact(cell, time), mean_of(cell, {true, true, true}, monatomic, point)) <
              (side == 0 ? 1e-14 : 2 * amplitude * amplitude));
      }
    }
    // The perturbation is visible in the averages: they are not all the same.
    CHECK(distance(flow->initial(mesh.cell(0, 0, 0)), flow->initial(mesh.cell(3, 2, 2))) > 1e-4);
  }
}

TEST_CASE("linear waves satisfy the linearised equations to the square of the amplitude") {
  const Mesh mesh{{64, 1, 1}, {0, 0, 0}, {1, 1, 1}};
  const double h = 1e-3;
  for (const char* family : {"sound_left", "sound_right", "entropy", "shear_v", "shear_w"}) {
    CAPTURE(family);
    const auto residual = [&](double amplitude) {
      const auto flow = make_case(
          "linear_wave", mesh, 5.0 / 3,
          {{"family", family}, {"amplitude", amplitude}, {"velocity", std::vector<double>{0.7, 0.1, -0.3}}});
      const auto at = [&](double x, double t) {  // a box so small that its average is the point's
        return flow->exact({{x - 1e-6, 0, 0}, {x + 1e-6, 1, 1}}, t);
      };
      const auto flux = [&](double x) {
        const Conserved<double> c = at(x, 0.2);
        const Primitive<double> q = to_primitive(c, monatomic);
        return Conserved<double>{c.mu, c.mu * q.u + q.pressure, c.mv * q.u, c.mw * q.u,
                                 (c.energy + q.pressure) * q.u};
      };
      double worst = 0;
      for (const double x : {0.1, 0.35, 0.8}) {
        const auto r =
            (1 / (2 * h)) * (at(x, 0.2 + h) - at(x, 0.2 - h)) + (1 / (2 * h)) * (flux(x + h) - flux(x - h));
        worst = std::max(worst, distance(r, {}));
      }
      return worst;
    };
    // A wrong eigenvector or speed leaves a residual of order 2 pi amplitude.
    CHECK(residual(1e-3) < 2 * std::numbers::pi * (1e-3 * 1e-2 + 20 * 1e-6));
  }
}

TEST_CASE("waves return after one period") {
  const Mesh mesh{{16, 8, 8}, {0, 0, 0}, {3, 1.5, 1.5}};
  const auto sound = make_case("linear_wave", mesh, 5.0 / 3,
                               {{"waves", std::vector<std::int64_t>{1, 1, 1}}, {"amplitude", 0.1}});
  for (int i = -3; i < 19; ++i) {
    CHECK(distance(sound->exact(mesh.cell(i, 2, 3), 1), sound->initial(mesh.cell(i, 2, 3))) < 1e-14);
    CHECK(distance(sound->exact(mesh.cell(i, 2, 3), 0.5), sound->initial(mesh.cell(i, 2, 3))) ==
          doctest::Approx(
              2 * distance(sound->initial(mesh.cell(i, 2, 3)), to_conserved({1, 0, 0, 0, 0.6}, monatomic))));
  }
}

TEST_CASE("the shear layers are McNally's, averaged to round-off and periodic in the ghost cells") {
  for (const int n : {32, 33, 40}) {
    CAPTURE(n);
    const Mesh mesh{{n, n, 1}, {0, 0, 0}, {1, 1, 1}};
    const auto flow = make_case("kelvin_helmholtz", mesh, 5.0 / 3);
    const auto profile = [](double y, double outer, double inner) {  // eqs. 1 and 3, line by line
      const double mean = 0.5 * (outer - inner), width = 0.025;
      if (y < 0.25) return outer - mean * std::exp((y - 0.25) / width);
      if (y < 0.5) return inner + mean * std::exp((-y + 0.25) / width);
      if (y < 0.75) return inner + mean * std::exp(-(0.75 - y) / width);
      return outer - mean * std::exp(-(y - 0.75) / width);
    };
    const auto point = [&](const std::array<double, 3>& x) {
      return Primitive<double>{profile(x[1], 1, 2), profile(x[1], 0.5, -0.5),
                               0.01 * std::sin(4 * std::numbers::pi * x[0]), 0, 2.5};
    };
    for (int j = 0; j < n; ++j) {
      const Box cell = mesh.cell(j / 2, j, 0);
      // Integrates each side of the kinks on its own, independently of the case.
      Conserved<double> sum{};
      double a = cell.lower[1];
      for (const double kink : {0.25, 0.5, 0.75, 2.0}) {
        const double b = std::min(kink, cell.upper[1]);
        if (b <= a) continue;
        Box part = cell;
        part.lower[1] = a, part.upper[1] = b;
        sum = sum + ((b - a) / cell.width(1)) * mean_of(part, {true, true, false}, monatomic, point);
        a = b;
      }
      CHECK(distance(flow->initial(cell), sum) < 1e-13);
      // The mirror image about the middle, half a wave further along x when that is whole cells.
      const Conserved<double> q = flow->initial(mesh.cell(3, j, 0)),
                              m = flow->initial(mesh.cell(3, n - 1 - j, 0));
      CHECK((q.density == m.density && q.mu == m.mu && q.mv == m.mv && q.energy == m.energy));
    }
    for (int g = -3; g < 0; ++g) {
      CHECK(same_bits(flow->initial(mesh.cell(5, g, 0)), flow->initial(mesh.cell(5, n + g, 0))));
      CHECK(same_bits(flow->initial(mesh.cell(g, 5, 0)), flow->initial(mesh.cell(n + g, 5, 0))));
    }
  }
}

TEST_CASE("the Taylor-Green vortex is averaged exactly, symmetric to the last bit and without net momentum") {
  const double two_pi = 2 * std::numbers::pi;
  for (const int n : {8, 10, 15}) {
    CAPTURE(n);
    const Mesh mesh{{n, n, n}, {0, 0, 0}, {two_pi, two_pi, two_pi}};
    const auto flow = make_case("taylor_green", mesh, 1.4);
    const double p0 = 1 / (1.4 * 0.01);
    const auto point = [&](const std::array<double, 3>& x) {
      const double p = p0 + (std::cos(2 * x[0]) + std::cos(2 * x[1])) * (std::cos(2 * x[2]) + 2) / 16;
      return Primitive<double>{1, std::sin(x[0]) * std::cos(x[1]) * std::cos(x[2]),
                               -std::cos(x[0]) * std::sin(x[1]) * std::cos(x[2]), 0, p};
    };
    double kinetic = 0;
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          const Box cell = mesh.cell(i, j, k);
          const Conserved<double> q = flow->initial(cell);
          if ((i + j + k) % 7 == 0)
            REQUIRE(distance(q, mean_of(cell, {true, true, true}, air, point)) < 1e-12);
          kinetic += q.energy / (n * n * n);
          const Conserved<double> x = flow->initial(mesh.cell(n - 1 - i, j, k));
          const Conserved<double> z = flow->initial(mesh.cell(i, j, n - 1 - k));
          const Conserved<double> swap = flow->initial(mesh.cell(j, i, k));
          REQUIRE(same_bits(q, {x.density, -x.mu, x.mv, 0, x.energy}));
          REQUIRE(same_bits(q, z));
          REQUIRE(same_bits(q, {swap.density, -swap.mv, -swap.mu, 0, swap.energy}));
        }
    CHECK(kinetic - p0 / 0.4 == doctest::Approx(0.125).epsilon(1e-10));  // rho V^2 / 8
  }
}
