// A periodic unit box of bent elements.
#pragma once

#include <cmath>
#include <numbers>

#include "physics/hexahedra/mapped_box.hpp"

namespace halfstep {

/// Returns the elements of a box under a smooth map that moves inner places by a tenth of its widths, and
/// those of a side that is not periodic along the side alone.
inline Hexahedra bent_box(const std::array<int, 3>& count, int order,
                          const std::array<bool, 3>& is_periodic = {true, true, true},
                          const Point& lower = {0, 0, 0}, const Point& upper = {1, 1, 1}) {
  BoxOfElements box;
  box.count = count;
  box.is_periodic = is_periodic;
  box.order = order;
  box.lower = lower;
  box.upper = upper;
  const bool has_depth = count[2] > 1;
  return mapped_box(box, [=](const Point& x) {
    constexpr double two_pi = 2 * std::numbers::pi;
    Point s;
    for (int c = 0; c < 3; ++c) s[c] = (x[c] - lower[c]) / (upper[c] - lower[c]);
    const double z = has_depth ? std::cos(two_pi * s[2]) : 1;
    const double x_step = 0.05 * std::sin(two_pi * s[0]) * std::cos(two_pi * s[1]) * z;
    const double y_step = 0.05 * std::sin(two_pi * s[1]) * std::cos(two_pi * s[0]) * z;
    const double z_step = has_depth ? 0.05 * std::sin(two_pi * s[2]) * std::cos(two_pi * (s[0] + s[1])) : 0;
    return Point{x[0] + x_step * (upper[0] - lower[0]), x[1] + y_step * (upper[1] - lower[1]),
                 x[2] + z_step * (upper[2] - lower[2])};
  });
}

}  // namespace halfstep
