// The rotation of the three buffers.
#include <doctest/doctest.h>

#include "physics/rotation.hpp"

using namespace halfstep;

TEST_CASE("no stage writes U^n or its own input, whichever buffer holds U^n") {
  for (int start = 0; start < 3; ++start) {
    const Rotation r{start};
    CHECK(r.input(1) == start);
    for (int stage = 1; stage <= 3; ++stage) {
      CHECK(r.output(stage) >= 0);
      CHECK(r.output(stage) < 3);
      CHECK(r.output(stage) != start);
      CHECK(r.output(stage) != r.input(stage));
      if (stage > 1) CHECK(r.input(stage) == r.output(stage - 1));
    }
  }
}

TEST_CASE("accepting makes the last stage's output U^n and moves nothing else") {
  for (int stages = 1; stages <= 3; ++stages)
    for (int start = 0; start < 3; ++start) {
      Rotation r{start};
      const int last = r.output(stages);
      r.accept(stages);
      CHECK(r.start == last);
      CHECK(r.input(1) == last);
    }
}
