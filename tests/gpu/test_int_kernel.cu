// Tests the facade of the 2012 interface: a kernel of two nested loops and two safe points, under every
// limit.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "IntKernel.h"
#include "runtime/device/memory.hpp"
#include "tests/gpu/device_main.hpp"

using namespace SySal::GPU::InterruptibleKernels;

namespace {

struct TableArgs : public Args {
  int rows, columns;
  unsigned* sums;
};

struct TableStatus : public Status {
  int i, j;
  unsigned sum;
};

__host__ __device__ unsigned mixed(unsigned sum, unsigned i, unsigned j) {
  return (sum ^ (31 * i + j + 1)) * 2654435761u;
}

/// Sums one table per thread; threads whose number ends in 7 have nothing to do.
__global__ void sum_table(TableArgs* __restrict__ pargs, TableStatus* __restrict__ pstatus) {
  _IKGPU_PROLOG(pargs, pstatus);
  int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * (blockIdx.x + gridDim.x * blockIdx.y));
  _IKGPU_RESUMEFROM(1, pstatus);
  _IKGPU_RESUMEFROM(2, pstatus);
  if (thread % 10 == 7) _IKGPU_END(pstatus);
  pstatus->sum = thread;
  for (pstatus->i = 0; pstatus->i < pargs->rows; pstatus->i++) {
    _IKGPU_INTERRUPT(1, pstatus, pargs);
    for (pstatus->j = 0; pstatus->j < pargs->columns; pstatus->j++) {
      _IKGPU_INTERRUPT(2, pstatus, pargs);
      pstatus->sum = mixed(pstatus->sum, pstatus->i, pstatus->j);
    }
  }
  pargs->sums[thread] = pstatus->sum;
  _IKGPU_END(pstatus);
}

/// Does the same with safe points in a switch, and with surplus threads that leave by a plain return.
__global__ void sum_in_turn(TableArgs* __restrict__ pargs, TableStatus* __restrict__ pstatus) {
  _IKGPU_PROLOG(pargs, pstatus);
  int thread = threadIdx.x + blockIdx.x * blockDim.x;
  _IKGPU_RESUMEFROM(1, pstatus);
  _IKGPU_RESUMEFROM(2, pstatus);
  if (thread >= pargs->columns) return;
  pstatus->sum = thread;
  for (pstatus->i = 0; pstatus->i < pargs->rows; pstatus->i++) {
    switch (pstatus->i % 3) {
      case 1:
        _IKGPU_INTERRUPT(1, pstatus, pargs);
        pstatus->sum = mixed(pstatus->sum, pstatus->i, 1);
        break;
      case 2:
        _IKGPU_INTERRUPT(2, pstatus, pargs);
        pstatus->sum = mixed(pstatus->sum, pstatus->i, 2);
        break;
      default:
        pstatus->sum = mixed(pstatus->sum, pstatus->i, 3);
    }
  }
  pargs->sums[thread] = pstatus->sum;
  _IKGPU_END(pstatus);
}

constexpr int kRows = 5, kColumns = 4, kPoints = kRows * (1 + kColumns);
const dim3 kBlocks(3, 2), kBlock(16, 4);
constexpr int kThreads = 3 * 2 * 16 * 4;

std::vector<unsigned> expected(int rows, int columns) {
  std::vector<unsigned> sums(kThreads);
  for (int thread = 0; thread < kThreads; ++thread) {
    if (thread % 10 == 7) continue;
    sums[thread] = thread;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) sums[thread] = mixed(sums[thread], i, j);
  }
  return sums;
}

/// The sums of all threads, initially zero.
struct Sums {
  halfstep::DeviceBuffer<unsigned> memory{kThreads};

  Sums() { HALFSTEP_CUDA(cudaMemset(memory.get(), 0, kThreads * sizeof(unsigned))); }
  std::vector<unsigned> read() const {
    std::vector<unsigned> sums(kThreads);
    HALFSTEP_CUDA(cudaMemcpy(sums.data(), memory.get(), kThreads * sizeof(unsigned), cudaMemcpyDeviceToHost));
    return sums;
  }
};

}  // namespace

TEST_CASE("two nested loops give the same under every limit, in as many launches as it takes") {
  for (int limit = 1; limit <= kPoints + 1; ++limit) {
    CAPTURE(limit);
    const Sums sums;
    IntKernel<TableArgs, TableStatus, sum_table> launcher;
    launcher.Arguments.rows = kRows;
    launcher.Arguments.columns = kColumns;
    launcher.Arguments.sums = sums.memory.get();
    CHECK(launcher.Launch(kBlocks, kBlock, limit) == kPoints / limit + 1);
    CHECK(sums.read() == expected(kRows, kColumns));
    CHECK(launcher.Progress().done == kThreads);
    CHECK(launcher.Progress().launches == kPoints / limit + 1);
    // A launcher can be used again, with other arguments.
    launcher.Arguments.rows = 1;
    CHECK(launcher.Launch(kBlocks, kBlock) == 1);
    CHECK(sums.read() == expected(1, kColumns));
  }
}

TEST_CASE("surplus threads that leave by return, and safe points in a switch") {
  constexpr int rows = 30, points = 20, busy = 100, threads = 4 * 32;
  std::vector<unsigned> whole(kThreads);
  for (int thread = 0; thread < busy; ++thread) {
    whole[thread] = thread;
    for (int i = 0; i < rows; ++i) whole[thread] = mixed(whole[thread], i, i % 3 == 0 ? 3 : i % 3);
  }
  for (const int limit : {1, 2, 3, 19, 20, 21}) {
    CAPTURE(limit);
    const Sums sums;
    IntKernel<TableArgs, TableStatus, sum_in_turn> launcher;
    launcher.Arguments.rows = rows;
    launcher.Arguments.columns = busy;
    launcher.Arguments.sums = sums.memory.get();
    CHECK(launcher.Launch(dim3(4), dim3(32), limit, 100) == points / limit + 1);
    CHECK(sums.read() == whole);
    CHECK(launcher.Progress().done == threads);
  }
}

TEST_CASE("a limit on launches is kept, and text is thrown") {
  const Sums sums;
  IntKernel<TableArgs, TableStatus, sum_table> launcher;
  launcher.Arguments.rows = kRows;
  launcher.Arguments.columns = kColumns;
  launcher.Arguments.sums = sums.memory.get();
  std::string text;
  try {
    launcher.Launch(kBlocks, kBlock, 2, 5);
  } catch (const char* thrown) {
    text = thrown;
  }
  CHECK(text == "Maximum number of launches exceeded.");
  CHECK(launcher.Progress().launches == 5);
  CHECK(launcher.Progress().done == (kThreads + 2) / 10);  // the threads that had nothing to do
  CHECK(launcher.Launch(kBlocks, kBlock, 2, kPoints / 2 + 1) == kPoints / 2 + 1);
  CHECK(sums.read() == expected(kRows, kColumns));

  text.clear();
  try {
    launcher.Launch(kBlocks, dim3(5000));
  } catch (const char* thrown) {
    text = thrown;
  }
  CHECK(text.find("invalid") != std::string::npos);
}

TEST_CASE("another thread watches the launches go by") {
  const Sums sums;
  IntKernel<TableArgs, TableStatus, sum_table> launcher;
  launcher.Arguments.rows = 200;
  launcher.Arguments.columns = 20;
  launcher.Arguments.sums = sums.memory.get();
  std::jthread launching([&] { launcher.Launch(kBlocks, kBlock, 5); });
  std::vector<std::int64_t> seen{0};
  while (launcher.Progress().done < kThreads)
    if (const auto launches = launcher.Progress().launches; launches > seen.back()) seen.push_back(launches);
  launching.join();
  CHECK(seen.size() > 5);
  CHECK(sums.read() == expected(200, 20));
}

int main(int argc, char** argv) {
  return halfstep::run_on_device(argc, argv, "interruptible kernels of 2012 were not tested");
}
