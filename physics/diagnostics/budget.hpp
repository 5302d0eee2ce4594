// The budget of the domain: the mass, momentum and energy that come into it, by the way they take.
#pragma once

#include "physics/gas/exact_conserved.hpp"
#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// What comes in during an attempt or a run; floors and sponges have sums of their own.
template <class Number>
struct BudgetSums {
  Conserved<Number> sides[3][2]{};  ///< through the lower and the upper side of each axis
  Conserved<Number> forces{};       ///< by gravity and what drives the flow
  Conserved<Number> sources{};      ///< by the stiff source
  Conserved<Number> bodies{};  ///< through the faces between gas and bodies; the last: older files lack it
};

using Budget = BudgetSums<double>;
/// The same before it is rounded, per volume of a cell of mean widths.
using ExactBudget = BudgetSums<ExactSum>;

/// Calls f(of_first, of_second) for each part of two budgets.
template <class First, class Second, class F>
void for_parts(First& first, Second& second, F f) {
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) f(first.sides[axis][side], second.sides[axis][side]);
  f(first.forces, second.forces);
  f(first.sources, second.sources);
  f(first.bodies, second.bodies);
}

inline void merge(Budget& t, const Budget& other) {
  for_parts(t, other, [](Conserved<double>& to, const Conserved<double>& more) { to = to + more; });
}

/// Returns the sum of all parts.
inline Conserved<double> sum_of(const Budget& t) {
  Conserved<double> sum{};
  for_parts(t, t, [&](const Conserved<double>& part, const auto&) { sum = sum + part; });
  return sum;
}

/// Returns the budget of a mesh from that per such a volume.
inline Budget over(const Mesh& mesh, const Budget& densities) {
  const double volume = mesh.mean_volume();
  Budget all = densities;
  for_parts(all, densities, [&](Conserved<double>& part, const auto&) { part = volume * part; });
  return all;
}

}  // namespace halfstep
