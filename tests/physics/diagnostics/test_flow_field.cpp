// The fields of outputs as pure functions: of uniform states and of linear flows, whose gradients are exact.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "physics/diagnostics/flow_field.hpp"

using namespace halfstep;

namespace {

constexpr std::array<double, 3> kSpacing = {0.5, 0.25, 0.125};
const IdealGas<double> kGas{1.4};

/// Returns the neighbourhood of the cell at the origin in a flow with the velocity `gradient` x and a density
/// of 2 + slope x.
Neighbourhood linear_flow(const std::array<std::array<double, 3>, 3>& gradient,
                          const std::array<double, 3>& slope = {}) {
  const auto at = [&](const std::array<double, 3>& x) {
    double v[3] = {}, density = 2;
    for (int a = 0; a < 3; ++a) {
      density += slope[a] * x[a];
      for (int b = 0; b < 3; ++b) v[a] += gradient[a][b] * x[b];
    }
    return to_conserved<double>({density, v[0], v[1], v[2], 3}, kGas);
  };
  Neighbourhood n{.cell = at({})};
  for (int axis = 0; axis < 3; ++axis) {
    n.distance[axis] = 2 * kSpacing[axis];
    for (const int side : {0, 1}) {
      std::array<double, 3> x{};
      x[axis] = (2 * side - 1) * kSpacing[axis];
      n.beside[axis][side] = at(x);
    }
  }
  return n;
}

double value(FlowField field, const Neighbourhood& n) {
  return is_of_gradient(field) ? gradient_value(field, FlowGradients(n))
                               : state_value(field, n.cell, to_primitive(n.cell, kGas), kGas);
}

}  // namespace

TEST_CASE("fields of a state are the textbook's") {
  const Primitive<double> q{2, 0.3, -0.4, 1.2, 5};
  const Conserved<double> c = to_conserved(q, kGas);
  const Neighbourhood n{.cell = c};
  const auto close = [&](FlowField field, double expected) {
    CAPTURE(name_of(kFlowFieldNames, field));
    CHECK(value(field, n) == doctest::Approx(expected).epsilon(1e-14));
  };
  close(FlowField::density, 2);
  close(FlowField::momentum_x, 0.6);
  close(FlowField::momentum_y, -0.8);
  close(FlowField::momentum_z, 2.4);
  close(FlowField::energy, c.energy);
  close(FlowField::velocity_x, 0.3);
  close(FlowField::velocity_y, -0.4);
  close(FlowField::velocity_z, 1.2);
  close(FlowField::speed, 1.3);
  close(FlowField::pressure, 5);
  close(FlowField::temperature, 2.5);
  close(FlowField::mach, 1.3 / std::sqrt(1.4 * 5 / 2));
  close(FlowField::entropy, 5 / std::pow(2, 1.4));
}

TEST_CASE("a rigid rotation has twice its rate as vorticity, a Q of its square, and no divergence") {
  // About (1, 2, 3): v = omega x r.
  const Neighbourhood n = linear_flow({{{0, -3, 2}, {3, 0, -1}, {-2, 1, 0}}});
  CHECK(value(FlowField::vorticity_x, n) == doctest::Approx(2));
  CHECK(value(FlowField::vorticity_y, n) == doctest::Approx(4));
  CHECK(value(FlowField::vorticity_z, n) == doctest::Approx(6));
  CHECK(value(FlowField::vorticity, n) == doctest::Approx(2 * std::sqrt(14.0)));
  CHECK(value(FlowField::q_criterion, n) == doctest::Approx(14));
  CHECK(std::abs(value(FlowField::divergence, n)) < 1e-14);
}

TEST_CASE("a simple shear has vorticity and no Q, a strain has a negative one, an expansion a divergence") {
  const Neighbourhood shear = linear_flow({{{0, 5, 0}, {}, {}}});
  CHECK(value(FlowField::vorticity_z, shear) == doctest::Approx(-5));
  CHECK(std::abs(value(FlowField::q_criterion, shear)) < 1e-14);
  const Neighbourhood strain = linear_flow({{{2, 0, 0}, {0, -2, 0}, {}}});
  CHECK(value(FlowField::q_criterion, strain) == doctest::Approx(-4));
  CHECK(std::abs(value(FlowField::vorticity, strain)) < 1e-14);
  CHECK(value(FlowField::divergence, linear_flow({{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}})) == doctest::Approx(6));
}

TEST_CASE("the schlieren is the magnitude of the gradient of the density") {
  CHECK(value(FlowField::schlieren, linear_flow({}, {0.3, 0.4, -1.2})) == doctest::Approx(1.3));
}

TEST_CASE("gradients are of second order where the widths of cells change smoothly") {
  const auto center = [](double cells, int of) { return std::sinh(2 * cells / of); };
  const auto error = [&](int of) {
    double largest = 0;
    for (int i = 1; i < of - 1; ++i) {
      const auto at = [&](int cell) {
        return to_conserved<double>({2 + std::sin(center(cell, of)), 0, 0, 0, 1}, kGas);
      };
      Neighbourhood n{.cell = at(i)};
      n.beside = {{{at(i - 1), at(i + 1)}, {n.cell, n.cell}, {n.cell, n.cell}}};
      n.distance[0] = center(i + 1, of) - center(i - 1, of);
      const double exact = std::abs(std::cos(center(i, of)));
      largest = std::max(largest, std::abs(value(FlowField::schlieren, n) - exact));
    }
    return largest;
  };
  CHECK(error(200) < 1e-3);
  CHECK(std::log2(error(200) / error(400)) == doctest::Approx(2).epsilon(0.03));
}
