// Averages over time of fields of all cells: means, and the variances or all covariances about them. A state
// is taken in at once, by the weighted update of West (1979, Commun. ACM 22, 532), which cancels no digits:
// the same states with the same weights give the same bits, whichever of them are taken in together.
#pragma once

#include <cstdint>
#include <iterator>
#include <type_traits>

#include "physics/base/arithmetic.hpp"
#include "physics/base/unrolled.hpp"
#include "physics/diagnostics/flow_field.hpp"
#include "physics/mesh/axis_tables.hpp"
#include "physics/mesh/layout.hpp"

namespace halfstep {

/// What is averaged.
struct AveragesRequest {
  static constexpr int kMostFields = std::size(kFlowFieldNames);

  FlowField fields[kMostFields] = {};
  int field_count = 0;
  int fractions = 0;         ///< behind the fields: of each scalar, the second gas's last
  bool covariances = false;  ///< of each two fields, beside the variances

  HALFSTEP_HD int means() const { return field_count + fractions; }
  /// Returns the number of products of deviations that are summed.
  HALFSTEP_HD int products() const { return covariances ? means() * (means() + 1) / 2 : means(); }
  /// Returns the number of the product of two fields, first <= second: those of a field with itself and the
  /// later ones are in a row.
  HALFSTEP_HD int product(int first, int second) const {
    return covariances ? first * means() - first * (first - 1) / 2 + second - first : first;
  }
  /// Returns the numbers that are kept for each cell: the means by field, then the sums of products.
  HALFSTEP_HD int sums() const { return means() + products(); }
  bool has_gradients() const {
    for (int n = 0; n < field_count; ++n)
      if (is_of_gradient(fields[n])) return true;
    return false;
  }
};

/// States of successive steps that are taken in together, the earliest first.
struct WeightedStates {
  static constexpr int kMost = 4;

  int count = 0;
  int age[kMost] = {};       ///< steps before U^n
  double share[kMost] = {};  ///< a state's weight over that of all states so far, itself included
  double rest[kMost] = {};   ///< the weight of its deviations from the mean so far: weight (1 - share)
};
static_assert(std::is_trivially_copyable_v<AveragesRequest> && std::is_trivially_copyable_v<WeightedStates>,
              "ranks send them as bytes");

/// The averages of the cells of a mesh or block, and states to be taken in.
template <class Real>
struct AveragesArguments {
  static constexpr int kMost = WeightedStates::kMost;

  AveragesRequest request;
  WeightedStates weights;
  const Real* states[kMost];
  Layout layout;
  Gases<double> gases;
  double spacing[3];  ///< of axes that are not stretched
  AxisTableViews<Real> axes;
  double* sums;  ///< one of request.sums() after the other, each of all cells, x fastest

  /// Calls f(s) for each of the states.
  template <class F>
  HALFSTEP_HD void for_states(F f) const {
    unrolled<kMost>([&](int s) {
      if (s < weights.count) f(s);
    });
  }
};

/// The flow in a cell in one of the states.
struct FlowInCell {
  Conserved<double> conserved;
  Primitive<double> primitive;
  IdealGas<double> gas;

  template <class Real>
  HALFSTEP_HD FlowInCell(const AveragesArguments<Real>& a, const Conserved<double>& c, int state, int i,
                         int j, int k)
      : conserved(c), gas(gas_in(a.gases, a.layout, a.states[state], i, j, k)) {
    primitive = to_primitive(c, gas);
  }
};

/// Returns the gradients around a cell whose state is `c`.
template <class Real>
HALFSTEP_HD FlowGradients gradients_at(const AveragesArguments<Real>& a, const Conserved<double>& c,
                                       int state, int i, int j, int k) {
  const Layout& l = a.layout;
  const Real* const u = a.states[state];
  Neighbourhood around{.cell = c};
  const int cell[3] = {i, j, k};
  for (int axis = 0; axis < 3; ++axis) {
    const int x = axis == 0 && l.ghosts[0] > 0, y = axis == 1 && l.ghosts[1] > 0,
              z = axis == 2 && l.ghosts[2] > 0;
    around.beside[axis][0] = widened(load(l, u, i - x, j - y, k - z));
    around.beside[axis][1] = widened(load(l, u, i + x, j + y, k + z));
    const double* const centers = a.axes[axis].center;
    around.distance[axis] = centers ? centers[cell[axis] + 1] - centers[cell[axis] - 1] : 2 * a.spacing[axis];
  }
  return FlowGradients(around);
}

/// Returns field number n of a cell in one of the states, where the flow is `own`. Without `has_gradients` no
/// field is one of them.
template <bool has_gradients, class Real>
HALFSTEP_HD double value_of(const AveragesArguments<Real>& a, int n, const FlowInCell& own, int state, int i,
                            int j, int k) {
  const Layout& l = a.layout;
  if (const int s = n - a.request.field_count; s >= 0) {
    const double value = scalar(l, a.states[state], s, i, j, k);
    return s < l.scalars() ? value / own.conserved.density : value;
  }
  const FlowField field = a.request.fields[n];
  if (has_gradients && is_of_gradient(field))
    return gradient_value(field, gradients_at(a, own.conserved, state, i, j, k));
  return state_value(field, own.conserved, own.primitive, own.gas);
}

/// Returns the flow of a cell in one of the states.
template <class Real>
HALFSTEP_HD Conserved<double> conserved_in(const AveragesArguments<Real>& a, int state, int i, int j, int k) {
  return widened(load(a.layout, a.states[state], i, j, k));
}

/// Returns the numbers of a cell: the sum of each number n is at [n * cell_count].
template <class Real>
HALFSTEP_HD double* sums_of(const AveragesArguments<Real>& a, int i, int j, int k) {
  return a.sums + (std::int64_t{k} * a.layout.cells[1] + j) * a.layout.cells[0] + i;
}

/// Adds the products of a field's deviations with those of later fields, before any of their means move.
template <class Real>
HALFSTEP_HD void add_products(const AveragesArguments<Real>& a, int field, int i, int j, int k) {
  const std::int64_t stride = a.layout.cell_count();
  double* const sums = sums_of(a, i, j, k);
  double values[WeightedStates::kMost] = {}, others[WeightedStates::kMost] = {};
  const auto find = [&](int n, double(&to)[WeightedStates::kMost]) {
    a.for_states([&](int s) {
      to[s] = value_of<true>(a, n, FlowInCell(a, conserved_in(a, s, i, j, k), s, i, j, k), s, i, j, k);
    });
  };
  find(field, values);
  for (int other = field + 1; other < a.request.means(); ++other) {
    double& sum = sums[(a.request.means() + a.request.product(field, other)) * stride];
    double product = sum, mean = sums[field * stride], mean_of_other = sums[other * stride];
    find(other, others);
    a.for_states([&](int s) {
      const double deviation = values[s] - mean, deviation_of_other = others[s] - mean_of_other;
      product = fma(a.weights.rest[s] * deviation, deviation_of_other, product);
      mean = fma(a.weights.share[s], deviation, mean);
      mean_of_other = fma(a.weights.share[s], deviation_of_other, mean_of_other);
    });
    sum = product;
  }
}

/// Adds the squares of the deviations of `count` fields of a cell, and moves their means: reads each state
/// once. `begin`: called when the sums are on their way; flow(s): the conserved variables in a state.
template <int count, bool has_gradients, class Real, class Begin, class Flow>
HALFSTEP_HD void add_squares(const AveragesArguments<Real>& a, int first, int i, int j, int k, Begin begin,
                             Flow flow) {
  const std::int64_t stride = a.layout.cell_count();
  double* const sums = sums_of(a, i, j, k);
  const int means = a.request.means();
  double mean[count] = {}, squares[count] = {};
  const auto for_fields = [&](auto visit) {
    unrolled<count>([&](int n) {
      const int field = first + n;
      if (field < means) visit(n, field, (means + a.request.product(field, field)) * stride);
    });
  };
  for_fields([&](int n, int field, std::int64_t of_squares) {
    mean[n] = sums[field * stride];
    squares[n] = sums[of_squares];
  });
  begin();
  for (int s = 0; s < a.weights.count; ++s) {
    const FlowInCell own(a, flow(s), s, i, j, k);
    for_fields([&](int n, int field, std::int64_t) {
      const double deviation = value_of<has_gradients>(a, field, own, s, i, j, k) - mean[n];
      squares[n] = fma(a.weights.rest[s] * deviation, deviation, squares[n]);
      mean[n] = fma(a.weights.share[s], deviation, mean[n]);
    });
  }
  for_fields([&](int n, int field, std::int64_t of_squares) {
    sums[of_squares] = squares[n];
    sums[field * stride] = mean[n];
  });
}

/// Adds the squares of a field's deviations, and moves its mean.
template <class Real>
HALFSTEP_HD void add_squares(const AveragesArguments<Real>& a, int field, int i, int j, int k) {
  add_squares<1, true>(
      a, field, i, j, k, [] {}, [&](int s) { return conserved_in(a, s, i, j, k); });
}

/// Takes the states in a cell into its averages.
template <class Real>
HALFSTEP_HD void take_in(const AveragesArguments<Real>& a, int i, int j, int k) {
  for (int field = 0; field < a.request.means(); ++field) {
    if (a.request.covariances) add_products(a, field, i, j, k);
    add_squares(a, field, i, j, k);
  }
}

}  // namespace halfstep
