// Sedov's blast and Noh's implosion: radial flows about a centre.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "physics/cases/exact/quadrature.hpp"
#include "physics/cases/exact/sedov.hpp"
#include "tests/support/make_case.hpp"

using namespace halfstep;

namespace {

template <class F>
void each_cell(const Mesh& mesh, F&& f) {
  for_every_cell(mesh, [&](const auto& cell) { f(cell[0], cell[1], cell[2]); });
}

/// Returns a cubic mesh centred on 0 whose spacings are no binary fractions.
Mesh about_zero(int dimensions, int n) {
  Mesh mesh;
  for (int k = 0; k < dimensions; ++k) mesh.cells[k] = n, mesh.lower[k] = -1.1, mesh.upper[k] = 1.1;
  return mesh;
}

/// Checks that mirror images and exchanges of axes give the same state to the last bit.
template <class State>
void check_symmetry(const Mesh& mesh, int dimensions, State&& state) {
  each_cell(mesh, [&](int i, int j, int k) {
    const int n = mesh.cells[0];
    const Conserved<double> q = state(i, j, k);
    const Conserved<double> x = state(n - 1 - i, j, k);
    REQUIRE(same_bits(q, {x.density, -x.mu, x.mv, x.mw, x.energy}));
    if (dimensions >= 2) {
      const Conserved<double> y = state(i, n - 1 - j, k), xy = state(j, i, k);
      REQUIRE(same_bits(q, {y.density, y.mu, -y.mv, y.mw, y.energy}));
      REQUIRE(same_bits(q, {xy.density, xy.mv, xy.mu, xy.mw, xy.energy}));
    }
    if (dimensions == 3) {
      const Conserved<double> z = state(i, j, n - 1 - k), yz = state(i, k, j);
      REQUIRE(same_bits(q, {z.density, z.mu, z.mv, -z.mw, z.energy}));
      REQUIRE(same_bits(q, {yz.density, yz.mu, yz.mw, yz.mv, yz.energy}));
    }
  });
}

}  // namespace

TEST_CASE("a Sedov blast deposits the energy asked for, to round-off, in a ball about its centre") {
  for (int dimensions = 1; dimensions <= 3; ++dimensions)
    for (const int n : {15, 16})
      for (const double radius : {0.5, 1.0, 3.5})
        for (const double centre : {0.0, 0.0437}) {
          INFO("dimensions ", dimensions, ", n ", n, ", radius ", radius, ", centre ", centre);
          const Mesh mesh = about_zero(dimensions, n);
          const auto flow = make_case("sedov", mesh, 1.4,
                                      {{"energy", 3.0},
                                       {"density", 2.0},
                                       {"radius", radius},
                                       {"centre", std::vector<double>{centre, centre, centre}}});
          double mass = 0, energy = 0;
          each_cell(mesh, [&](int i, int j, int k) {
            const Conserved<double> q = flow->initial(mesh.cell(i, j, k));
            mass += q.density * mesh.mean_volume();
            energy += (q.energy - 1e-5 / 0.4) * mesh.mean_volume();
            CHECK((q.mu == 0 && q.mv == 0 && q.mw == 0));
          });
          CHECK(energy == doctest::Approx(3).epsilon(2e-14));
          CHECK(mass == doctest::Approx(2 * std::pow(2.2, dimensions)).epsilon(1e-12));
        }
}

TEST_CASE("the ball of a Sedov blast is one: whole inside, nothing outside, cut in between") {
  const Mesh mesh = about_zero(3, 20);
  const auto flow = make_case("sedov", mesh, 1.4, {{"radius", 4.0}, {"pressure", 1e-12}});
  const double h = 0.11, ball = 4 * std::numbers::pi / 3 * std::pow(4 * h, 3);
  CHECK(flow->initial(mesh.cell(10, 10, 10)).energy == doctest::Approx(1 / ball).epsilon(1e-6));
  CHECK(flow->initial(mesh.cell(14, 10, 10)).energy == doctest::Approx(0).epsilon(1e-10));
  // In the cell [3, 4] x [0, 1]^2 (units of h) sums the height of the sphere above x = 3, clipped to the
  // cell.
  double share = 0;
  const int n = 400;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const double y = (i + 0.5) / n, z = (j + 0.5) / n;
      share += std::clamp(std::sqrt(16 - y * y - z * z) - 3, 0.0, 1.0) / n / n;
    }
  CHECK(flow->initial(mesh.cell(13, 10, 10)).energy == doctest::Approx(share / ball).epsilon(1e-5));
}

TEST_CASE("an octant of a Sedov blast holds an eighth of its energy") {
  const Mesh mesh{{16, 16, 16}, {0, 0, 0}, {1.1, 1.1, 1.1}};
  const auto flow = make_case("sedov", mesh, 1.4);
  double energy = 0;
  each_cell(mesh, [&](int i, int j, int k) {
    energy += (flow->initial(mesh.cell(i, j, k)).energy - 1e-5 / 0.4) * mesh.mean_volume();
  });
  CHECK(energy == doctest::Approx(0.125).epsilon(1e-13));
}

TEST_CASE("Sedov and Noh states are symmetric to the last bit, at the start and later") {
  for (int dimensions = 1; dimensions <= 3; ++dimensions)
    for (const int n : {13, 14}) {
      INFO("dimensions ", dimensions, ", n ", n);
      const Mesh mesh = about_zero(dimensions, n);
      const auto sedov = make_case("sedov", mesh, 1.4), noh = make_case("noh", mesh, 5.0 / 3);
      for (const auto* flow : {sedov.get(), noh.get()}) {
        const auto table = [&](double time) {
          std::vector<Conserved<double>> states;
          each_cell(mesh, [&](int i, int j, int k) {
            const Box cell = mesh.cell(i, j, k);
            states.push_back(time > 0 ? flow->exact(cell, time) : flow->initial(cell));
          });
          return states;
        };
        for (const double time : {0.0, 0.4}) {
          const auto states = table(time);
          check_symmetry(mesh, dimensions, [&](int i, int j, int k) {
            return states[(static_cast<std::size_t>(k) * mesh.cells[1] + j) * mesh.cells[0] + i];
          });
        }
      }
    }
}

TEST_CASE("the exact Sedov averages hold the mass and the energy of the blast") {
  for (const int dimensions : {2, 3}) {
    CAPTURE(dimensions);
    const Mesh mesh = about_zero(dimensions, 32);
    const auto flow = make_case("sedov", mesh, 1.4, {{"pressure", 1e-14}});
    CHECK_FALSE(flow->has_exact(0));
    REQUIRE(flow->has_exact(0.5));
    double mass = 0, energy = 0, peak = 0;
    each_cell(mesh, [&](int i, int j, int k) {
      const Conserved<double> q = flow->exact(mesh.cell(i, j, k), 0.5);
      mass += q.density * mesh.mean_volume();
      energy += q.energy * mesh.mean_volume();
      peak = std::max(peak, q.density);
    });
    CHECK(mass == doctest::Approx(std::pow(2.2, dimensions)).epsilon(1e-6));
    CHECK(energy == doctest::Approx(1).epsilon(1e-6));
    CHECK(peak > 3);
    CHECK(peak < 6);
  }
}

TEST_CASE("Noh's falling gas is averaged to round-off, the centre included") {
  // Checks the mean of x / r against its closed form over a square, the midpoint rule over a cube.
  const Mesh plane{{10, 10, 1}, {0, 0, 0}, {1, 1, 1}};
  const auto noh = make_case("noh", plane, 5.0 / 3);
  // The mean of x / r over [0, 1]^2 is the integral of sqrt(1 + y^2) - y over [0, 1].
  const double mean = 0.5 * (std::sqrt(2.0) + std::asinh(1.0)) - 0.5;
  const Conserved<double> q = noh->initial(plane.cell(0, 0, 0));
  CHECK(q.mu == doctest::Approx(-mean).epsilon(1e-13));
  CHECK(q.mv == q.mu);
  CHECK(q.density == 1);
  CHECK(q.energy == doctest::Approx(1.5e-6 + 0.5).epsilon(1e-14));
  // Over an elongated cell [0, 1] x [0, b], it is the same integral over [0, b], divided by b.
  const Mesh elongated{{2, 16, 1}, {0, 0, 0}, {2, 1, 1}};
  const double b = 1.0 / 16, mean_along = 0.5 * (std::sqrt(1 + b * b) + std::asinh(b) / b) - 0.5 * b;
  CHECK(make_case("noh", elongated, 5.0 / 3)->initial(elongated.cell(0, 0, 0)).mu ==
        doctest::Approx(-mean_along).epsilon(1e-13));
  const GaussRule fine = gauss_rule(40);
  for (const auto& [i, j] : {std::pair{1, 0}, {0, 3}, {5, 2}, {9, 9}, {-2, 1}}) {
    const Box cell = plane.cell(i, j, 0);
    const auto expected = box_average(fine, cell, {true, true, false}, [](const std::array<double, 3>& x) {
      return -x[0] / std::hypot(x[0], x[1]);
    });
    CHECK(noh->initial(cell).mu == doctest::Approx(expected).epsilon(1e-12));
  }
  const Mesh space{{10, 10, 10}, {0, 0, 0}, {1, 1, 1}};
  const auto noh_3d = make_case("noh", space, 5.0 / 3);
  const int n = 100;
  double sum = 0;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) sum += (i + 0.5) / std::hypot(i + 0.5, j + 0.5, k + 0.5);
  CHECK(noh_3d->initial(space.cell(0, 0, 0)).mu == doctest::Approx(-sum / n / n / n).epsilon(1e-5));
}

TEST_CASE("Noh's shock leaves 4, 16 and 64 at rest behind r = t / 3, and mass is conserved") {
  const double t = 0.6;
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    CAPTURE(dimensions);
    Mesh mesh;
    for (int k = 0; k < dimensions; ++k) mesh.cells[k] = 20;
    const auto flow = make_case("noh", mesh, 5.0 / 3);
    const double inner = std::pow(4, dimensions);
    const Conserved<double> centre = flow->exact(mesh.cell(0, 0, 0), t);
    CHECK(centre.density == doctest::Approx(inner).epsilon(1e-13));
    CHECK(centre.mu == 0);
    CHECK(centre.energy == doctest::Approx(inner / 2).epsilon(1e-13));
    const Box far = mesh.cell(19, 0, 0);
    const double x = far.center(0);
    const double r = dimensions == 1 ? x : std::hypot(x, far.center(1), dimensions == 3 ? far.center(2) : 0);
    CHECK(flow->exact(far, t).density == doctest::Approx(std::pow(1 + t / r, dimensions - 1)).epsilon(1e-3));

    // The mass in the box at time t is compared with what fell in: density (1 + t / r)^(d - 1) carries to r
    // the mass that was at r + t at the start.
    double mass = 0;
    each_cell(mesh, [&](int i, int j, int k) {
      mass += flow->exact(mesh.cell(i, j, k), t).density * mesh.mean_volume();
    });
    // In polar form the integral along each ray is elementary: mass(r) = (r + t)^d / d beyond the shock.
    const GaussRule rule = gauss_rule(40);
    const auto to_edge = [&](double length) { return std::pow(length + t, dimensions) / dimensions; };
    double expected = 0;
    const double quarter = std::numbers::pi / 4;
    if (dimensions == 1) expected = 1 + t;
    if (dimensions == 2)
      expected = 2 * quarter *
                 interval_average(rule, 0, quarter, [&](double a) { return to_edge(1 / std::cos(a)); });
    if (dimensions == 3)  // integrates over the face x = 1: solid angle element dy dz / r^3, three faces
      expected = 3 * interval_average(rule, 0, 1, [&](double y) {
                   return interval_average(rule, 0, 1, [&](double z) {
                     const double length = std::sqrt(1 + y * y + z * z);
                     return to_edge(length) / (length * length * length);
                   });
                 });
    CHECK(mass == doctest::Approx(expected).epsilon(dimensions == 3 ? 1e-6 : 1e-7));

    const double outside[3] = {2, 2, 2}, distance = 2 * std::sqrt(double(dimensions));
    const Primitive<double> beyond = flow->dirichlet().at(outside, 1);
    CHECK(beyond.density == doctest::Approx(std::pow(1 + 1 / distance, dimensions - 1)).epsilon(1e-14));
    CHECK(beyond.u == doctest::Approx(-2 / distance).epsilon(1e-14));
    CHECK(beyond.w == doctest::Approx(dimensions == 3 ? -2 / distance : 0).epsilon(1e-14));
    CHECK(beyond.pressure == 1e-6);
  }
}
