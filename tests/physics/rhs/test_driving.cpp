// The random acceleration: its waves, its root mean square, and how it changes in time.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "physics/rhs/driving.hpp"

using namespace halfstep;

namespace {

/// The random acceleration on a mesh.
class OnMesh {
 public:
  OnMesh(const Driving& driving, const Mesh& mesh)
      : waves(driving, mesh), mesh_(mesh), phases_(driving_phases(waves, mesh)) {}

  void set_time(double time) {
    amplitudes.clear();
    for (int n = 0; n < waves.count(); ++n) amplitudes.push_back(waves.amplitude(n, time));
  }
  std::array<double, 3> at(int i, int j, int k) const {
    RowWave row[3][kMostDrivingWaves + 1];
    for (int axis = 0; axis < 3; ++axis)
      for (int x = 0; x <= waves.most[0]; ++x)
        row[axis][x] = row_wave(waves, amplitudes.data(), phases_.data(), axis, x, j, k);
    return acceleration_in(waves, phases_.data(), row, i);
  }
  /// Returns the same from the definition, without rows.
  std::array<double, 3> sum_at(int i, int j, int k) const {
    std::array<double, 3> sum{};
    const std::array<double, 3> x = mesh_.center(i, j, k);
    for (int n = 0; n < waves.count(); ++n) {
      double angle = 0;
      for (int axis = 0; axis < 3; ++axis)
        angle += 2 * std::numbers::pi * waves.wave(n)[axis] * (x[axis] - mesh_.lower[axis]) /
                 (mesh_.upper[axis] - mesh_.lower[axis]);
      for (int axis = 0; axis < 3; ++axis)
        sum[axis] +=
            amplitudes[n].real[axis] * std::cos(angle) - amplitudes[n].imaginary[axis] * std::sin(angle);
    }
    return sum;
  }
  double mean_square() const {
    double sum = 0;
    for (const WaveAmplitude& a : amplitudes)
      for (int axis = 0; axis < 3; ++axis)
        sum += 0.5 * (a.real[axis] * a.real[axis] + a.imaginary[axis] * a.imaginary[axis]);
    return sum;
  }

  DrivingWaves waves;
  std::vector<WaveAmplitude> amplitudes;

 private:
  Mesh mesh_;
  std::vector<double> phases_;
};

Driving driving(double acceleration, int waves, std::int64_t seed = 1) {
  Driving d;
  d.acceleration = acceleration;
  d.waves = waves;
  d.seed = seed;
  d.correlation_time = 0.7;
  return d;
}

const Mesh kBox{{12, 10, 9}, {-1, 0, 0.5}, {1, 1, 3}};
const Mesh kPlane{{12, 1, 10}, {0, 0, 0}, {1, 1, 2}};

}  // namespace

TEST_CASE("rows add up the waves of the random acceleration, which are normal to their wave vectors") {
  for (const Mesh& mesh : {kBox, kPlane}) {
    OnMesh force(driving(0.3, 3), mesh);
    force.set_time(1.9);
    for (int n = 0; n < force.waves.count(); ++n) {
      double real = 0, imaginary = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const double k = force.waves.wave(n)[axis] / (mesh.upper[axis] - mesh.lower[axis]);
        real += k * force.amplitudes[n].real[axis];
        imaginary += k * force.amplitudes[n].imaginary[axis];
      }
      CHECK(std::abs(real) + std::abs(imaginary) < 1e-15);
    }
    double largest = 0;
    for (int k = 0; k < mesh.cells[2]; ++k)
      for (int j = 0; j < mesh.cells[1]; ++j)
        for (int i = 0; i < mesh.cells[0]; ++i) {
          const auto by_rows = force.at(i, j, k), expected = force.sum_at(i, j, k);
          for (int axis = 0; axis < 3; ++axis) CHECK(std::abs(by_rows[axis] - expected[axis]) < 1e-14);
          for (double a : by_rows) largest = std::max(largest, std::abs(a));
        }
    CHECK(largest > 0.3);
    if (mesh.cells[1] == 1) CHECK(force.at(3, 0, 4)[1] == 0);
  }
}

TEST_CASE("waves are those of the box's integers up to the largest, each once") {
  const Mesh cube{{16, 16, 16}, {0, 0, 0}, {1, 1, 1}};
  for (const auto& [largest, expected] : {std::pair(1, 3), {2, 16}}) {  // half of 6 and of 32 vectors
    const DrivingWaves waves(driving(1, largest), cube);
    int taken = 0;
    for (int n = 0; n < waves.count(); ++n) {
      const auto [x, y, z] = waves.wave(n);
      CHECK(waves.index(x, y, z) == n);
      taken += waves.is_taken({x, y, z});
      if (x == 0) CHECK(!(waves.is_taken({0, y, z}) && waves.is_taken({0, -y, -z})));
    }
    CHECK(taken == expected);
  }
}

TEST_CASE("the random acceleration keeps its root mean square, is continuous, and follows its seed") {
  OnMesh force(driving(0.3, 3), kBox), other(driving(0.3, 3, 2), kBox);
  double mean = 0;
  constexpr int times = 4000;
  for (int n = 0; n < times; ++n) {
    force.set_time(0.11 * n);
    mean += force.mean_square() / times;
  }
  CHECK(std::sqrt(mean) == doctest::Approx(0.3).epsilon(0.02));
  const auto apart = [](const OnMesh& a, const OnMesh& b) {
    const auto x = a.at(3, 4, 5), y = b.at(3, 4, 5);
    return std::abs(x[0] - y[0]) + std::abs(x[1] - y[1]) + std::abs(x[2] - y[2]);
  };
  OnMesh later = force;
  for (const double time : {0.7, 1.4, 3.5}) {
    force.set_time(time - 1e-9);
    later.set_time(time + 1e-9);
    CHECK(apart(force, later) < 1e-7);
    later.set_time(time + 0.7);
    CHECK(apart(force, later) > 1e-2);
    other.set_time(time - 1e-9);
    CHECK(apart(force, other) > 1e-2);
  }
}
