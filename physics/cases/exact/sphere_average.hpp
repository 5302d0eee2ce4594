// Box averages of functions that jump across a sphere (a circle, a pair of planes) about the origin.
#pragma once

#include <algorithm>

#include "physics/cases/exact/quadrature.hpp"

namespace halfstep {

/// Returns the distance from the origin over the active axes.
inline double swept_norm(const std::array<double, 3>& x, const std::array<bool, 3>& active) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += active[k] ? x[k] * x[k] : 0;
  return std::sqrt(sum);
}

/// The nearest and farthest distance of a box from the origin and its diagonal, over the active axes.
struct RadialExtent {
  double nearest, farthest, diagonal;
  RadialExtent(const Box& box, const std::array<bool, 3>& active) {
    std::array<double, 3> gap, reach, width;
    for (int k = 0; k < 3; ++k) {
      gap[k] = std::max({0.0, box.lower[k], -box.upper[k]});
      reach[k] = std::max(std::abs(box.lower[k]), std::abs(box.upper[k]));
      width[k] = box.width(k);
    }
    nearest = swept_norm(gap, active), farthest = swept_norm(reach, active),
    diagonal = swept_norm(width, active);
  }
};

/// Mean of f(point) over `box`, where f is smooth but for a jump at |point| = radius, |.| taken over the axes
/// with active[axis]; along the others the point stays in the box's middle. Nested quadrature: each line is
/// cut where it meets the sphere, and each outer integral where the sphere enters or leaves the inner box.
template <class F>
class SphereAverage {
 public:
  using Point = std::array<double, 3>;

  SphereAverage(const GaussRule& rule, const Box& box, const std::array<bool, 3>& active, double radius, F f)
      : rule_(rule), box_(box), radius2_(radius * radius), f_(f) {
    for (int axis = 0; axis < 3; ++axis)
      if (active[axis]) axes_[count_++] = axis;
  }

  auto mean() const { return along(count_ - 1, {box_.center(0), box_.center(1), box_.center(2)}, 0); }

 private:
  using Result = decltype(std::declval<F>()(Point{}));

  /// Mean over axes_[0..level]; `fixed` is the sum of squares of the coordinates further out.
  Result along(int level, Point point, double fixed) const {
    if (level < 0) return f_(point);
    const int axis = axes_[level];
    double cuts[40];
    int n = 0;
    cuts[n++] = box_.lower[axis];
    add_cuts(level, level - 1, radius2_ - fixed, cuts, n);
    cuts[n++] = box_.upper[axis];
    std::sort(cuts, cuts + n);
    const auto inner = [&](double x) {
      Point next = point;
      next[axis] = x;
      return along(level - 1, next, fixed + x * x);
    };
    if (n == 2) return interval_average(rule_, cuts[0], cuts[1], inner);
    Result sum{};
    for (int i = 0; i + 1 < n; ++i) {
      const double share = (cuts[i + 1] - cuts[i]) / box_.width(axis);
      if (share <= 0) continue;
      sum = sum + share * (level == 0 ? interval_average(rule_, cuts[i], cuts[i + 1], inner)
                                      : root_end_average(cuts[i], cuts[i + 1], inner));
    }
    return sum;
  }

  /// Where, along axes_[level], the sphere meets an extreme of the inner box: for each choice of the inner
  /// coordinates among lower, upper and (where the box holds it) zero.
  void add_cuts(int level, int inner, double square, double* cuts, int& n) const {
    if (square <= 0) return;
    if (inner >= 0) {
      const double low = box_.lower[axes_[inner]], high = box_.upper[axes_[inner]];
      add_cuts(level, inner - 1, square - low * low, cuts, n);
      add_cuts(level, inner - 1, square - high * high, cuts, n);
      if (low < 0 && high > 0) add_cuts(level, inner - 1, square, cuts, n);
      return;
    }
    const double root = std::sqrt(square), low = box_.lower[axes_[level]], high = box_.upper[axes_[level]];
    if (low < -root && -root < high) cuts[n++] = -root;
    if (low < root && root < high) cuts[n++] = root;
  }

  /// Mean over [a, b] of a function with square-root ends: x = middle + half (3 s - s^3) / 2 smooths them.
  template <class G>
  Result root_end_average(double a, double b, G&& g) const {
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    return interval_average(rule_, -1, 1, [&](double s) {
      return (1.5 * (1 - s * s)) * g(middle + half * (0.5 * s * (3 - s * s)));
    });
  }

  const GaussRule& rule_;
  Box box_;
  double radius2_;
  F f_;
  std::array<int, 3> axes_{};
  int count_ = 0;
};

template <class F>
auto sphere_average(const GaussRule& rule, const Box& box, const std::array<bool, 3>& active, double radius,
                    F f) {
  return SphereAverage<F>(rule, box, active, radius, f).mean();
}

}  // namespace halfstep
