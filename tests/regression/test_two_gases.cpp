// Two gases: contacts between them keep pressure and velocity, shocks pass them as they should, and volume
// fractions stay between 0 and 1.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "physics/diagnostics/mixture_of_cell.hpp"
#include "physics/solids/solid_cell.hpp"
#include "tests/support/expressions.hpp"
#include "tests/support/run_case.hpp"

using namespace halfstep;

namespace {

constexpr double kSecondGamma = 1.667;

Primitive<double> primitive_of(const CaseRun& run, const Fields& fields, std::size_t n) {
  const auto& u = fields.conserved;
  const IdealGas<double> gas = gas_in(run.config.problem.gases(), fields, n);
  return to_primitive(Conserved<double>{u[0][n], u[1][n], u[2][n], u[3][n], u[4][n]}, gas);
}

/// Returns the largest distance of pressure and velocity from those of a uniform stream, outside of bodies.
double disturbance(const CaseRun& run, const Primitive<double>& stream) {
  const Fields fields = run.fields();
  double largest = 0;
  const Problem& problem = run.config.problem;
  for (std::size_t n = 0; n < fields.conserved[0].size(); ++n) {
    if (problem.has_solids() && problem.solids->cells().mask[n] != 0) continue;
    const Primitive<double> q = primitive_of(run, fields, n);
    for (const double error : {q.pressure - stream.pressure, q.u - stream.u, q.v - stream.v, q.w - stream.w})
      largest = std::max(largest, std::abs(error));
  }
  return largest;
}

/// A cylinder of the second gas, whose edges cut cells, in a stream along a diagonal.
const Overrides kCylinder = {
    "mesh.cells=[32,24,1]",
    "mesh.lower=[0,0,0]",
    "mesh.upper=[1,1,1]",
    "mesh.boundary.x=periodic",
    "mesh.boundary.y=periodic",
    "time.end=1",
    "output.every=0",
    "case.background={density: 1, velocity: [0.7, 0.3, 0], pressure: 1}",
    "case.regions=[{shape: ball, center: [0.5, 0.5, 0], radius: 0.25, state: {density: 0.14, velocity: "
    "[0.7, 0.3, 0], pressure: 1, second_gas: 1}}]"};

Overrides tube(int cells, const Overrides& more = {}) {
  return with({fmt::format("mesh.cells=[{},1,1]", cells), "output.every=0",
               fmt::format("gas.second.gamma={}", kSecondGamma), "gas.second.fraction=x > 0.5"},
              more);
}

/// The state between the waves of a tube: a rarefaction on the left, a shock on the right.
struct Star {
  double pressure, velocity;
};

/// Solves for Sod's tube with another gas on the right: E. F. Toro (2009), eqs. 4.6 and 4.7, a gamma a side.
Star star_of_sod() {
  const double left = 1.4, right = kSecondGamma;
  const auto velocities = [&](double p) {
    const double c = std::sqrt(left),
                 behind = 2 * c / (left - 1) * (1 - std::pow(p, (left - 1) / (2 * left)));
    const double shock = (p - 0.1) * std::sqrt(2 / (0.125 * ((right + 1) * p + (right - 1) * 0.1)));
    return std::pair(behind, shock);
  };
  double low = 0.1, high = 1;
  for (int n = 0; n < 100; ++n) {
    const double middle = 0.5 * (low + high);
    const auto [behind, shock] = velocities(middle);
    (behind > shock ? low : high) = middle;
  }
  return {low, velocities(low).first};
}

}  // namespace

TEST_CASE("a contact that moves along the wall of a body keeps pressure and velocity to round-off") {
  const std::string wall = "solids=[{shape: box, lower: [-9, 0, -9], upper: [9, 0.25, 9]}]",
                    puff =
                        "case.regions=[{shape: ball, center: [0.5, 0.3, 0], radius: 0.25, state: "
                        "{density: 0.14, velocity: [0.7, 0, 0], pressure: 1, second_gas: 1}}]";
  for (const std::string reconstruction : {"plm", "weno5z"})
    for (const std::string variables : {"primitive", "characteristic"}) {
      CaseRun run(
          "shock_bubble_helium",
          with(kCylinder, {wall, puff, "case.background.velocity=[0.7, 0, 0]", "time.end=0.3",
                           "scheme.reconstruction=" + reconstruction, "scheme.variables=" + variables}));
      run.finish();
      CHECK(disturbance(run, {1, 0.7, 0, 0, 1}) < 2e-12);
    }
}

TEST_CASE("along a wall across the mesh a contact disturbs the stream no more than the wall alone") {
  const auto disturbed = [](const std::string& fraction) {
    CaseRun run(
        "shock_bubble_helium",
        with(kCylinder, {"solids=[{shape: half_space, point: [0.5, 0.25, 0], normal: [-0.5, 1, 0]}]",
                         "mesh.boundary.x=outflow", "mesh.boundary.y=outflow", "time.end=0.2",
                         "case.background.velocity=[0.8, 0.4, 0]",
                         "case.regions=[{shape: ball, center: [0.4, 0.4, 0], radius: 0.25, state: {density: "
                         "0.14, velocity: [0.8, 0.4, 0], pressure: 1, second_gas: " +
                             fraction + "}}]"}));
    run.finish();
    return disturbance(run, {1, 0.8, 0.4, 0, 1});
  };
  const double alone = disturbed("0"), both = disturbed("1");
  INFO(fmt::format("{} {}", alone, both));
  CHECK(both < 2 * alone + 1e-12);
}

TEST_CASE("a shock runs over helium before a wedge, with the same bits on any number of threads") {
  const Overrides wedge = {"mesh.cells=[120,40,1]", "time.end=60", "output.every=0",
                           "solids=[{shape: polygon, vertices: [[95, 0], [140, 0], [140, 30]]}]"};
  CaseRun one("shock_bubble_helium", wedge), three("shock_bubble_helium", wedge, 3);
  one.finish();
  three.finish();
  const Fields fields = one.fields();
  CHECK(identical(fields, three.fields()));
  CHECK(one.rejections.empty());
  const std::vector<std::uint8_t>& mask = one.config.problem.solids->cells().mask;
  double most = 0, least = 1;
  for (std::size_t n = 0; n < mask.size(); ++n) {
    if (mask[n] != 0) continue;
    const Primitive<double> q = primitive_of(one, fields, n);
    most = std::max(most, q.pressure);
    least = std::min({least, q.density, q.pressure});
  }
  CHECK(most > 2);  // the shock has met the wedge
  CHECK(least > 0.1);
}

TEST_CASE("a contact of two gases keeps pressure and velocity to round-off, with every reconstruction") {
  for (const std::string reconstruction : {"constant", "plm", "ppm", "weno5z"})
    for (const std::string variables : {"primitive", "characteristic"})
      for (const std::string precision : {"double", "single"}) {
        CaseRun run("shock_bubble_helium",
                    with(kCylinder, {"scheme.reconstruction=" + reconstruction,
                                     "scheme.variables=" + variables, "scheme.precision=" + precision}));
        const double before = run.solver->totals().scalar_mass[0];
        run.finish();
        INFO(reconstruction, " ", variables, " ", precision);
        const double bar = precision == "double" ? 1e-12 : 2e-4;
        CHECK(disturbance(run, {1, 0.7, 0.3, 0, 1}) < bar);
        // In a uniform stream nothing is compressed: the volume is an invariant.
        CHECK(run.solver->totals().scalar_mass[0] == doctest::Approx(before).epsilon(bar));
      }
}

TEST_CASE("a tube of two gases has the exact pressure, velocity and contact") {
  if (!can_test_expressions()) return;
  const Star star = star_of_sod();
  CaseRun run("sod", tube(400, {"scheme.reconstruction=weno5z", "scheme.integrator=ssprk3"}));
  run.finish();
  const Fields fields = run.fields();
  const double contact = 0.5 + star.velocity * run.state.time;
  double crossing = 0;
  for (std::size_t n = 0; n < 400; ++n) {
    const double x = run.mesh().center(static_cast<int>(n), 0, 0)[0];
    const Primitive<double> q = primitive_of(run, fields, n);
    if (std::abs(x - contact) < 0.05) {
      CHECK(q.pressure == doctest::Approx(star.pressure).epsilon(2e-3));
      CHECK(q.u == doctest::Approx(star.velocity).epsilon(2e-3));
    }
    if (fields.scalars.back()[n] < 0.5) crossing = x + 0.5 * run.mesh().spacing(0);
  }
  CHECK(std::abs(crossing - contact) < 2 * run.mesh().spacing(0));
}

TEST_CASE("volume fractions stay between 0 and 1 through shocks and remedies") {
  if (!can_test_expressions()) return;
  std::int64_t rejections = 0;
  for (const std::string deck : {"sod", "lax", "toro_1", "toro_3", "toro_4", "leblanc"})
    for (const std::string reconstruction : {"constant", "plm", "ppm", "weno5z"})
      for (const bool is_hit : {false, true}) {
        Overrides more = {"scheme.reconstruction=" + reconstruction};
        if (is_hit)
          more = with(more, {"soft_error.max_halvings=0",
                             "inject={step: 3, stage: 1, cell: [52, 0, 0], kind: negative_density}"});
        CaseRun run(deck, tube(100, more));
        run.run(200);
        rejections += std::ssize(run.rejections);
        const Fields fields = run.fields();
        const auto [least, most] =
            std::minmax_element(fields.scalars.back().begin(), fields.scalars.back().end());
        INFO(deck, " ", reconstruction, is_hit ? ", hit" : "");
        CHECK(*least > -1e-12);
        CHECK(*most < 1 + 1e-12);
      }
  CHECK(rejections > 0);
}

TEST_CASE("a side lets in the second gas that it gives") {
  CaseRun run("shock_bubble_helium",
              {"mesh.cells=[40,1,1]", "mesh.lower=[0,0,0]", "mesh.upper=[1,1,1]", "time.end=1.2",
               "output.every=0", "case.background={density: 1, velocity: [1, 0, 0], pressure: 1}",
               "case.regions=[{shape: ball, center: [0.5, 0, 0], radius: 0.1, state: {density: 2, velocity: "
               "[1, 0, 0], pressure: 1}}]",
               "mesh.boundary.x=[{kind: state, density: 0.2, velocity: [1, 0, 0], pressure: 1, second_gas: "
               "1}, outflow]"});
  run.finish();
  CHECK(disturbance(run, {1, 1, 0, 0, 1}) < 1e-12);
  const Fields fields = run.fields();
  for (const double fraction : fields.scalars.back()) CHECK(fraction == doctest::Approx(1).epsilon(0.01));
}
