// The measurements of the studies timers, transfers and streams on a device are consistent.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "app/base/quartiles.hpp"
#include "app/study/fresh_process.hpp"
#include "app/study/streams_device.hpp"
#include "app/study/timers_device.hpp"
#include "app/study/transfers_device.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

double median(const std::vector<double>& values) { return quartiles(values).median; }

TEST_CASE("timers around one vectorAdd agree, and its parts are all of it") {
  vector_add_run();
  const VectorAddRun run = vector_add_run();
  const double wall = run.total[kChrono];
  CHECK(wall > 0);
  CHECK(run.total[kGettimeofday] == doctest::Approx(wall).epsilon(0.01));
  CHECK(run.total[kCudaEvent] == doctest::Approx(wall).epsilon(0.05));
  CHECK(std::accumulate(run.part.begin(), run.part.end(), 0.0) == doctest::Approx(wall).epsilon(0.05));
}

TEST_CASE("a CPU timer that waits reads more than events, one that does not reads less than one that does") {
  const KernelReadings readings = kernel_readings(50);
  CHECK(readings.waited[kCudaEvent].size() == 50);
  CHECK(readings.launched[kCudaEvent].empty());
  CHECK(median(readings.waited[kCudaEvent]) > 0);
  CHECK(median(readings.waited[kChrono]) > median(readings.waited[kCudaEvent]));
  CHECK(median(readings.launched[kChrono]) < median(readings.waited[kChrono]));
}

TEST_CASE("waiting for a kernel takes its time, and asleep less of the processor's") {
  constexpr double seconds = 0.01;
  const std::vector<ProcessorUse> waits = waits_for_kernel(seconds);
  REQUIRE(waits.size() == 2);
  for (const ProcessorUse& wait : waits) {
    INFO(wait.during);
    CHECK(wait.wall >= 0.99 * seconds);
    CHECK(wait.wall < 3 * seconds);
  }
  CHECK(waits[1].processor < 0.5 * waits[0].processor);
  const EventFigures events = event_figures();
  CHECK(events.cost > 0);
  CHECK(events.step > 0);
}

TEST_CASE("a process that has used CUDA cannot hand it to one forked from it, which says so") {
  vector_add_run();
  CHECK(refusal([] { in_fresh_process<VectorAddRun>(vector_add_run); }) != "");
}

TEST_CASE("every way between the memories is timed, and every dot product is right") {
  const TransferFigures figures = measure_transfers({4096, 1 << 20, kLoopBytes});
  REQUIRE(figures.sizes.size() == 3);
  for (const TransferSize& size : figures.sizes)
    for (const WaySamples& ways : size.seconds)
      for (const Samples& samples : ways) {
        CHECK(samples.size() >= 5);
        CHECK(median(samples) > 0);
      }
  // A larger copy is not slower per byte, and pinned memory is not slower than memory that the driver pins
  // during the copy.
  for (int way = 0; way < kWays; ++way) {
    CHECK(median(figures.sizes[2].seconds[kPinned][way]) / kLoopBytes <
          median(figures.sizes[0].seconds[kPinned][way]) / 4096);
    CHECK(median(figures.loop[kPinned][way]) < 1.2 * median(figures.loop[kPageable][way]));
  }
  for (const double result : figures.dot_results) CHECK(result == exact_dot());
  CHECK(median(figures.dot[kOnDevice]) < median(figures.dot[kCopyPageable]));
}

TEST_CASE("sizes that do not fit are dropped, and the loop and the dot products with them") {
  const TransferFigures figures = measure_transfers({4096, std::int64_t{1} << 50});
  REQUIRE(figures.sizes.size() == 1);
  CHECK(figures.sizes[0].bytes == 4096);
  CHECK(figures.loop[kPageable][kToDevice].empty());
}

TEST_CASE("streams give right results, between the bounds") {
  const StreamFigures figures = measure_streams(15);
  CHECK(figures.wrong == 0);
  CHECK(figures.copy_engines >= 1);
  CHECK(figures.capability >= 70);
  for (const WorkloadTimes& times : figures.workload) {
    double sum = 0, longest = 0;
    for (const Quartiles& engine : times.alone) {
      CHECK(engine.median > 0);
      sum += engine.median;
      longest = std::max(longest, engine.median);
    }
    for (const Quartiles& schedule : times.together) {
      CHECK(schedule.median > 0.9 * longest);
      CHECK(schedule.median < 1.2 * sum);
    }
  }
  const WorkloadTimes& balanced = figures.workload[kLongKernel];
  CHECK(balanced.alone[kCompute].median == doctest::Approx(balanced.alone[kCopyUp].median).epsilon(0.2));
}

}  // namespace
