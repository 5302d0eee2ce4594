// A random solenoidal velocity field in a periodic box, as a sum of Fourier modes. It is a function of the
// seed and the wave vectors alone, so it has the same bits on every mesh position, thread and processor.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "physics/base/portable_math.hpp"
#include "physics/base/random.hpp"
#include "physics/base/solenoidal_wave.hpp"
#include "physics/cases/case.hpp"
#include "physics/cases/cell_units.hpp"
#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// Velocity u(x) = sum of Re[a_k exp(i k x)] with a_k normal to k, of the energy spectrum
/// E(k) ~ k^4 exp(-2 (k / k0)^2). Sizes and angles of a_k are those of Rogallo, NASA TM-81315 (1981): the
/// size follows from E, the angles are random.
class SolenoidalModes {
 public:
  /// Takes all wave vectors up to 3 k0 that the mesh resolves. `peak`: k0 in waves along the longest side.
  /// The field is that of make().
  SolenoidalModes(const Mesh& mesh, double peak, std::int64_t seed) : mesh_(mesh), peak_(peak), seed_(seed) {
    double longest = 0;
    for (int axis = 0; axis < 3; ++axis)
      if (mesh.active(axis)) longest = std::max(longest, mesh.upper[axis] - mesh.lower[axis]);
    for (int axis = 0; axis < 3; ++axis) {
      if (!mesh.active(axis)) continue;
      unit_[axis] = longest / (mesh.upper[axis] - mesh.lower[axis]);
      most_[axis] = std::min(static_cast<int>(3 * peak / unit_[axis]), (mesh.cells[axis] - 1) / 2);
    }
  }

  /// Makes the field, with this root mean square of the cells' average speed.
  void make(double rms) {
    for (auto& values : modes_) values.assign(count(), 0);
    for (int x = 0; x <= most_[0]; ++x)
      for (int z = -most_[2]; z <= most_[2]; ++z)
        for (int y = -most_[1]; y <= most_[1]; ++y) {
          const bool is_second_half = x == 0 && (y < 0 || (y == 0 && z <= 0));  // the conjugate of another
          const double k = length(vector_of({x, y, z}));
          if (!is_second_half && k <= 3 * peak_) set_mode({x, y, z}, k);
        }
    multiply(rms / std::sqrt(mean_square()));
  }

  /// Returns the memory that the modes take, made or not.
  std::int64_t bytes() const { return static_cast<std::int64_t>(modes_.size() * count() * sizeof(double)); }

  /// Returns the average velocity over a box.
  std::array<double, 3> average(const Box& box) const {
    std::array<double, 3> velocity{};
    average_rows({waves(0, {{box.lower[0], box.upper[0]}}), waves(1, {{box.lower[1], box.upper[1]}}),
                  waves(2, {{box.lower[2], box.upper[2]}})},
                 [&](int, int, const std::array<double, 3>& u) { velocity = u; });
    return velocity;
  }

  /// Calls take(row, cell, velocity) with the average velocity over each cell of `rows`.
  template <class Take>
  void averages(const CellRows& rows, const Take& take) const {
    average_rows({waves(0, intervals(0, rows.first_i, rows.length)),
                  waves(1, intervals(1, rows.first_j, rows.count)), waves(2, intervals(2, rows.k, 1))},
                 take);
  }

 private:
  using Interval = std::array<double, 2>;
  using Vector = std::array<double, 3>;

  /// Averages of exp(i k x) over intervals of an axis: parts of wave number k at k * count + interval, k >=
  /// 0.
  struct Waves {
    std::size_t count;
    std::vector<double> cos, sin;
  };

  Vector vector_of(const std::array<int, 3>& wave) const {
    return {wave[0] * unit_[0], wave[1] * unit_[1], wave[2] * unit_[2]};
  }
  static double length(const Vector& k) { return std::sqrt(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]); }

  std::size_t index(const std::array<int, 3>& wave) const {
    const std::size_t wide_y = 2 * most_[1] + 1, wide_z = 2 * most_[2] + 1;
    return (wave[0] * wide_z + (wave[2] + most_[2])) * wide_y + (wave[1] + most_[1]);
  }

  /// Returns the mean over the mesh of the squares of the cells' average velocities. The modes are orthogonal
  /// on the mesh, too.
  double mean_square() const {
    double sum = 0;
    for (int x = 0; x <= most_[0]; ++x)
      for (int z = -most_[2]; z <= most_[2]; ++z)
        for (int y = -most_[1]; y <= most_[1]; ++y) {
          const std::size_t n = index({x, y, z});
          double square = 0;
          for (const auto& values : modes_) square += values[n] * values[n];
          const double share = damping(0, x, 1) * damping(1, y, 1) * damping(2, z, 1);
          sum += 0.5 * square * share * share;
        }
    return sum;
  }

  void multiply(double factor) {
    for (auto& values : modes_)
      for (double& value : values) value *= factor;
  }

  std::size_t count() const { return index({most_[0], most_[1], most_[2]}) + 1; }

  /// Sets the amplitude of a mode, which is the root of the energy spectrum over the area of its shell.
  void set_mode(const std::array<int, 3>& wave, double k) {
    const double energy = k * k * k * k * portable::exp(-2 * (k / peak_) * (k / peak_));
    const bool in_plane = mesh_.dimensions() == 2;
    const double size = std::sqrt(energy / (in_plane ? k : k * k));
    const auto angle = [&](int draw) {
      return 2 * std::numbers::pi * random_of(seed_, {wave[0], wave[1], wave[2], draw});
    };
    const WaveAmplitude amplitude =
        solenoidal_wave(vector_of(wave), {mesh_.active(0), mesh_.active(1), mesh_.active(2)}, size,
                        {angle(0), angle(1), angle(2)});
    for (int axis = 0; axis < 3; ++axis) {
      modes_[2 * axis][index(wave)] = amplitude.real[axis];
      modes_[2 * axis + 1][index(wave)] = amplitude.imaginary[axis];
    }
  }

  /// Returns by how much the average over `width` cells is smaller than the wave's amplitude.
  double damping(int axis, int wave, double width) const {
    const double x = std::numbers::pi * wave * width / mesh_.cells[axis];
    return x == 0 ? 1 : portable::sin(x) / x;
  }

  std::vector<Interval> intervals(int axis, int first, int count) const {
    std::vector<Interval> all;
    for (int i = first; i < first + count; ++i) all.push_back({mesh_.face(axis, i), mesh_.face(axis, i + 1)});
    return all;
  }

  /// Returns the waves of an axis. Places are reduced to the first period exactly: ghost cells have the bits
  /// of the cells that they repeat.
  Waves waves(int axis, const std::vector<Interval>& intervals) const {
    Waves all{intervals.size(), {}, {}};
    const double n = mesh_.cells[axis];
    for (int k = 0; k <= most_[axis]; ++k)
      for (const auto& [lower, upper] : intervals) {
        const double a = in_cells(mesh_, axis, lower), b = in_cells(mesh_, axis, upper);
        double turns = std::fmod(k * (0.5 * (a + b)), n);
        if (turns < 0) turns += n;
        const double angle = 2 * std::numbers::pi * (turns / n), size = damping(axis, k, b - a);
        all.cos.push_back(size * portable::cos(angle));
        all.sin.push_back(size * portable::sin(angle));
      }
    return all;
  }

  /// Sums over z for a plane, over y for each of its rows, over x for each cell.
  template <class Take>
  void average_rows(const std::array<Waves, 3>& waves, const Take& take) const {
    const std::vector<double> plane = sums_over_z(waves[2]);
    const std::size_t cells = waves[0].count;
    std::vector<double> row, velocity(3 * cells);
    for (std::size_t j = 0; j < waves[1].count; ++j) {
      row = sums_over_y(plane, waves[1], j);
      std::fill(velocity.begin(), velocity.end(), 0.0);
      for (int x = 0; x <= most_[0]; ++x)
        for (int axis = 0; axis < 3; ++axis) {
          const double real = row[6 * x + 2 * axis], imaginary = row[6 * x + 2 * axis + 1];
          const double *cos = &waves[0].cos[x * cells], *sin = &waves[0].sin[x * cells];
          double* to = &velocity[axis * cells];
          for (std::size_t i = 0; i < cells; ++i) to[i] += real * cos[i] - imaginary * sin[i];
        }
      for (std::size_t i = 0; i < cells; ++i)
        take(static_cast<int>(j), static_cast<int>(i),
             {velocity[i], velocity[cells + i], velocity[2 * cells + i]});
    }
  }

  /// Returns for each wave number along x, component and part the sums for all wave numbers along y.
  std::vector<double> sums_over_z(const Waves& z_waves) const {
    const std::size_t wide = 2 * most_[1] + 1;
    std::vector<double> sums(6 * wide * (most_[0] + 1));
    for (int x = 0; x <= most_[0]; ++x)
      for (int z = -most_[2]; z <= most_[2]; ++z) {
        const double cos = z_waves.cos[std::abs(z)];
        const double sin = z < 0 ? -z_waves.sin[std::abs(z)] : z_waves.sin[std::abs(z)];
        for (int axis = 0; axis < 3; ++axis) {
          const double* a = &modes_[2 * axis][index({x, -most_[1], z})];
          const double* b = &modes_[2 * axis + 1][index({x, -most_[1], z})];
          double *real = &sums[(6 * x + 2 * axis) * wide], *imaginary = real + wide;
          for (std::size_t y = 0; y < wide; ++y) {
            real[y] += a[y] * cos - b[y] * sin;
            imaginary[y] += a[y] * sin + b[y] * cos;
          }
        }
      }
    return sums;
  }

  /// Returns for each wave number along x, component and part the sum in row j.
  std::vector<double> sums_over_y(const std::vector<double>& plane, const Waves& y_waves,
                                  std::size_t j) const {
    const std::size_t wide = 2 * most_[1] + 1;
    std::vector<double> sums(6 * (most_[0] + 1));
    for (std::size_t part = 0; part < sums.size(); part += 2)
      for (int y = -most_[1]; y <= most_[1]; ++y) {
        const std::size_t at = part * wide + (y + most_[1]), wave = std::abs(y) * y_waves.count + j;
        const double cos = y_waves.cos[wave], sin = y < 0 ? -y_waves.sin[wave] : y_waves.sin[wave];
        sums[part] += plane[at] * cos - plane[at + wide] * sin;
        sums[part + 1] += plane[at] * sin + plane[at + wide] * cos;
      }
    return sums;
  }

  Mesh mesh_;
  double peak_;
  std::int64_t seed_;
  Vector unit_{0, 0, 0};              ///< wave number of one wave along each side, in waves along the longest
  std::array<int, 3> most_{0, 0, 0};  ///< largest wave number along each axis, in waves along that side
  std::array<std::vector<double>, 6> modes_;  ///< real and imaginary part of each component
};

}  // namespace halfstep
