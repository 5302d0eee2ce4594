// What the outputs of a run say of cells in bodies: nothing, and which cells these are.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "app/output/dump.hpp"
#include "app/output/step_rows.hpp"
#include "tests/support/shell.hpp"

using namespace halfstep;

namespace {

const std::string kDeck =
    "case: {name: uniform, density: 2}\nmesh: {cells: [16, 8, 1], upper: [2, 1, 1]}\n"
    "time: {end: 1, max_steps: 4}\nsolids: [{shape: box, lower: [0.5, -1, 0], upper: [1, 0.5, 1]}]\n"
    "outputs:\n";

/// Returns the last value of a column of a table of the run `out/beside`.
double last(const Shell& shell, const std::string& table, const std::string& column) {
  const StepRows rows = read_step_rows(shell / ("out/beside/" + table + ".csv"), {"step"});
  for (std::size_t n = 0; n < rows.columns.size(); ++n)
    if (rows.columns[n] == column) return rows.values[n].back();
  FAIL("no column " << column);
  return 0;
}

void run(const Shell& shell, const std::string& outputs) {
  shell.write("beside.yaml", kDeck + outputs);
  shell.expect(0, "run beside.yaml --backend host --threads 1 --no-progress");
}

}  // namespace

TEST_CASE("lines have no number in bodies, and profiles are averages of the gas") {
  const Shell shell;
  run(shell,
      "  - {kind: line, name: through, axis: x, through: [0, 0.2, 0], every_steps: 1, fields: [density]}\n"
      "  - {kind: profile, name: along, axis: x, every_steps: 1, fields: [density, pressure]}\n"
      "  - {kind: probes, name: beside, points: [[0.49, 0.2, 0], [0.7, 0.51, 0]], every_steps: 1, fields: "
      "[density]}\n");
  CHECK(last(shell, "through", "density_3") > 1);
  for (int n = 4; n < 8; ++n) CHECK(std::isnan(last(shell, "through", "density_" + std::to_string(n))));
  CHECK(last(shell, "through", "density_8") > 1);
  for (int n = 0; n < 16; ++n) CHECK(last(shell, "along", "density_" + std::to_string(n)) > 1);
  CHECK(last(shell, "beside", "density_0") > 1);
  CHECK(last(shell, "beside", "density_1") > 1);
}

TEST_CASE("a profile has no number where a body fills the plane") {
  const Shell shell;
  run(shell, "  - {kind: profile, name: along, axis: y, every_steps: 1, fields: [density]}\n");
  CHECK(last(shell, "along", "density_0") > 1);
  shell.write("filled.yaml",
              kDeck + "  - {kind: profile, name: along, axis: x, every_steps: 1, fields: [density]}\n");
  shell.expect(0,
               "run filled.yaml --output out/beside --backend host --threads 1 --no-progress "
               "solids.0.upper=[1,2,1]");
  CHECK(last(shell, "along", "density_3") > 1);
  CHECK(std::isnan(last(shell, "along", "density_4")));
}

TEST_CASE("averages over time have the mask and the distance beside them") {
  const Shell shell;
  run(shell, "  - {kind: averages, name: mean, every_steps: 4, fields: [density]}\n");
  const std::string listed =
      shell.expect(0, "compare out/beside/mean_000000.vtkhdf out/beside/mean_000000.vtkhdf").out;
  for (const char* field : {"density_mean", "solid", "distance"}) CHECK(contains(listed, field));
}
