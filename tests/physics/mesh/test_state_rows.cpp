// A state is set in slabs: the same bits as all at once, and never more than a slab in memory.
#include <doctest/doctest.h>

#include <cstdint>

#include "physics/cases/initial_state.hpp"
#include "physics/solver/state_survey.hpp"
#include "tests/support/run_case.hpp"

using namespace halfstep;

namespace {

/// Another state's rows, with a record of how much was asked for at once.
struct Watched final : StateRows {
  explicit Watched(StateRows& all) : rows(all) {}
  void get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) override {
    CHECK(first == next);
    next += count;
    slabs += 1;
    most_bytes = std::max(most_bytes, count * ExtendedRows(layout).length * layout.fields * 8);
    rows.get(layout, first, count, to);
  }
  StateRows& rows;
  std::int64_t next = 0, slabs = 0, most_bytes = 0;
};

}  // namespace

TEST_CASE("a solver takes a state by slabs of 64 MiB, with the bits it has as a whole") {
  CaseRun run("sedov_2d", {"mesh.cells=[1500,1200,1]", "scheme.reconstruction=weno5z"});
  const Fields whole = run.fields();
  const Layout layout(run.mesh(), run.layers());
  InitialState initial(*run.config.flow_case, run.config.scalars, run.mesh(), run.config.problem.gases());
  SurveyedRows surveyed(initial, run.config.problem, 0);
  Watched watched(surveyed);
  run.solver->set_state(watched, 0);
  CHECK(watched.next == ExtendedRows(layout).count);
  CHECK(watched.slabs == 2);
  CHECK(watched.most_bytes <= std::int64_t{64} << 20);
  CHECK(identical(run.fields(), whole));
  CHECK(run.solver->cfl_rate() == run.rate);
  CHECK(surveyed.survey().least_density == 1);
  CHECK(surveyed.survey().largest_density == 1);
}
