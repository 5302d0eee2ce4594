// A step in slices on the host.
#include <doctest/doctest.h>

#include <memory>

#include "tests/support/slices.hpp"

using namespace halfstep;

TEST_CASE("slices change no bit, nor what is said of a soft error") {
  check_that_slices_change_nothing("host");
}

TEST_CASE("a step goes on in another solver from any slice") { check_that_another_solver_goes_on("host", 2); }

TEST_CASE("a step goes on in a solver with other tiles") { check_that_another_solver_goes_on("host", 1); }

TEST_CASE("faces repaired before a substep are counted, though two other solvers take it up in turn") {
  const Overrides mesh = {"mesh.cells=[40,4,40]"}, sliced = with(mesh, kShortest);
  CaseRun whole("near_vacuum", mesh, 2), second("near_vacuum", sliced, 1), third("near_vacuum", sliced, 2);
  whole.run(kSteps);
  const auto is_within = [](CaseRun& run) {
    const AttemptProgress progress = run.solver->get_progress();
    return progress.repaired_before > 0 && progress.done > 0;
  };
  std::unique_ptr<CaseRun> first;
  for (int slices = 10; !first || !is_within(*first); ++slices) {
    first = std::make_unique<CaseRun>("near_vacuum", sliced, 2);
    first->stop_after_slices = slices;
    REQUIRE(first->run(kSteps) == DriveEnd::stopped);
  }
  second.restore(*first);
  second.stop_after_slices = 1;
  REQUIRE(second.run(kSteps) == DriveEnd::stopped);
  REQUIRE(second.solver->get_progress().done > 0);  // within the same substep, of other tiles
  third.restore(second);
  third.run(kSteps);
  check_same(whole, third);
}
