// A deck's flow with an inert reactant, to test what the flow alone does to it.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
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
  bool has_reactant() const override { return true; }
  double initial_reactant(const Box& cell) const override {
    return reactant_(cell, flow_->initial(cell).density);
  }

 private:
  std::shared_ptr<const Case> flow_;
  ReactantOf reactant_;
};

inline RunConfig with_reactant(const std::string& deck, const Overrides& overrides, ReactantOf reactant) {
  RunConfig config = load_deck(HALFSTEP_SOURCE_DIR "/inputs/" + deck + ".yaml", overrides);
  config.scalars = Scalars({}, {}, config.problem.mesh, true);
  config.problem.scalars = config.scalars.names();
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
  std::vector<double> fractions = fields.scalars.at(0);
  for (std::size_t n = 0; n < fractions.size(); ++n) fractions[n] /= fields.conserved[0][n];
  return fractions;
}

/// Returns how far mass fractions lie outside [0, 1].
inline double excess(const Fields& fields) {
  double worst = 0;
  for (const double y : mass_fractions(fields)) worst = std::max({worst, -y, y - 1});
  return worst;
}

inline double furthest_from(double fraction, const Fields& fields) {
  double worst = 0;
  for (const double y : mass_fractions(fields)) worst = std::max(worst, std::abs(y - fraction));
  return worst;
}

/// Checks that a reactant that is not finite is a soft error of its own cell, and is replayed.
inline void check_bad_reactant_is_found(const std::string& backend, const std::string& precision,
                                        double bad) {
  CaseRun run(with_reactant("taylor_green", {"mesh.cells=[20,12,10]", "scheme.precision=" + precision},
                            uniform_fraction(0.5)),
              0, backend);
  Fields fields = run.fields();
  fields.scalars[0][(std::size_t{4} * 12 + 7) * 20 + 13] = bad;
  run.begin_from(fields);
  REQUIRE(run.attempt(1e-3, 0).raised);
  const SoftError error = run.diagnose();
  CHECK(error.kind == SoftErrorKind::not_finite);
  CHECK(error.cell == std::array<int, 3>{13, 7, 4});
  CHECK_FALSE(std::isfinite(error.value));
  CHECK(error.stage == 1);
  CHECK(run.solver->diagnosis().replay.reproduced);
}

/// Checks that remedies conserve the reactant, in a stream even colder than the deck's: its pressure is lost
/// in round-off in double precision, too.
inline void check_remedies_conserve(const std::string& backend, const ReactantOf& reactant) {
  const auto cold = [](const std::string& density) {
    return "{density: " + density + ", velocity: [30, 0, 0], pressure: 4.0e-12}";
  };
  CaseRun run(with_reactant("cold_stream",
                            {"mesh.boundary.x=[periodic,periodic]", "scheme.precision=double",
                             "case.left=" + cold("10.0"), "case.right=" + cold("1.0"),
                             "soft_error.floor={density: 1.0e-6, pressure: 1.0e-13}"},
                            reactant),
              backend == "host" ? 1 : 0, backend);
  const double before = run.solver->totals().scalar_mass[0];
  run.finish();
  CHECK(run.remedied.size() > 0);
  CHECK(run.solver->totals().scalar_mass[0] == doctest::Approx(before).epsilon(1e-13));
}

}  // namespace halfstep
