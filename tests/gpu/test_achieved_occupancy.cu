// Tests the occupancy meter with kernels whose occupancy is known in advance.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>

#include "app/study/achieved_occupancy.hpp"
#include "runtime/device/cuda_check.hpp"

using namespace halfstep;

namespace {

constexpr int kThreads = 256;

/// Keeps its warps busy for some time; it does not use the shared memory that it is launched with.
__global__ void wait(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

struct Device {
  int multiprocessors = 0, slots = 0, shared_per_block = 0;
  Device() {
    HALFSTEP_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    HALFSTEP_CUDA(cudaDeviceGetAttribute(&slots, cudaDevAttrMaxThreadsPerMultiProcessor, 0));
    HALFSTEP_CUDA(cudaDeviceGetAttribute(&shared_per_block, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  }
  double percent_of_one_block() const { return 100.0 * kThreads / slots; }
};

/// Launches blocks of which two do not fit a multiprocessor: one takes more than half of its shared memory.
void launch_alone(const Device& device) {
  HALFSTEP_CUDA(
      cudaFuncSetAttribute(wait, cudaFuncAttributeMaxDynamicSharedMemorySize, device.shared_per_block));
  wait<<<4 * device.multiprocessors, kThreads, device.shared_per_block>>>(1'000'000);
  HALFSTEP_CUDA_LAUNCHED("wait");
}

/// Launches as many waves of blocks that fill the multiprocessors.
void launch_full(const Device& device) {
  wait<<<8 * device.multiprocessors*(device.slots / kThreads), kThreads>>>(1'000'000);
  HALFSTEP_CUDA_LAUNCHED("wait");
}

std::string how_it_went;

}  // namespace

TEST_CASE("One block a multiprocessor, and as many as fit") {
  const Device device;
  OccupancyMeter meter;
  const std::optional<double> alone = meter.measure([&] { launch_alone(device); });
  how_it_went = meter.how();
  if (OccupancyMeter::under_ncu()) {  // run by the next test: ncu counts these two ranges
    CHECK_FALSE(alone);
    meter.measure([&] { launch_full(device); });
    return;
  }
  if (!alone) return;
  CHECK(*alone == doctest::Approx(device.percent_of_one_block()).epsilon(0.05));
  const std::optional<double> full = meter.measure([&] { launch_full(device); });
  REQUIRE(full);
  CHECK(*full > 90);
  CHECK(*full <= 100.5);
  const std::optional<double> again = meter.measure([&] { launch_alone(device); });
  REQUIRE(again);
  CHECK(*again == doctest::Approx(*alone).epsilon(0.05));  // a measurement does not affect the next
  CHECK(meter.how() == "CUPTI range profiling");
  std::printf("achieved occupancy, %s: one block %.2f %%, full %.2f %%\n", meter.how().c_str(), *alone,
              *full);
}

TEST_CASE("ncu finds the same in a second run") {
  if (OccupancyMeter::under_ncu()) return;
  const Device device;
  try {
    const std::vector<double> percent =
        occupancies_by_ncu({std::filesystem::read_symlink("/proc/self/exe").string(),
                            "--test-case=One block a multiprocessor*"});
    REQUIRE(percent.size() == 2);
    CHECK(percent[0] == doctest::Approx(device.percent_of_one_block()).epsilon(0.05));
    CHECK(percent[1] > 90);
    std::printf("achieved occupancy, ncu: one block %.2f %%, full %.2f %%\n", percent[0], percent[1]);
  } catch (const std::runtime_error& error) {
    std::printf("skipped: ncu did not count: %s\n", error.what());
  }
}

TEST_CASE("What the kernels' launch throws is the caller's, and the meter goes on") {
  if (OccupancyMeter::under_ncu()) return;
  const Device device;
  OccupancyMeter meter;
  CHECK_THROWS_WITH_AS(meter.measure([] { throw std::runtime_error("mine"); }), "mine", std::runtime_error);
  if (how_it_went == "CUPTI range profiling") CHECK(meter.measure([&] { launch_alone(device); }));
}

int main(int argc, char** argv) {
  int devices = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&devices); error != cudaSuccess || devices == 0) {
    std::printf("skipped: the occupancy meter was not tested: no CUDA device (%s)\n",
                cudaGetErrorString(error));
    return 77;
  }
  const int result = doctest::Context(argc, argv).run();
  if (result == 0 && how_it_went.rfind("not measured", 0) == 0 && !OccupancyMeter::under_ncu()) {
    std::printf("skipped: achieved occupancy is %s\n", how_it_went.c_str());
    return 77;
  }
  return result;
}
