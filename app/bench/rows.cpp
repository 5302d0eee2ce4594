#include "app/bench/rows.hpp"

#include <fmt/format.h>

#include "app/base/embedded.hpp"
#include "app/deck/deck.hpp"
#include "app/output/given_fields.hpp"

namespace halfstep {

std::vector<BenchRow> built_in_rows(bool on_device, const std::vector<std::string>& overrides) {
  struct Choice {
    const char *reconstruction, *variables, *integrator, *precision;
  };
  constexpr Choice choices[] = {
      {"plm", "primitive", "ssprk2", "double"},    {"ppm", "primitive", "ssprk3", "double"},
      {"weno5z", "primitive", "ssprk3", "double"}, {"weno5z", "characteristic", "ssprk3", "double"},
      {"plm", "primitive", "ssprk2", "single"},    {"weno5z", "primitive", "ssprk3", "single"},
  };
  const int n = on_device ? 256 : 64;
  std::vector<BenchRow> rows;
  for (const Choice& c : choices) {
    BenchRow row{.deck = "inputs/linear_wave_3d.yaml",
                 .carried = true,
                 .overrides = {fmt::format("mesh.cells=[{},{},{}]", n, n, n), "scheme.riemann=hllc",
                               fmt::format("scheme.reconstruction={}", c.reconstruction),
                               fmt::format("scheme.variables={}", c.variables),
                               fmt::format("scheme.integrator={}", c.integrator),
                               fmt::format("scheme.precision={}", c.precision)}};
    row.overrides.insert(row.overrides.end(), overrides.begin(), overrides.end());
    rows.push_back(std::move(row));
  }
  return rows;
}

RunConfig config_of(const BenchRow& row) {
  RunConfig config = row.carried ? parse_deck(std::string(embedded_text(row.deck)), row.deck, row.overrides)
                                 : load_deck(row.deck, row.overrides, read_given_fields);
  config.problem.budgets = false;  // a step is timed without outputs
  return config;
}

}  // namespace halfstep
