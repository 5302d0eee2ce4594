// Runs from a state of one's own, for the tests of viscous terms, walls and gravity on both backends.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "tests/run_case.hpp"

namespace halfstep {

/// Averages over a cell.
using StateOfCell = std::function<Primitive<double>(const Box&)>;

/// The deck `uniform` (gamma 1.4, periodic, weno5z) with overrides, from `state` in place of its own.
inline CaseRun run_from(const StateOfCell& state, const Overrides& overrides, int threads = 1,
                        const std::string& backend = "host") {
  CaseRun run("uniform", overrides, threads, backend);
  run.begin_from(
      fields_of_cells(run.mesh(), [&](const Box& cell) { return to_conserved(state(cell), run.gas()); }));
  return run;
}

/// The largest of difference(q, box) over the cells, q the primitive state the run has there.
inline double worst_of(const CaseRun& run,
                       const std::function<double(const Primitive<double>&, const Box&)>& difference) {
  const Fields fields = run.fields();
  const auto& n = run.mesh().cells;
  double worst = 0;
  std::size_t at = 0;
  for (int k = 0; k < n[2]; ++k)
    for (int j = 0; j < n[1]; ++j)
      for (int i = 0; i < n[0]; ++i, ++at) {
        const auto& c = fields.conserved;
        const Primitive<double> q =
            to_primitive(Conserved<double>{c[0][at], c[1][at], c[2][at], c[3][at], c[4][at]}, run.gas());
        worst = std::max(worst, std::abs(difference(q, run.mesh().cell(i, j, k))));
      }
  return worst;
}

/// The average over a cell's extent along `axis` of x^power.
inline double power_average(const Box& cell, int axis, int power) {
  const double a = cell.lower[axis], b = cell.upper[axis];
  return (std::pow(b, power + 1) - std::pow(a, power + 1)) / ((power + 1) * (b - a));
}

}  // namespace halfstep
