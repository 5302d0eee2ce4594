// Averages over time on a device, against copies of all states and against the host.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/averages_of_run.hpp"

using namespace halfstep;

namespace {

struct Row {
  const char* deck;
  Overrides overrides;
};
const Row kRows[] = {
    {"taylor_green", {"mesh.cells=[33,20,17]", "scalars={dye: 0.25}"}},
    {"isentropic_vortex", {"mesh.cells=[70,12,1]", "scheme.integrator=ssprk2", "scheme.reconstruction=plm"}},
    {"rayleigh_taylor", {"mesh.cells=[8,24,1]"}},
    {"kelvin_helmholtz", {"mesh.cells=[16,16,1]", "scheme.precision=single"}},
    {"detonation", {"mesh.cells=[60,1,1]", "scheme.integrator=ssprk2"}},
    {"boundary_layer", {"mesh.cells=[16,12,1]"}},
    {"sod", {"mesh.cells=[40,1,1]", "scheme.integrator=euler", "time.cfl=0.2", "soft_error.max_halvings=9"}},
};

}  // namespace

TEST_CASE("averages over time on CUDA are those of copies of all states") {
  for (const Row& row : kRows)
    for (const int sample_steps : {1, 2, 5}) {
      CAPTURE(row.deck);
      CAPTURE(sample_steps);
      CaseRun run(row.deck, row.overrides, 0, "cuda");
      AveragesOfRun averages(run, request_for_averages(sample_steps));
      for (int step = 0; step < 17; ++step) averages.step();
      averages.expect_those_of_states(1e-12);
    }
}

TEST_CASE("averages over time on CUDA, covariances too, are the host's, in a strict build to the last bit") {
  for (const Row& row : kRows)
    for (const bool covariances : {false, true}) {
      CAPTURE(row.deck);
      CAPTURE(covariances);
      std::vector<double> numbers[2];
      for (const bool cuda : {false, true}) {
        CaseRun run(row.deck, row.overrides, 0, cuda ? "cuda" : "host");
        OutputRequest request = request_for_averages(1);
        request.covariances = covariances;
        RunningAverages averages(*run.solver, run.config.problem, request, 0);
        for (int step = 0; step < 8; ++step) {
          run.run(step + 1);
          averages.accepted(run.state);
          if (averages.rests_after(step + 1)) averages.take_in();
        }
        numbers[cuda] = averages.numbers();
      }
      REQUIRE(numbers[0].size() == numbers[1].size());
      if (HALFSTEP_STRICT_FP) {
        CHECK(numbers[0] == numbers[1]);
        continue;
      }
      double largest = 0, off = 0;
      for (std::size_t n = 0; n < numbers[0].size(); ++n) {
        largest = std::max(largest, std::abs(numbers[0][n]));
        off = std::max(off, std::abs(numbers[1][n] - numbers[0][n]));
      }
      CHECK(off <= 1e-6 * largest);
    }
}

TEST_CASE("what averages over time take on CUDA is told, and given back") {
  CaseRun run("taylor_green", {"mesh.cells=[16,16,16]"}, 0, "cuda");
  const std::int64_t before = run.solver->device_bytes();
  const std::int64_t sums = 4096 * 2 * 7 * std::int64_t{sizeof(double)};
  std::int64_t with = 0;
  {
    RunningAverages averages(*run.solver, run.config.problem, request_for_averages(1), 0);
    with = run.solver->device_bytes();
    CHECK(with >= before + sums + 4096 * 5 * std::int64_t{sizeof(double)});
  }
  CHECK(run.solver->device_bytes() == with - sums);
}
