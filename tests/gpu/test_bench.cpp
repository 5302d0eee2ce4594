// Tests what `halfstep bench` measures on a device.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "app/bench/limits.hpp"
#include "app/bench/measurement.hpp"
#include "physics/stage/integrator.hpp"
#include "tests/support/run_case.hpp"

using namespace halfstep;

TEST_CASE("a device's limits are those of a GPU, and single precision is no slower than double") {
  const MachineLimits in_double = device_limits(Precision::double_precision),
                      in_single = device_limits(Precision::single_precision);
  for (const MachineLimits& limits : {in_double, in_single}) {
    CHECK(limits.copy() > 5e10);
    CHECK(limits.copy() < 2e13);
    CHECK(limits.fma() > 5e10);
    CHECK(limits.fma() < 2e14);
  }
  CHECK(in_single.fma() > 1.5 * in_double.fma());
  CHECK(in_single.copy() == doctest::Approx(in_double.copy()).epsilon(0.1));
}

TEST_CASE("each kernel of a step is timed while that is asked for, and no bit changes") {
  const Overrides overrides = {"mesh.cells=[96,96,96]", "time.max_steps=20", "output.budgets=false"};
  CaseRun timed("sedov_3d", overrides, 0, "cuda"), plain("sedov_3d", overrides, 0, "cuda");
  timed.run(1);
  CHECK(timed.solver->instruments().part_times().empty());
  timed.solver->instruments().start_part_times();
  timed.solver->instruments().start_timer();
  timed.run(4);
  const double all = timed.solver->instruments().stop_timer();
  const std::vector<PartTime> parts = timed.solver->instruments().part_times();
  const int stages = stage_count(timed.config.problem.scheme.integrator);
  std::set<std::string> names;
  double sum = 0;
  for (const PartTime& part : parts) {
    names.insert(part.name);
    sum += part.seconds;
    CHECK(part.seconds > 0);
    CHECK(part.calls == 3 * (part.name == "end of attempt" ? 1 : stages));
  }
  CHECK(names == std::set<std::string>{kStagePart, "ghosts", "end of attempt"});
  CHECK(sum < all);
  timed.run(6);
  CHECK(timed.solver->instruments().part_times().empty());
  plain.run(6);
  CHECK(identical(timed.fields(), plain.fields()));
}

TEST_CASE("a benchmark on a device: shares of the limits that are possible") {
  const BenchRow row{.deck = HALFSTEP_SOURCE_DIR "/inputs/linear_wave_3d.yaml",
                     .overrides = {"mesh.cells=[128,128,128]", "scheme.reconstruction=plm",
                                   "scheme.variables=primitive", "scheme.integrator=ssprk2"}};
  const Measurement m = measure(row, {.backend = "cuda", .threads = 0, .steps = 20, .repeats = 5});
  const MachineLimits limits = device_limits(Precision::double_precision);
  CHECK(m.threads == 0);
  CHECK(m.kernel.registers > 0);
  CHECK(m.bytes_per_second() > 0.01 * limits.copy());
  CHECK(m.bytes_per_second() < limits.copy());
  CHECK(m.flops_per_second() > 0.01 * limits.fma());
  CHECK(m.flops_per_second() < limits.fma());
  CHECK(m.outside_stages() < 0.5);
}
