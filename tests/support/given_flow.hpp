// Runs from a given initial state, for the tests of viscous terms, walls and gravity on both backends.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "tests/support/run_case.hpp"

namespace halfstep {

/// A function that returns the average over a cell.
using StateOfCell = std::function<Primitive<double>(const Box&)>;

/// Returns a run of the deck `uniform` (gamma 1.4, periodic, weno5z) with overrides that starts from `state`.
inline CaseRun run_from(const StateOfCell& state, const Overrides& overrides, int threads = 1,
                        const std::string& backend = "host") {
  CaseRun run("uniform", overrides, threads, backend);
  run.begin_from(
      fields_of_cells(run.mesh(), [&](const Box& cell) { return to_conserved(state(cell), run.gas()); }));
  return run;
}

/// Returns the largest |difference(q, box)| over the cells, with q the primitive state of the run.
inline double worst_of(const CaseRun& run,
                       const std::function<double(const Primitive<double>&, const Box&)>& difference) {
  const Fields fields = run.fields();
  double worst = 0;
  std::size_t at = 0;
  for_every_cell(run.mesh(), [&](const auto& cell) {
    const Primitive<double> q = primitive_of_cell(fields, at++, run.gas());
    worst = std::max(worst, std::abs(difference(q, box_of(run.mesh(), cell))));
  });
  return worst;
}

/// Returns the average of x^power over a cell's extent along `axis`.
inline double power_average(const Box& cell, int axis, int power) {
  const double a = cell.lower[axis], b = cell.upper[axis];
  return (std::pow(b, power + 1) - std::pow(a, power + 1)) / ((power + 1) * (b - a));
}

}  // namespace halfstep
