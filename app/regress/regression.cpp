#include "app/regress/regression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfstep {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

const FigureGroup* group_of(const Digest& digest, const std::string& name) {
  const auto at =
      std::find_if(digest.begin(), digest.end(), [&](const FigureGroup& g) { return g.name == name; });
  return at == digest.end() ? nullptr : &*at;
}

double figure_of(const Digest& digest, const std::string& group, const std::string& name) {
  if (const FigureGroup* in = group_of(digest, group))
    for (const auto& [figure, value] : in->figures)
      if (figure == name) return value;
  return kMissing;
}

/// Returns the largest component of a drift, in size.
double largest(const Drift& drift) {
  double most = std::max(std::abs(drift.mass), std::abs(drift.energy));
  for (const double momentum : drift.momentum) most = std::max(most, std::abs(momentum));
  return most;
}

}  // namespace

TestRun run_test_deck(const TestDeck& deck, const Machine& machine) {
  const DeckRun run = run_deck(deck.name, deck.overrides, machine);
  TestRun result{
      .digest = {{"time", run.config.limits.end, {{"reached", run.time}}},
                 {"counts",
                  0,
                  {{"steps", static_cast<double>(run.steps)},
                   {"rejections", static_cast<double>(run.rejections)},
                   {"repaired_faces", static_cast<double>(run.repaired_faces)}}}},
      .tolerance = deck.tolerance_of(run.config.problem.scheme.precision, run.backend == "cuda"),
      .gave_up = run.gave_up,
      .drift = run.config.problem.budgets ? largest(drift_of(run.before, run.after, run.explained)) : 0,
      .most_drift = run.config.problem.scheme.precision == Precision::single_precision ? 1e-5 : 1e-12};
  if (run.remedied_steps > 0)
    result.digest.push_back({"remedies",
                             0,
                             {{"steps", static_cast<double>(run.remedied_steps)},
                              {"floored_cells", static_cast<double>(run.floored_cells)}}});
  for (FigureGroup& group :
       digest(run.fields, run.config.problem.scalars, run.mesh(), run.config.problem.gases(), run.after))
    result.digest.push_back(std::move(group));
  std::erase_if(result.digest, [&](const FigureGroup& group) {
    return std::find(deck.without.begin(), deck.without.end(), group.name) != deck.without.end();
  });
  return result;
}

double FigureDifference::difference() const { return std::abs(now - golden); }
bool FigureDifference::within() const { return difference() <= allowed; }
double FigureDifference::part() const {
  if (std::isnan(difference())) return std::numeric_limits<double>::infinity();
  return difference() == 0 ? 0 : difference() / allowed;
}

std::vector<FigureDifference> differences(const Digest& golden, const Digest& now, double tolerance,
                                          double count_tolerance) {
  std::vector<FigureDifference> all;
  for (const FigureGroup& group : golden)
    for (const auto& [name, value] : group.figures)
      all.push_back({group.name + '.' + name, value, figure_of(now, group.name, name),
                     group.scale > 0 ? tolerance * group.scale : count_tolerance});
  for (const FigureGroup& group : now)
    for (const auto& [name, value] : group.figures)
      if (std::isnan(figure_of(golden, group.name, name)))
        all.push_back({group.name + '.' + name, kMissing, value, 0});
  return all;
}

}  // namespace halfstep
