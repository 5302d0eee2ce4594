#include "app/deck/solid_rules.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "physics/solids/bodies.hpp"

namespace halfstep {

void set_solids(ValidatedDeck& deck, Diagnostics& errors) {
  Problem& problem = deck.config.problem;
  try {
    problem.bodies = make_bodies(deck.config.solids, deck.names, problem.mesh, problem.terms.viscous());
  } catch (const SolidError& e) {
    const std::string name = fmt::format("solids[{}]", e.entry);
    errors.error(deck.place_of(e.key.empty() ? name : name + "." + e.key),
                 fmt::format("'{}': {}", name, e.what()), e.remedy);
  }
}

}  // namespace halfstep
