// Quantities that many checks use.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/verify/check.hpp"
#include "physics/accuracy/convergence.hpp"
#include "physics/accuracy/norms.hpp"

namespace halfstep {

/// Returns the override for the cells along x, y and z; 1 along axes that are not given.
inline std::string cells(int x, int y = 1, int z = 1) {
  return fmt::format("mesh.cells=[{},{},{}]", x, y, z);
}

/// Returns the refinement ratio between two runs, the largest over the axes.
inline double refinement(const DeckRun& coarse, const DeckRun& fine) {
  if (const auto& points = fine.mesh().points)
    return std::pow(double(fine.mesh().cell_count()) / double(coarse.mesh().cell_count()),
                    1.0 / points->dimensions);
  double ratio = 1;
  for (int a = 0; a < 3; ++a)
    ratio = std::max(ratio, static_cast<double>(fine.mesh().cells[a]) / coarse.mesh().cells[a]);
  return ratio;
}

/// Returns the observed order of L1 between the last two runs.
inline double last_order(const Results& results) {
  const std::size_t n = results.errors.size();
  return observed_order(results.errors[n - 2].l1, results.errors[n - 1].l1,
                        refinement(results.runs[n - 2], results.runs[n - 1]));
}

inline Judged l1(const Bar& bar, const std::string& source) {
  return {"L1", [](const Results& results) { return results.error().l1; }, bar, source};
}
inline Judged order(const Bar& bar, const std::string& source) { return {"order", last_order, bar, source}; }

/// Returns the norms of the root of the sum of squares over the conserved fields.
inline std::optional<Norms> conserved_error(const DeckRun& run) {
  return root_sum_square(
      conserved_norms(run.fields, exact_fields(*run.config.flow_case, run.mesh(), run.time)));
}

/// Returns the state of a cell, or of a point of elements, by its number in the fields.
inline Primitive<double> state_at(const DeckRun& run, std::size_t n) {
  const auto& u = run.fields.conserved;
  return to_primitive(Conserved<double>{u[0][n], u[1][n], u[2][n], u[3][n], u[4][n]}, run.gas());
}

/// Returns density along x through the first cells along y and z, with the exact solution if it is known.
inline Curve density_along_x(const DeckRun& run) {
  Curve curve{.across = "x", .up = "density"};
  for (int i = 0; i < run.mesh().cells[0]; ++i) {
    curve.x.push_back(run.mesh().center(i, 0, 0)[0]);
    curve.y.push_back(run.fields.conserved[0][i]);
    if (run.has_exact())
      curve.line_y.push_back(run.config.flow_case->exact(run.mesh().sample(i, 0, 0), run.time).density);
  }
  if (run.has_exact()) curve.line_x = curve.x;
  return curve;
}

}  // namespace halfstep
