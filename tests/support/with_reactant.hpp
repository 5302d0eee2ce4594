// A deck's flow with an inert reactant, to test what the flow alone does to it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "tests/support/run_case.hpp"

namespace halfstep {

/// A function of a cell and its average density that returns the average mass of reactant per volume.
using ReactantOf = std::function<double(const Box& cell, double density)>;

class CaseWithReactant final : public Case {
 public:
  CaseWithReactant(std::shared_ptr<const Case> flow, ReactantOf reactant)
      : flow_(std::move(flow)), reactant_(std::move(reactant)) {}
  Conserved<double> initial(const Box& cell) const override { return flow_->initial(cell); }
  double initial_reactant(const Box& cell) const override {
    return reactant_(cell, flow_->initial(cell).density);
  }

 private:
  std::shared_ptr<const Case> flow_;
  ReactantOf reactant_;
};

inline RunConfig with_reactant(const std::string& deck, const Overrides& overrides, ReactantOf reactant) {
  RunConfig config = load_deck(HALFSTEP_SOURCE_DIR "/inputs/" + deck + ".yaml", overrides);
  config.problem.has_reactant = true;
  config.flow_case = std::make_shared<CaseWithReactant>(config.flow_case, std::move(reactant));
  return config;
}

/// Returns a reactant with the same mass fraction everywhere.
inline ReactantOf uniform_fraction(double fraction) {
  return [fraction](const Box&, double density) { return fraction * density; };
}

/// Returns a reactant with mass fraction 1 above the coordinate `at` of the axis and 0 below.
inline ReactantOf reactant_above(double at, int axis = 0) {
  return [at, axis](const Box& cell, double density) { return cell.center(axis) > at ? density : 0.0; };
}

inline std::vector<double> mass_fractions(const Fields& fields) {
  std::vector<double> fractions = fields.reactant;
  for (std::size_t n = 0; n < fractions.size(); ++n) fractions[n] /= fields.conserved[0][n];
  return fractions;
}

}  // namespace halfstep
