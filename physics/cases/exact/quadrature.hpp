// Gauss-Legendre quadrature over intervals and boxes.
#pragma once

#include <array>

#include "physics/base/gauss_rule.hpp"
#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// Mean over [a, b] of f(x), whose value is anything with + and a product by a number.
template <class F>
auto interval_average(const GaussRule& rule, double a, double b, F&& f) {
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  auto sum = 0.5 * rule.weights[0] * f(middle + half * rule.nodes[0]);
  for (std::size_t i = 1; i < rule.nodes.size(); ++i)
    sum = sum + 0.5 * rule.weights[i] * f(middle + half * rule.nodes[i]);
  return sum;
}

/// Mean of f(point) over `box`, by the tensor-product rule along the axes with active[axis]; along the others
/// the point stays in the box's middle.
template <class F>
auto box_average(const GaussRule& rule, const Box& box, const std::array<bool, 3>& active, F&& f) {
  static const GaussRule middle = gauss_rule(1);
  const auto along = [&](int axis) -> const GaussRule& { return active[axis] ? rule : middle; };
  return interval_average(along(2), box.lower[2], box.upper[2], [&](double z) {
    return interval_average(along(1), box.lower[1], box.upper[1], [&](double y) {
      return interval_average(along(0), box.lower[0], box.upper[0], [&](double x) {
        return f(std::array<double, 3>{x, y, z});
      });
    });
  });
}

}  // namespace halfstep
