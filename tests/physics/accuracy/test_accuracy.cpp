// Diagnostics of flows: norms, orders, growth rates, shells, mirror symmetry.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "physics/accuracy/asymmetry.hpp"
#include "physics/accuracy/convergence.hpp"
#include "physics/accuracy/growth_rate.hpp"
#include "physics/accuracy/norms.hpp"
#include "physics/accuracy/shells.hpp"
#include "physics/cases/exact/shear_layer_growth.hpp"
#include "tests/support/make_case.hpp"
#include "tests/support/stretched.hpp"

using namespace halfstep;

namespace {

Mesh square(int n) { return {.cells = {n, n, 1}, .lower = {-1, -1, 0}, .upper = {1, 1, 1}}; }

/// Returns the conserved state f(x, y) on `mesh`.
template <class F>
Fields filled(const Mesh& mesh, F f) {
  Fields fields;
  for_every_cell(mesh, [&](const auto& cell) {
    const auto x = mesh.center(cell[0], cell[1], cell[2]);
    append(fields, f(x[0], x[1]));
  });
  return fields;
}

}  // namespace

TEST_CASE("the order of an error that falls as a power of the cell is that power") {
  for (const double p : {0.5, 2.0, 4.99})
    for (const double ratio : {2.0, 1.5})
      CHECK(observed_order(3 * std::pow(0.1, p), 3 * std::pow(0.1 / ratio, p), ratio) == doctest::Approx(p));
}

TEST_CASE("a field is coarsened to the means over its blocks, and its integral stays") {
  const Mesh fine{.cells = {6, 4, 2}}, coarse{.cells = {3, 4, 1}};
  std::vector<double> field;
  for (int n = 0; n < 48; ++n) field.push_back(n);
  const std::vector<double> means = coarsened(field, fine, coarse);
  REQUIRE(means.size() == 12);
  CHECK(means[0] == (0 + 1 + 24 + 25) / 4.0);
  CHECK(means[4] == (8 + 9 + 32 + 33) / 4.0);
  CHECK_THROWS_AS(coarsened(field, fine, Mesh{.cells = {4, 4, 1}}), std::invalid_argument);
}

TEST_CASE("a rate is that of an exponential, and of its samples between two times alone") {
  std::vector<Sample> samples;
  for (int n = 0; n <= 20; ++n) {
    const double t = 0.1 * n;
    samples.push_back({t, t < 0.45 ? 7.0 : 1e-5 * std::exp(2.83 * t)});
  }
  CHECK(growth_rate(samples, 0.5, 2) == doctest::Approx(2.83).epsilon(1e-12));
  CHECK(growth_rate(samples, 0, 2) < 2);  // less than the rate of the last part, as nothing grew at first
  CHECK_THROWS_AS(growth_rate(samples, 1.95, 2.1), std::invalid_argument);
  samples.back().value = 0;
  CHECK_THROWS_AS(growth_rate(samples, 0.5, 2), std::invalid_argument);
}

TEST_CASE("a slope is that of the samples between two times alone") {
  std::vector<Sample> samples;
  for (int n = 0; n <= 20; ++n) samples.push_back({0.1 * n, n < 5 ? 7.0 : 3 - 0.4 * n});
  CHECK(slope(samples, 0.45, 2) == doctest::Approx(-4).epsilon(1e-12));
  CHECK_THROWS_AS(slope(samples, 1.95, 2.1), std::invalid_argument);
}

TEST_CASE("norms of a difference are its mean, its root mean square and its largest value") {
  const Norms norms = difference_norms({1, 2, 3, 4}, {1, 2, 0, 8});
  CHECK(norms.l1 == 7 / 4.0);
  CHECK(norms.l2 == doctest::Approx(2.5));
  CHECK(norms.linf == 4);
  std::array<Norms, kFields> fields{};
  fields[0].l1 = 3;
  fields[4].l1 = 4;
  CHECK(root_sum_square(fields).l1 == 5);
}

TEST_CASE("errors on a stretched mesh are means over its volume") {
  const Mesh mesh = stretched(square(8));
  const auto flow = make_case("uniform", mesh, 1.4, {{"velocity", std::vector<double>{0, 0, 0}}});
  // The density is 3 too large in the lower half of the cells along x.
  const double part = 0.5 * (mesh.face(0, 4) - mesh.face(0, 0));
  const Fields fields = filled(mesh, [&](double x, double) {
    return Conserved<double>{x < mesh.face(0, 4) ? 4.0 : 1.0, 0, 0, 0, 2.5};
  });
  const auto [name, norms] = exact_error(fields, *flow, mesh, {1.4}, 0).front();
  CHECK(name == "density");
  CHECK(part > 0.6);
  CHECK(norms.l1 == doctest::Approx(3 * part).epsilon(1e-14));
  CHECK(norms.l2 == doctest::Approx(3 * std::sqrt(part)).epsilon(1e-14));
  CHECK(norms.linf == 3);
}

TEST_CASE("a state is as far from its mirror image as it is made to be") {
  const Mesh mesh = square(8);
  // The flow is symmetric under mirrors in x and in y and under the exchange of the two axes.
  const Fields even = filled(mesh, [](double x, double y) {
    return Conserved<double>{2 + x * x + y * y, x, y, 0, 9 + x * x + y * y};
  });
  CHECK(asymmetry(even, mesh, MeshSymmetry::mirror(0)) == 0);
  CHECK(asymmetry(even, mesh, MeshSymmetry::mirror(1)) == 0);
  CHECK(asymmetry(even, mesh, MeshSymmetry::exchange(0, 1)) == 0);
  // A vortex has neither symmetry: a mirror reverses its rotation.
  const Fields turning = filled(mesh, [](double x, double y) { return Conserved<double>{1, -y, x, 0, 1}; });
  CHECK(asymmetry(turning, mesh, MeshSymmetry::mirror(0)) == 2);
  CHECK(asymmetry(turning, mesh, MeshSymmetry::exchange(0, 1)) == 2);
  Fields dented = even;
  dented.conserved[0][10] *= 1 + 1e-9;
  const double dent = asymmetry(dented, mesh, MeshSymmetry::mirror(0));
  CHECK(dent > 1e-10);
  CHECK(dent < 1e-9);
}

TEST_CASE("shells know a round shock's radius to a fraction of a cell") {
  const Mesh mesh = square(100);
  const double radius = 0.61;
  const Fields ball = filled(mesh, [&](double x, double y) {
    return Conserved<double>{std::hypot(x, y) < radius ? 4.0 : 1.0, 0, 0, 0, 1};
  });
  const Shells found = shells(ball.conserved[0], mesh, {0, 0, 0});
  CHECK(found.mean.front() == 4);
  CHECK(found.mean.back() == 1);
  CHECK(std::abs(outermost_crossing(found.radius, found.mean, 2.5) - radius) < 0.5 * mesh.spacing(0));
  CHECK(std::isnan(outermost_crossing(found.radius, found.mean, 5)));
}

TEST_CASE("a profile's crossings of a level are found from either end") {
  const std::vector<double> x{0, 1, 3, 4, 6}, values{1, 2, 6, 2, 2};
  CHECK(first_crossing(x, values, 3) == 1.5);
  CHECK(outermost_crossing(x, values, 3) == 3.75);
  CHECK(first_crossing(x, values, 1.5) == 0.5);
  CHECK(outermost_crossing(x, values, 1.5) == 0.5);
  CHECK(std::isnan(first_crossing(x, values, 7)));
}

TEST_CASE("a thin shear layer in a heavy and a light stream grows as Kelvin and Helmholtz say") {
  // A vortex sheet between incompressible streams grows at k dU sqrt(r1 r2) / (r1 + r2); the layer is thin
  // beside the wave.
  const double k = 4 * std::numbers::pi;
  const auto growth = [&](double thickness, double bulk) {
    const auto layer = [&](double y) {
      const double from = 0.25 - std::abs(y - 0.5), half = 0.5 * std::exp(-std::abs(from) / thickness);
      const double inner = from > 0 ? 1 - half : half;
      return ShearFlow{1 + inner, 0.5 - inner};
    };
    return shear_layer_growth(layer, 0, 0.5, k, bulk, {-0.2, 0.4}, 20000);
  };
  const double sheet = k * std::sqrt(2.0) / 3;
  CHECK(growth(5e-4, 1e8) == doctest::Approx(sheet).epsilon(0.02));
  // Half the thickness gives half the difference, so the difference is due to the thickness.
  CHECK(sheet - growth(2.5e-4, 1e8) == doctest::Approx(0.5 * (sheet - growth(5e-4, 1e8))).epsilon(0.05));
  CHECK(growth(0.025, 1e8) < 0.6 * sheet);                // a thick layer is slower
  CHECK(growth(0.025, 25.0 / 6) < growth(0.025, 1e8));    // and compressibility slows it more
  CHECK_THROWS_AS(growth(0.5, 1e8), std::runtime_error);  // until nothing grows
}
