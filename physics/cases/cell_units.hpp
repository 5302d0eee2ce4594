// Coordinates counted in cells, and functions of them that keep the mesh's symmetries to the last bit.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "physics/gas/state.hpp"
#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// Returns mesh.in_cells(axis, x), exactly a whole number at a face and a half-integer at a cell's centre:
/// the round-off of lower + i * spacing is removed, so that mirror images stay mirror images.
inline double in_cells(const Mesh& mesh, int axis, double x) {
  const double s = mesh.in_cells(axis, x);
  const double near = 0.5 * std::round(2 * s);
  return std::abs(s - near) < 1e-8 ? near : s;
}

/// Returns (x - lower) / mean width along `axis`, which grows evenly also where widths differ: for functions
/// that are periodic in the domain. Where they do not differ it is in_cells().
inline double in_mean_widths(const Mesh& mesh, int axis, double x) {
  return mesh.is_stretched(axis) ? (x - mesh.lower[axis]) / mesh.spacing(axis) : in_cells(mesh, axis, x);
}

/// Returns the distance x - from along `axis`, along one that is not stretched without round-off of the
/// faces.
inline double distance_along(const Mesh& mesh, int axis, double from, double x) {
  if (mesh.is_stretched(axis)) return x - from;
  return (in_cells(mesh, axis, x) - in_cells(mesh, axis, from)) * mesh.spacing(axis);
}

/// Returns cos(2 pi s / n), reduced exactly to the first eighth of a turn: all symmetries hold to the last
/// bit.
inline double cos_of_turn(double s, double n) {
  double r = std::fmod(std::abs(s), n);
  r = std::min(r, n - r);
  const double sign = r > 0.25 * n ? -1 : 1;
  r = std::min(r, 0.5 * n - r);
  const double turn = 2 * std::numbers::pi / n;
  return sign * (r > 0.125 * n ? std::sin(turn * (0.25 * n - r)) : std::cos(turn * r));
}

/// Returns sin(x) / x.
inline double sinc(double x) { return x == 0 ? 1 : std::sin(x) / x; }

/// Returns the mean over a <= s <= b of cos(2 pi waves s / n).
inline double mean_cos(double a, double b, double n, int waves) {
  return cos_of_turn(waves * 0.5 * (a + b), n) * sinc(std::numbers::pi * waves * (b - a) / n);
}
/// Returns the mean over a <= s <= b of sin(2 pi waves s / n).
inline double mean_sin(double a, double b, double n, int waves) {
  return cos_of_turn(waves * 0.5 * (a + b) - 0.25 * n, n) * sinc(std::numbers::pi * waves * (b - a) / n);
}

/// The representative of a cell among all its mirror images about a centre and exchanges of axes. Computing
/// there and mapping back gives states that are symmetric to the last bit, unless axes are stretched.
struct SymmetricImage {
  Box box;  ///< relative to the centre, on the positive side, ordered along the active axes
  std::array<int, 3> axis{0, 1, 2};  ///< axis[k]: the cell's axis that the image's axis k came from
  std::array<int, 3> sign{1, 1, 1};  ///< of the cell's axis axis[k]; 0 where the centre halves the cell
  std::array<int, 3> like{0, 1, 2};  ///< the first axis with the sides of axis k: on a diagonal not k

  SymmetricImage(const Box& cell, const std::array<double, 3>& centre, const Mesh& mesh) {
    std::array<int, 3> active{};
    int n = 0;
    for (int k = 0; k < 3; ++k) {
      if (!mesh.active(k)) {
        box.lower[k] = cell.lower[k], box.upper[k] = cell.upper[k];
        continue;
      }
      active[n++] = k;
    }
    struct Side {
      double lower, upper;
      int axis, sign;
      bool operator<(const Side& other) const {
        return lower < other.lower || (lower == other.lower && upper < other.upper);
      }
    };
    std::array<Side, 3> sides{};
    for (int i = 0; i < n; ++i) {
      const int k = active[i];
      const double low = distance_along(mesh, k, centre[k], cell.lower[k]);
      const double high = distance_along(mesh, k, centre[k], cell.upper[k]);
      if (low + high == 0)
        sides[i] = {low, high, k, 0};
      else if (low + high > 0)
        sides[i] = {low, high, k, 1};
      else
        sides[i] = {-high, -low, k, -1};
    }
    std::stable_sort(sides.begin(), sides.begin() + n);
    for (int i = 0; i < n; ++i) {
      box.lower[active[i]] = sides[i].lower, box.upper[active[i]] = sides[i].upper;
      axis[active[i]] = sides[i].axis, sign[active[i]] = sides[i].sign;
      like[active[i]] = i > 0 && !(sides[i - 1] < sides[i]) ? like[active[i - 1]] : active[i];
    }
  }

  /// Maps a state computed on the image back to the cell.
  Conserved<double> to_cell(const Conserved<double>& image) const {
    const std::array<double, 3> momentum{image.mu, image.mv, image.mw};
    std::array<double, 3> out{};
    for (int k = 0; k < 3; ++k) out[axis[k]] = sign[k] * momentum[like[k]];
    return {image.density, out[0], out[1], out[2], image.energy};
  }
};

}  // namespace halfstep
