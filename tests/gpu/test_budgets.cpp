// Budgets on CUDA.
#include <doctest/doctest.h>

#include "tests/support/budgets.hpp"

using namespace halfstep;

namespace {

/// Returns the largest component of what the budgets differ by, relative as a drift.
double difference(const Totals& totals, const Budget& a, const Budget& b) {
  double most = 0;
  for_parts(a, b, [&](const Conserved<double>& one, const Conserved<double>& other) {
    Budget apart;
    apart.forces = one - other;
    most = std::max(most, largest(drift_of(totals, totals, {apart, {}, {}})));
  });
  return most;
}

}  // namespace

TEST_CASE("the budget on CUDA explains the change of the totals to round-off") {
  check_that_budgets_explain("cuda");
}

TEST_CASE("the budget on CUDA is that of the host, way by way, and nothing else changes for it") {
  for (const Flow& flow : kFlows) {
    CAPTURE(flow.deck);
    CAPTURE(flow.overrides);
    const Overrides budgets = with({"output.budgets=true"}, flow.overrides);
    CaseRun host(flow.deck, budgets, 1, "host"), cuda(flow.deck, budgets, 1, "cuda"),
        without(flow.deck, with(flow.overrides, {"output.budgets=false"}), 1, "cuda");
    for (CaseRun* run : {&host, &cuda, &without}) run->run(15);
    const bool is_single = host.config.problem.scheme.precision == Precision::single_precision;
    if (!flow.depends_on_rounding)
      CHECK(difference(host.solver->totals(), host.budget, cuda.budget) < (is_single ? 1e-4 : 1e-10));
    CHECK(identical(cuda.fields(), without.fields()));
  }
}
