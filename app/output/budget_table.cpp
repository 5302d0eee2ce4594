#include "app/output/budget_table.hpp"

#include <algorithm>
#include <cmath>

#include "physics/curved/wall_of_mesh.hpp"

namespace halfstep {

namespace {

using Brings = BudgetWay::Brings;

constexpr const char* kMomenta[] = {"momentum_x", "momentum_y", "momentum_z"};

/// Returns the names of the sides of a problem's mesh, at 2 * axis + side.
std::vector<std::string> side_names(const Problem& problem) {
  if (problem.has_hexahedra()) return names_of_sides(*problem.hexahedra);
  return {"x_lower", "x_upper", "y_lower", "y_upper", "z_lower", "z_upper"};
}

/// Whether something may come in through a side.
bool is_open(const Problem& problem, int axis, int side) {
  return (problem.has_hexahedra() || problem.mesh.active(axis)) &&
         problem.boundary[axis][side] != Boundary::periodic;
}

double relative(double value, double scale) { return scale == 0 ? value : value / scale; }

}  // namespace

std::vector<BudgetWay> ways_of(const Problem& problem) {
  std::vector<BudgetWay> ways;
  if (!problem.budgets) return ways;
  const std::vector<std::string> sides = side_names(problem);
  for (int n = 0; n < static_cast<int>(sides.size()); ++n)
    if (is_open(problem, n / 2, n % 2))
      ways.push_back({sides[static_cast<std::size_t>(n)], Brings::all, n / 2, n % 2});
  if (problem.terms.has_forces()) ways.push_back({"forces", Brings::momentum_and_energy});
  if (problem.source.active()) ways.push_back({"source", Brings::energy});
  if (problem.has_solids()) ways.push_back({"bodies"});
  return ways;
}

std::vector<std::string> budget_columns(const std::vector<BudgetWay>& ways) {
  std::vector<std::string> columns;
  for (const BudgetWay& way : ways) {
    const std::string before = "budget_" + way.name + "_";
    if (way.brings == Brings::all) columns.push_back(before + "mass");
    if (way.brings != Brings::energy)
      for (const char* momentum : kMomenta) columns.push_back(before + momentum);
    columns.push_back(before + "energy");
  }
  columns.emplace_back("drift_mass");
  for (const char* momentum : kMomenta) columns.push_back(std::string("drift_") + momentum);
  columns.emplace_back("drift_energy");
  return columns;
}

std::vector<double> budget_values(const std::vector<BudgetWay>& ways, const Budget& budget) {
  std::vector<double> values;
  for (const BudgetWay& way : ways) {
    const Conserved<double>& c = way.part_of(budget);
    if (way.brings == Brings::all) values.push_back(c.density);
    if (way.brings != Brings::energy) values.insert(values.end(), {c.mu, c.mv, c.mw});
    values.push_back(c.energy);
  }
  return values;
}

Drift drift_of(const Totals& start, const Totals& end, const Explained& explained) {
  const Conserved<double> in = sum_of(explained.budget);
  const FloorSums& floored = explained.floored;
  const SpongeSums& sponged = explained.sponged;
  const double mass = std::max(std::abs(start.mass), std::abs(end.mass)),
               energy = std::max(std::abs(start.energy), std::abs(end.energy));
  const double by_flow[3] = {in.mu, in.mv, in.mw};
  Drift drift{relative(end.mass - start.mass - in.density - floored.mass - sponged.mass, mass),
              relative(end.energy - start.energy - in.energy - floored.energy - sponged.energy, energy),
              {}};
  for (int axis = 0; axis < 3; ++axis)
    drift.momentum[axis] = relative(end.momentum[axis] - start.momentum[axis] - by_flow[axis] -
                                        floored.momentum[axis] - sponged.momentum[axis],
                                    std::sqrt(2 * mass * energy));
  return drift;
}

Json budget_json(const std::vector<BudgetWay>& ways, const Budget& budget) {
  Json json = Json::object();
  for (const BudgetWay& way : ways) {
    const Conserved<double>& c = way.part_of(budget);
    Json& own = json[way.name] = Json::object();
    if (way.brings == Brings::all) own["mass"] = json_number(c.density);
    if (way.brings != Brings::energy) own["momentum"] = json_vector(std::array{c.mu, c.mv, c.mw});
    own["energy"] = json_number(c.energy);
  }
  return json;
}

}  // namespace halfstep
