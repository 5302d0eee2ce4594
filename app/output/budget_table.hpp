// The budget of a run in its files: the ways by which something can come into the domain, and what they do
// not explain.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/base/json.hpp"
#include "physics/diagnostics/budget.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/recovery/floors.hpp"
#include "physics/solver/problem.hpp"
#include "physics/sources/sponge.hpp"

namespace halfstep {

/// A way into the domain, of those that a problem has.
struct BudgetWay {
  enum class Brings { all, momentum_and_energy, energy };

  std::string name;  ///< of a side, x_lower, or that of a file's mesh; forces, source, bodies
  Brings brings = Brings::all;
  int axis = -1, side = 0;  ///< of a side

  const Conserved<double>& part_of(const Budget& budget) const {
    return axis >= 0                               ? budget.sides[axis][side]
           : brings == Brings::momentum_and_energy ? budget.forces
           : brings == Brings::energy              ? budget.sources
                                                   : budget.bodies;
  }
};

/// Returns the ways of a problem with budgets; none for another one.
std::vector<BudgetWay> ways_of(const Problem& problem);

/// Returns the columns of a history with budgets, and the values of a row in their order.
std::vector<std::string> budget_columns(const std::vector<BudgetWay>& ways);
std::vector<double> budget_values(const std::vector<BudgetWay>& ways, const Budget& budget);

/// All that is known of what has come into the domain since the beginning of a run.
struct Explained {
  Budget budget;
  FloorSums floored;
  SpongeSums sponged;
};

/// The part of the change of the totals that nothing explains, relative.
struct Drift {
  double mass = 0, energy = 0;
  std::array<double, 3> momentum{};
};

/// Returns the drift. Mass and energy are relative to the larger of their totals at the start and at the end,
/// momentum to sqrt(2 mass energy) of these; where that is 0, they are absolute.
Drift drift_of(const Totals& start, const Totals& end, const Explained& explained);

/// Returns the object `budget` of a summary.
Json budget_json(const std::vector<BudgetWay>& ways, const Budget& budget);

}  // namespace halfstep
