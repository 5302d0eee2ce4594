// Averages over time that a solver makes beside its steps, and those of copies of all its states.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "app/output/cell_region.hpp"
#include "app/output/cell_values.hpp"
#include "app/output/running_averages.hpp"
#include "tests/support/run_case.hpp"

namespace halfstep {

/// The averages of a run, as outputs have them made.
class AveragesOfRun {
 public:
  AveragesOfRun(CaseRun& run, const OutputRequest& request)
      : run_(run),
        values_(*run.solver, run.config.problem, request, CellRegion::whole(run.mesh()).list()),
        averages(*run.solver, run.config.problem, request, run.state.time),
        sample_steps_(request.sample_steps),
        time_(run.state.time) {}

  /// Makes a step.
  void step() {
    run_.run(run_.state.step + 1);
    averages.accepted(run_.state);
    if (averages.rests_after(run_.state.step)) averages.take_in();
    if (run_.state.step % sample_steps_ != 0) return;
    states_.push_back(values_.values(widened(values_.read()->fields())));
    weights_.push_back(run_.state.time - time_);
    time_ = run_.state.time;
  }

  /// Checks the means and deviations so far, to `tolerance` of the field's largest value.
  void expect_those_of_states(double tolerance) {
    const std::vector<std::vector<double>> results = averages.results(averages.numbers());
    const std::size_t fields = states_.front().size(), cells = states_.front().front().size();
    double weight = 0;
    for (const double own : weights_) weight += own;
    REQUIRE(averages.weight() == doctest::Approx(weight).epsilon(1e-14));
    REQUIRE(results.size() == 2 * fields);
    for (std::size_t f = 0; f < fields; ++f) {
      double largest = 0, off = 0;
      for (std::size_t cell = 0; cell < cells; ++cell) {
        double mean = 0, square = 0;
        for (std::size_t n = 0; n < states_.size(); ++n) mean += weights_[n] / weight * states_[n][f][cell];
        for (std::size_t n = 0; n < states_.size(); ++n)
          square += weights_[n] / weight * std::pow(states_[n][f][cell] - mean, 2);
        largest = std::max(largest, std::abs(mean));
        off = std::max({off, std::abs(results[f][cell] - mean),
                        std::abs(results[fields + f][cell] - std::sqrt(square))});
      }
      CAPTURE(averages.names()[f]);
      CHECK(off <= tolerance * largest);
    }
  }

 private:
  CaseRun& run_;
  CellValues values_;

 public:
  RunningAverages averages;

 private:
  std::int64_t sample_steps_;
  double time_;
  std::vector<double> weights_;
  std::vector<std::vector<std::vector<double>>> states_;
};

/// Returns a request for averages of fields of all kinds.
inline OutputRequest request_for_averages(std::int64_t sample_steps) {
  OutputRequest request;
  request.kind = OutputKind::averages;
  request.fields = {FlowField::density, FlowField::velocity_x,  FlowField::velocity_y, FlowField::pressure,
                    FlowField::entropy, FlowField::vorticity_z, FlowField::schlieren};
  request.mass_fractions = true;
  request.sample_steps = sample_steps;
  return request;
}

}  // namespace halfstep
