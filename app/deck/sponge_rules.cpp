#include "app/deck/sponge_rules.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "physics/cases/sponges.hpp"

namespace halfstep {

void set_sponges(ValidatedDeck& deck, Diagnostics& errors) {
  Problem& problem = deck.config.problem;
  std::vector<Sponge> sponges;
  for (const Values& values : deck.config.sponges) {
    const std::string name = fmt::format("sponges[{}]", sponges.size());
    try {
      sponges.emplace_back(values, deck.names, problem.mesh, IdealGas<double>{problem.gamma});
    } catch (const std::invalid_argument& e) {
      return errors.error(deck.place_of(name), fmt::format("'{}': {}", name, e.what()));
    }
  }
  if (!sponges.empty())
    problem.sponges =
        std::make_shared<SpongesInMesh>(std::move(sponges), problem.mesh, problem.gamma,
                                        problem.scheme.precision == Precision::single_precision);
}

}  // namespace halfstep
