// A step in slices on the host.
#include <doctest/doctest.h>

#include "tests/support/slices.hpp"

using namespace halfstep;

TEST_CASE("slices change no bit, nor what is said of a soft error") {
  check_that_slices_change_nothing("host");
}

TEST_CASE("a step goes on in another solver from any slice") { check_that_another_solver_goes_on("host", 2); }

TEST_CASE("a step goes on in a solver with other tiles") { check_that_another_solver_goes_on("host", 1); }
