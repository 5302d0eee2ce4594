#include "app/deck/solid_rules.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "physics/mesh/ghosts.hpp"
#include "physics/solids/bodies.hpp"
#include "physics/solids/solid_cell.hpp"
#include "physics/solids/solids.hpp"

namespace halfstep {

void set_solids(ValidatedDeck& deck, Diagnostics& errors) {
  Problem& problem = deck.config.problem;
  if (deck.config.solids.empty()) return;
  try {
    const int layers = ghost_layers(problem.scheme.reconstruction);
    const BoundaryConditions<double> rules(Layout(problem.mesh, layers), problem.mesh, problem.boundary,
                                           problem.dirichlet, problem.gases(), problem.terms.gravity);
    problem.solids = std::make_shared<Solids>(
        make_bodies(deck.config.solids, deck.names, problem.mesh, problem.terms.viscous()), problem.mesh,
        rules, SolidReach{layers, problem.terms.viscous()});
  } catch (const SolidError& e) {
    const std::string name = fmt::format("solids[{}]", e.entry);
    errors.error(deck.place_of(e.key.empty() ? name : name + "." + e.key),
                 fmt::format("'{}': {}", name, e.what()), e.remedy);
  }
}

namespace {

/// Refuses a fault in a body, whose cells are filled anew after every stage.
void check_fault(const ValidatedDeck& deck, Diagnostics& errors) {
  const Problem& problem = deck.config.problem;
  const Fault& fault = deck.config.fault;
  if (!deck.sound({"inject.cell", "inject.step"}) || fault.step == 0) return;
  const auto& n = problem.mesh.cells;
  const auto [i, j, k] = fault.cell;
  if (i >= n[0] || j >= n[1] || k >= n[2]) return;  // check_injection() refuses it
  const auto at = static_cast<std::size_t>((std::int64_t{k} * n[1] + j) * n[0] + i);
  if (const int body = problem.solids->cells().mask[at]; body > 0)
    errors.error(deck.place_of("inject.cell"),
                 fmt::format("the cell [{}, {}, {}] lies in the body '{}'", i, j, k,
                             problem.solids->bodies()[static_cast<std::size_t>(body - 1)].name),
                 "choose a cell in the gas: those in bodies are filled anew after every stage");
}

}  // namespace

void check_solids(const ValidatedDeck& deck, Diagnostics& errors) {
  const Problem& problem = deck.config.problem;
  if (!problem.has_solids()) return;
  if (const std::size_t bodies = problem.solids->bodies().size(); bodies > kMaxBodies)
    errors.error(deck.place_of("solids"),
                 fmt::format("'solids' has {} bodies, at most {} can be told apart", bodies, kMaxBodies),
                 "entries with one name are one body");
  const auto refuse = [&](const std::string& key, bool is_there, const std::string& what) {
    if (deck.sound({key}) && is_there)
      errors.error(deck.place_of(key), what + " knows no bodies, and 'solids' has some",
                   "leave one of them out");
  };
  refuse("gas.second.gamma", problem.second_gamma.has_value(), "a second gas");
  refuse("source.kind", problem.source.active(), "a source");
  refuse("scheme.averages", problem.has_fourth_order_flux(), "the fourth-order flux");
  refuse("soft_error.face", problem.detection.raise_bad_faces, "the check of faces");
  check_fault(deck, errors);
}

}  // namespace halfstep
