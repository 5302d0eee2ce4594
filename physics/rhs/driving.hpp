// What drives a flow: a mean pressure gradient, and a random acceleration by waves as large as the box, which
// stirs turbulence. Both are functions of place and time alone, so a restart needs no state of theirs, and
// neither threads nor tiles change a bit.
//
// The random acceleration is that of forced turbulence (Eswaran & Pope, Computers & Fluids 16, 1988;
// Federrath et al., A&A 512, A81, 2010), but where they integrate a stochastic equation in time, a wave's
// amplitude turns here within each correlation time T from one random amplitude to the next,
// a(t) = cos(s) a_n + sin(s) a_(n+1), s = pi/2 (t/T - n), and so keeps its mean square.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "physics/base/random.hpp"
#include "physics/base/solenoidal_wave.hpp"
#include "physics/mesh/mesh.hpp"

namespace halfstep {

struct Driving {
  std::array<double, 3> pressure_gradient{};  ///< pressure / length; the gas is pushed against it
  double acceleration = 0;                    ///< root mean square of the random one; 0: none
  int waves = 2;                              ///< largest wave number, in waves along the longest side
  double correlation_time = 1;
  std::int64_t seed = 1;

  bool is_random() const { return acceleration > 0; }
  bool active() const { return is_random() || pressure_gradient != std::array<double, 3>{}; }
};

inline constexpr int kMostDrivingWaves = 8;

/// The waves of the random acceleration in a mesh: all of one size whose wave vector is not longer than
/// Driving::waves. Of a wave vector and its opposite one is left out, since they are one wave.
struct DrivingWaves {
  double size = 0;
  double longest = 0;  ///< wave vector, in waves along the longest side
  double correlation_time = 1;
  std::int64_t seed = 0;
  std::array<bool, 3> active{};
  std::array<double, 3> unit{};  ///< one wave along each side, in waves along the longest
  std::array<int, 3> most{};     ///< waves along each side
  std::array<int, 3> cells{};

  DrivingWaves(const Driving& driving, const Mesh& mesh)
      : longest(driving.waves),
        correlation_time(driving.correlation_time),
        seed(driving.seed),
        cells(mesh.cells) {
    double side = 0;
    for (int axis = 0; axis < 3; ++axis) active[axis] = mesh.active(axis);
    for (int axis = 0; axis < 3; ++axis)
      if (active[axis]) side = std::max(side, mesh.upper[axis] - mesh.lower[axis]);
    for (int axis = 0; axis < 3; ++axis) {
      if (!active[axis] || !driving.is_random()) continue;
      unit[axis] = side / (mesh.upper[axis] - mesh.lower[axis]);
      most[axis] = static_cast<int>(longest / unit[axis] * (1 + 1e-12));
    }
    int waves = 0;
    for (int n = 0; n < count(); ++n) waves += driving.is_random() && is_taken(wave(n));
    // A wave's mean square is half of the square of its size.
    if (waves > 0) size = driving.acceleration * std::sqrt(2.0 / waves);
  }

  /// Returns the number of amplitudes; those of wave vectors that are not taken are zero.
  HALFSTEP_HD int count() const { return (most[0] + 1) * (2 * most[1] + 1) * (2 * most[2] + 1); }
  HALFSTEP_HD int index(int x, int y, int z) const {
    return (x * (2 * most[2] + 1) + z + most[2]) * (2 * most[1] + 1) + y + most[1];
  }
  HALFSTEP_HD std::array<int, 3> wave(int n) const {
    const int wide_y = 2 * most[1] + 1, wide_z = 2 * most[2] + 1;
    return {n / wide_y / wide_z, n % wide_y - most[1], n / wide_y % wide_z - most[2]};
  }
  HALFSTEP_HD std::array<double, 3> vector_of(const std::array<int, 3>& wave) const {
    return {wave[0] * unit[0], wave[1] * unit[1], wave[2] * unit[2]};
  }
  HALFSTEP_HD bool is_taken(const std::array<int, 3>& wave) const {
    const auto [x, y, z] = wave;
    const bool is_opposite = x == 0 && (z < 0 || (z == 0 && y <= 0));  // or zero
    const std::array<double, 3> k = vector_of(wave);
    return !is_opposite && k[0] * k[0] + k[1] * k[1] + k[2] * k[2] <= longest * longest * (1 + 1e-12);
  }

  /// Returns amplitude `n` at a time.
  HALFSTEP_HD WaveAmplitude amplitude(int n, double time) const {
    WaveAmplitude now;
    if (size == 0 || !is_taken(wave(n))) return now;
    const double turns = time / correlation_time, last = std::floor(turns);
    const double angle = 0.5 * std::numbers::pi * (turns - last);
    for (int next = 0; next < 2; ++next) {
      const WaveAmplitude one = random_amplitude(n, static_cast<std::int64_t>(last) + next);
      const double share = next == 0 ? portable::cos(angle) : portable::sin(angle);
      for (int axis = 0; axis < 3; ++axis) {
        now.real[axis] += share * one.real[axis];
        now.imaginary[axis] += share * one.imaginary[axis];
      }
    }
    return now;
  }

  /// Returns the real or imaginary parts of exp(i k x) at the centres of an axis' cells, in `phases`: those
  /// of one cell beside each other.
  HALFSTEP_HD const double* phases_of(const double* phases, int axis, int cell) const {
    for (int before = 0; before < axis; ++before) phases += 2 * (most[before] + 1) * cells[before];
    return phases + 2 * (most[axis] + 1) * cell;
  }

 private:
  HALFSTEP_HD WaveAmplitude random_amplitude(int n, std::int64_t draw) const {
    const std::array<int, 3> k = wave(n);
    const auto angle = [&](int number) {
      return 2 * std::numbers::pi *
             random_of(seed, {k[0], k[1], k[2], number, static_cast<int>(draw & 0x7fffffff)});
    };
    return solenoidal_wave(vector_of(k), active, size, {angle(0), angle(1), angle(2)});
  }
};

/// Returns cos k x and sin k x of all waves along each axis, at the centres of its cells.
inline std::vector<double> driving_phases(const DrivingWaves& waves, const Mesh& mesh) {
  std::vector<double> phases;
  for (int axis = 0; axis < 3; ++axis)
    for (int cell = 0; cell < mesh.cells[axis]; ++cell) {
      const double middle = 0.5 * (mesh.face(axis, cell) + mesh.face(axis, cell + 1)),
                   place = (middle - mesh.lower[axis]) / (mesh.upper[axis] - mesh.lower[axis]);
      for (int k = 0; k <= waves.most[axis]; ++k) {
        phases.push_back(portable::cos(2 * std::numbers::pi * k * place));
        phases.push_back(portable::sin(2 * std::numbers::pi * k * place));
      }
    }
  return phases;
}

/// The sum of a component over the waves with one wave number along x, in a row of cells.
struct RowWave {
  double real = 0, imaginary = 0;
};

/// Returns the wave of row (j, k) with wave number `x`.
HALFSTEP_HD RowWave row_wave(const DrivingWaves& waves, const WaveAmplitude* amplitudes, const double* phases,
                             int component, int x, int j, int k) {
  const double *along_y = waves.phases_of(phases, 1, j), *along_z = waves.phases_of(phases, 2, k);
  RowWave sum;
  for (int z = -waves.most[2]; z <= waves.most[2]; ++z)
    for (int y = -waves.most[1]; y <= waves.most[1]; ++y) {
      const WaveAmplitude& a = amplitudes[waves.index(x, y, z)];
      const int m = y < 0 ? -y : y, n = z < 0 ? -z : z;
      const double cos_y = along_y[2 * m], sin_y = y < 0 ? -along_y[2 * m + 1] : along_y[2 * m + 1];
      const double cos_z = along_z[2 * n], sin_z = z < 0 ? -along_z[2 * n + 1] : along_z[2 * n + 1];
      const double cos = cos_y * cos_z - sin_y * sin_z, sin = sin_y * cos_z + cos_y * sin_z;
      sum.real += a.real[component] * cos - a.imaginary[component] * sin;
      sum.imaginary += a.real[component] * sin + a.imaginary[component] * cos;
    }
  return sum;
}

/// Returns the random acceleration in cell i of a row. `row`: the waves of its components.
HALFSTEP_HD std::array<double, 3> acceleration_in(const DrivingWaves& waves, const double* phases,
                                                  const RowWave (&row)[3][kMostDrivingWaves + 1], int i) {
  const double* along_x = waves.phases_of(phases, 0, i);
  std::array<double, 3> sum{};
  for (int axis = 0; axis < 3; ++axis)
    for (int x = 0; x <= waves.most[0]; ++x)
      sum[axis] += row[axis][x].real * along_x[2 * x] - row[axis][x].imaginary * along_x[2 * x + 1];
  return sum;
}

}  // namespace halfstep
