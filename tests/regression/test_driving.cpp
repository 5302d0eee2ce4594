// Flows that a mean pressure gradient or a random acceleration drives.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "physics/host/driving.hpp"
#include "tests/support/given_flow.hpp"

using namespace halfstep;

namespace {

/// Returns the integral over time of the random acceleration in a cell, by Simpson's rule.
std::array<double, 3> impulse(const DrivingWaves& waves, const std::vector<double>& phases, double end, int i,
                              int j, int k) {
  constexpr int intervals = 400;
  std::array<double, 3> sum{};
  for (int n = 0; n <= intervals; ++n) {
    std::vector<WaveAmplitude> amplitudes;
    for (int m = 0; m < waves.count(); ++m) amplitudes.push_back(waves.amplitude(m, end * n / intervals));
    RowWave row[3][kMostDrivingWaves + 1];
    for (int axis = 0; axis < 3; ++axis)
      for (int x = 0; x <= waves.most[0]; ++x)
        row[axis][x] = row_wave(waves, amplitudes.data(), phases.data(), axis, x, j, k);
    const auto now = acceleration_in(waves, phases.data(), row, i);
    const double weight = n == 0 || n == intervals ? 1 : n % 2 == 1 ? 4 : 2;
    for (int axis = 0; axis < 3; ++axis) sum[axis] += weight * end / intervals / 3 * now[axis];
  }
  return sum;
}

}  // namespace

TEST_CASE("a mean pressure gradient accelerates a uniform gas as Newton says, and leaves its pressure") {
  for (const std::string integrator : {"ssprk2", "ssprk3", "ssprk4"}) {
    const auto start = [](const Box&) -> Primitive<double> { return {2, 0.5, 0, 0.1, 3}; };
    CaseRun run =
        run_from(start, {"mesh={cells: [16, 8, 6], boundary: {x: periodic, y: periodic, z: periodic}}",
                         "driving.pressure_gradient=[-0.6, 0.2, 0]", "time.end=0.5",
                         "scheme.integrator=" + integrator});
    run.finish();
    CHECK(worst_of(run, [](const Primitive<double>& q, const Box&) {
            return std::abs(q.u - (0.5 + 0.3 * 0.5)) + std::abs(q.v + 0.1 * 0.5) + std::abs(q.w - 0.1) +
                   std::abs(q.pressure - 3) + std::abs(q.density - 2);
          }) < 1e-12);
  }
}

TEST_CASE("the work of a mean pressure gradient is all the energy that a viscous flow gains") {
  const auto start = [](const Box& cell) -> Primitive<double> {
    return {1 + 0.2 * std::sin(2 * M_PI * cell.center(0)), 0.3 * std::sin(2 * M_PI * cell.center(1)), 0.2, 0,
            2};
  };
  // Over a short time the work is that of the mean velocity, force * (mean u) * time.
  CaseRun run = run_from(
      start, {"mesh={cells: [32, 32, 1], boundary: {x: periodic, y: periodic}}", "gas.viscosity=1e-3",
              "driving.pressure_gradient=[0, -0.5, 0]", "time={end: 0.2, dt: 0.004}"});
  const auto totals = [&] {
    std::array<double, 3> sum{};
    double mass = 0;
    worst_of(run, [&](const Primitive<double>& q, const Box&) {
      const Conserved<double> c = to_conserved(q, run.gas());
      sum[0] += c.mv / 1024;
      sum[1] += c.energy / 1024;
      sum[2] += q.v / 1024;
      return mass += 1;
    });
    return sum;
  };
  const auto before = totals();
  run.finish();
  const auto after = totals();
  CHECK(after[0] - before[0] == doctest::Approx(0.5 * 0.2).epsilon(1e-12));
  CHECK(after[1] - before[1] == doctest::Approx(0.5 * 0.2 * 0.5 * (before[2] + after[2])).epsilon(1e-3));
}

TEST_CASE("gas at rest takes up the impulse of the random acceleration, to third order in the step") {
  // Weak, so that nothing else moves the gas; solenoidal, so that its pressure stays, but for what the mesh
  // takes for a divergence.
  const Overrides weak = {"mesh={cells: [16, 16, 12], boundary: {x: periodic, y: periodic, z: periodic}}",
                          "driving={acceleration: 1e-6, waves: 2, correlation_time: 0.1}",
                          "scheme.integrator=ssprk3"};
  const auto at_rest = [](const Box&) -> Primitive<double> { return {2, 0, 0, 0, 1}; };
  std::vector<Fields> by_step;
  for (const char* dt : {"0.02", "0.01", "0.005"}) {
    CaseRun run = run_from(at_rest, with(weak, {std::string("time={end: 0.1, dt: ") + dt + "}"}));
    run.finish();
    by_step.push_back(run.fields());
    const DrivingWaves waves(run.config.problem.terms.driving, run.mesh());
    const std::vector<double> phases = driving_phases(waves, run.mesh());
    std::size_t at = 0;
    double worst = 0;
    for_every_cell(run.mesh(), [&](const auto& cell) {
      const Primitive<double> q = primitive_of_cell(by_step.back(), at++, run.gas());
      if (at % 37 != 0) return;
      const auto expected = impulse(waves, phases, 0.1, cell[0], cell[1], cell[2]);
      worst = std::max(
          {worst, std::abs(q.u - expected[0]), std::abs(q.v - expected[1]), std::abs(q.w - expected[2])});
    });
    CHECK(worst < 1e-3 * 1e-6 * 0.1);
  }
  const auto apart = [&](const Fields& a, const Fields& b) {
    double most = 0;
    for (int field = 1; field <= 3; ++field)
      for (std::size_t n = 0; n < a.conserved[field].size(); ++n)
        most = std::max(most, std::abs(a.conserved[field][n] - b.conserved[field][n]));
    return most;
  };
  CHECK(apart(by_step[0], by_step[1]) > 6 * apart(by_step[1], by_step[2]));
}
