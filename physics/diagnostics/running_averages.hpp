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
  static constexpr int kMost = 3;

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

/// Returns field number n of a cell in one of the states. Without `has_gradients` no field is one of them.
template <bool has_gradients, class Real>
HALFSTEP_HD double value_of(const AveragesArguments<Real>& a, int n, int state, int i, int j, int k) {
  const Real* const u = a.states[state];
  const Layout& l = a.layout;
  if (const int s = n - a.request.field_count; s >= 0) {
    const double value = scalar(l, u, s, i, j, k);
    return s < l.scalars() ? value / double(u[l.index(i, j, k)]) : value;
  }
  const FlowField field = a.request.fields[n];
  const Conserved<double> c = widened(load(l, u, i, j, k));
  if (!has_gradients || !is_of_gradient(field)) {
    const IdealGas<double> gas = gas_in(a.gases, l, u, i, j, k);
    return state_value(field, c, to_primitive(c, gas), gas);
  }
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
  return gradient_value(field, FlowGradients(around));
}

/// The averages of a field of a cell, into which all states are taken. Every cell and field comes here.
/// `has_gradients`: as in value_of().
template <bool has_gradients, class Real>
class AveragesOfCell {
 public:
  HALFSTEP_HD AveragesOfCell(const AveragesArguments<Real>& a, int field, int i, int j, int k)
      : a_(a),
        field_(field),
        cell_{i, j, k},
        own_(a.sums + (std::int64_t{k} * a.layout.cells[1] + j) * a.layout.cells[0] + i),
        mean_(sum(field)),
        squares_(sum(product_with(field))) {
    find(field, values_);
  }

  /// Adds the products of the field's deviations with those of later fields, before any of their means move.
  HALFSTEP_HD void add_products() const {
    double others[kMost] = {};
    for (int other = field_ + 1; other < a_.request.means(); ++other) {
      double product = sum(product_with(other)), mean = mean_, mean_of_other = sum(other);
      find(other, others);
      a_.for_states([&](int s) {
        const double deviation = values_[s] - mean, deviation_of_other = others[s] - mean_of_other;
        product = fma(a_.weights.rest[s] * deviation, deviation_of_other, product);
        mean = fma(a_.weights.share[s], deviation, mean);
        mean_of_other = fma(a_.weights.share[s], deviation_of_other, mean_of_other);
      });
      sum(product_with(other)) = product;
    }
  }
  /// Adds the squares of the field's deviations, and moves its mean.
  HALFSTEP_HD void add_squares() const {
    double squares = squares_, mean = mean_;
    a_.for_states([&](int s) {
      const double deviation = values_[s] - mean;
      squares = fma(a_.weights.rest[s] * deviation, deviation, squares);
      mean = fma(a_.weights.share[s], deviation, mean);
    });
    sum(product_with(field_)) = squares;
    sum(field_) = mean;
  }

 private:
  static constexpr int kMost = WeightedStates::kMost;

  HALFSTEP_HD double& sum(int n) const { return own_[n * a_.layout.cell_count()]; }
  HALFSTEP_HD int product_with(int other) const {
    return a_.request.means() + a_.request.product(field_, other);
  }
  HALFSTEP_HD void find(int n, double (&values)[kMost]) const {
    a_.for_states(
        [&](int s) { values[s] = value_of<has_gradients>(a_, n, s, cell_[0], cell_[1], cell_[2]); });
  }
  const AveragesArguments<Real>& a_;
  int field_, cell_[3];
  double* own_;
  double mean_, squares_;  // read before the states, which take as long to come
  double values_[kMost] = {};
};

/// Takes the states in a cell into its averages.
template <class Real>
HALFSTEP_HD void take_in(const AveragesArguments<Real>& a, int i, int j, int k) {
  for (int field = 0; field < a.request.means(); ++field) {
    const AveragesOfCell<true, Real> own(a, field, i, j, k);
    if (a.request.covariances) own.add_products();
    own.add_squares();
  }
}

}  // namespace halfstep
