// Tests steps in slices on a device.
#include <doctest/doctest.h>

#include "tests/support/slices.hpp"

using namespace halfstep;

TEST_CASE("slices change no bit, nor what is said of a soft error") {
  check_that_slices_change_nothing("cuda");
}

TEST_CASE("a step goes on in another solver from any slice") { check_that_another_solver_goes_on("cuda", 0); }

TEST_CASE("the host goes on with a step that a device began") {
  const Overrides overrides = {"mesh.cells=[20,20,20]", "interruptible.enabled=true",
                               "interruptible.launch_budget_ms=1e-6"};
  CaseRun whole("isentropic_vortex", overrides, 0, "cuda"), begun("isentropic_vortex", overrides, 0, "cuda");
  begun.stop_after_slices = 35;
  REQUIRE(begun.run(20) == DriveEnd::stopped);
  REQUIRE(begun.solver->get_progress().substep > 1);
  CaseRun on_host("isentropic_vortex", overrides, 2, "host");
  on_host.restore(begun);
  on_host.run(20);
  whole.run(20);
  REQUIRE(on_host.state.step == 20);
  CHECK(on_host.state.time == doctest::Approx(whole.state.time).epsilon(1e-12));
  const Fields a = on_host.fields(), b = whole.fields();
  for (std::size_t n = 0; n < a.conserved[0].size(); ++n)
    REQUIRE(a.conserved[0][n] == doctest::Approx(b.conserved[0][n]).epsilon(1e-11));
}
