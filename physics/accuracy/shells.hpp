// Radial profiles of a flow about a centre, averaged over shells, and the position of its shock.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// Means over the cells whose centres lie in shells one cell wide (of the narrowest active axis) about a
/// point; shells without cells are left out.
struct Shells {
  std::vector<double> radius, mean;  ///< means of the cells' distances and of the field
};

/// Returns the distance of a cell's centre from `centre`, along the active axes.
inline double distance_from(const Mesh& mesh, const std::array<double, 3>& centre, int i, int j, int k) {
  const std::array<double, 3> x = mesh.center(i, j, k);
  double r2 = 0;
  for (int a = 0; a < 3; ++a)
    if (mesh.active(a)) r2 += (x[a] - centre[a]) * (x[a] - centre[a]);
  return std::sqrt(r2);
}

inline Shells shells(const std::vector<double>& field, const Mesh& mesh,
                     const std::array<double, 3>& centre) {
  double width = 0;
  for (int a = 0; a < 3; ++a)
    if (mesh.active(a) && (width == 0 || mesh.spacing(a) < width)) width = mesh.spacing(a);
  std::vector<double> count;
  Shells all;
  std::size_t n = 0;
  for (int k = 0; k < mesh.cells[2]; ++k)
    for (int j = 0; j < mesh.cells[1]; ++j)
      for (int i = 0; i < mesh.cells[0]; ++i, ++n) {
        const double r = distance_from(mesh, centre, i, j, k);
        const auto shell = static_cast<std::size_t>(r / width);
        if (shell >= count.size()) {
          count.resize(shell + 1);
          all.radius.resize(shell + 1);
          all.mean.resize(shell + 1);
        }
        count[shell] += 1;
        all.radius[shell] += r;
        all.mean[shell] += field[n];
      }
  Shells filled;
  for (std::size_t s = 0; s < count.size(); ++s) {
    if (count[s] == 0) continue;
    filled.radius.push_back(all.radius[s] / count[s]);
    filled.mean.push_back(all.mean[s] / count[s]);
  }
  return filled;
}

/// Returns where a profile crosses `level` between its points n - 1 and n, linear between them; NaN if it
/// does not.
inline double crossing(const std::vector<double>& x, const std::vector<double>& values, std::size_t n,
                       double level) {
  const double a = values[n - 1] - level, b = values[n] - level;
  return (a > 0) != (b > 0) ? x[n - 1] + (x[n] - x[n - 1]) * a / (a - b) : std::nan("");
}

/// Returns where a profile first crosses `level`; NaN if it does nowhere.
inline double first_crossing(const std::vector<double>& x, const std::vector<double>& values, double level) {
  for (std::size_t n = 1; n < values.size(); ++n)
    if (const double at = crossing(x, values, n, level); !std::isnan(at)) return at;
  return std::nan("");
}

/// Returns where a profile last crosses `level`; NaN if it does nowhere.
inline double outermost_crossing(const std::vector<double>& x, const std::vector<double>& values,
                                 double level) {
  for (std::size_t n = values.size(); n-- > 1;)
    if (const double at = crossing(x, values, n, level); !std::isnan(at)) return at;
  return std::nan("");
}

}  // namespace halfstep
