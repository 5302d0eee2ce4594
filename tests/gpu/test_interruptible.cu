// Tests interruptible kernels on a device: the results do not depend on what ends their launches or how
// often, and a launch ends when it is told to. HALFSTEP_CYCLES shortens the races, for a sanitizer.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "runtime/interruptible/interruptible.hpp"
#include "tests/gpu/device_main.hpp"
#include "tests/support/resumable_bodies.hpp"

using namespace halfstep;
using namespace halfstep::interruptible;
using namespace resumable_bodies;

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using WalkLauncher = Launcher<walk, Walk, Walker>;
using LongLauncher = Launcher<go_a_long_way, Long, LongWay>;

constexpr int kCycles = 5000;

int cycles() {
  const char* wanted = std::getenv("HALFSTEP_CYCLES");
  return wanted != nullptr ? std::atoi(wanted) : kCycles;
}

/// Returns the factor by which time limits are relaxed; a sanitizer slows everything down.
double patience() { return cycles() < kCycles ? 100 : 1; }

double milliseconds_since(Clock::time_point began) {
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

/// The results of a kernel, initially zero.
template <class T>
class Results {
 public:
  explicit Results(std::int64_t count) : memory_(static_cast<std::size_t>(count)) { clear(); }

  T* get() const { return memory_.get(); }
  void clear() {
    HALFSTEP_CUDA(cudaMemset(memory_.get(), 0, memory_.count() * sizeof(T)));
    HALFSTEP_CUDA(cudaDeviceSynchronize());
  }
  std::vector<T> read() const {
    std::vector<T> values(memory_.count());
    HALFSTEP_CUDA(
        cudaMemcpy(values.data(), memory_.get(), values.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  DeviceBuffer<T> memory_;
};

constexpr std::int64_t kThreads = 1000;

bool all_at_end(const std::vector<std::uint64_t>& results, std::int64_t iterations, std::int64_t step) {
  for (std::size_t thread = 0; thread < results.size(); thread += static_cast<std::size_t>(step))
    if (results[thread] != end_of_a_long_way(iterations, static_cast<std::int64_t>(thread))) return false;
  return true;
}

__device__ void idle(long long clocks) {
  const long long end = clock64() + clocks;
  while (clock64() < end) {
  }
}

/// Runs one tile per block, taken by its first thread; without a queue it is the tile of the block's number.
__global__ void one_tile(TileQueueView queue, int* times, int clocks) {
  __shared__ std::int64_t tile;
  if (threadIdx.x == 0) tile = queue.active() ? queue.take() : static_cast<std::int64_t>(blockIdx.x);
  __syncthreads();
  if (tile < 0) return;
  idle(clocks);
  if (threadIdx.x == 0) atomicAdd(times + tile, 1);
}

/// Runs blocks that take tiles until none is left.
__global__ void many_tiles(TileQueueView queue, int* times, int clocks) {
  __shared__ std::int64_t tile;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) tile = queue.take();
    __syncthreads();
    if (tile < 0) return;
    idle(clocks);
    if (threadIdx.x == 0) atomicAdd(times + tile, 1);
  }
}

/// Whether the first `done` tiles have been run exactly once and the others never.
bool exactly(const std::vector<int>& times, std::int64_t done) {
  return std::all_of(times.begin(), times.begin() + done, [](int n) { return n == 1; }) &&
         std::all_of(times.begin() + done, times.end(), [](int n) { return n == 0; });
}

}  // namespace

TEST_CASE("nested loops give the same under every limit, in as many launches as it takes") {
  Results<std::uint64_t> results(kThreads);
  const Walk args{6, 5, results.get()};
  const Expected expected = expected_of(args, kThreads);
  for (const int block : {32, 96, 128})
    for (std::int64_t limit = 1; limit <= expected.most_points + 1; ++limit) {
      CAPTURE(limit);
      results.clear();
      WalkLauncher launcher(kThreads, block);
      CHECK(launcher.run(args, {.interrupts_per_launch = limit}) == Outcome::finished);
      CHECK(results.read() == expected.sums);
      CHECK(launcher.progress().done == kThreads);
      CHECK(launcher.progress().launches == expected.most_points / limit + 1);
    }
}

TEST_CASE("a loop that keeps its own state needs no macros; finished threads do nothing in later launches") {
  Results<std::uint64_t> steps(kThreads);
  std::vector<std::uint64_t> expected;
  for (std::int64_t thread = 0; thread < kThreads; ++thread) expected.push_back(steps_of_descent(thread));
  for (const std::int64_t limit : {1, 2, 17, 1000}) {
    CAPTURE(limit);
    steps.clear();
    Launcher<descend, Descents, Descent> launcher(kThreads);
    Stream stream;
    CHECK(launcher.run({steps.get()}, {.interrupts_per_launch = limit}, stream) == Outcome::finished);
    CHECK(steps.read() == expected);
    steps.clear();
    CHECK(launcher.slice({steps.get()}, {}, stream));
    CHECK(steps.read() == std::vector<std::uint64_t>(kThreads));
  }
}

TEST_CASE("records saved between any two launches go on in another launcher, also on the host, and back") {
  Results<std::uint64_t> results(kThreads), elsewhere(kThreads);
  const Walk here{6, 5, results.get()}, there{6, 5, elsewhere.get()};
  const Expected expected = expected_of(here, kThreads);
  WalkLauncher launcher(kThreads);
  for (bool finished = false; !finished;) {
    finished = launcher.slice(here, {.interrupts_per_launch = 4});
    const std::vector<Walker> saved = launcher.records();
    const std::vector<std::uint64_t> written = results.read();  // is part of what is saved

    HALFSTEP_CUDA(cudaMemcpy(elsewhere.get(), results.get(), kThreads * sizeof(std::uint64_t),
                             cudaMemcpyDeviceToDevice));
    WalkLauncher other(kThreads, 64);
    other.set_records(saved);
    CHECK(other.progress().done == launcher.progress().done);
    CHECK(other.run(there, {.interrupts_per_launch = 3}) == Outcome::finished);
    CHECK(elsewhere.read() == expected.sums);

    std::vector<std::uint64_t> on_host = written;
    HostLauncher<walk, Walk, Walker> host(kThreads, 2);
    host.set_records(saved);
    CHECK(host.run({6, 5, on_host.data()}, {.interrupts_per_launch = 2}) == Outcome::finished);
    CHECK(on_host == expected.sums);

    launcher.run(here, {.interrupts_per_launch = 2, .launches = 3});
    launcher.set_records(saved);
  }
  CHECK(results.read() == expected.sums);

  launcher.reset();
  CHECK(launcher.progress().done == 0);
  results.clear();
  CHECK(launcher.run(here, {}) == Outcome::finished);
  CHECK(results.read() == expected.sums);
  CHECK_THROWS_AS(launcher.set_records(std::vector<Walker>(3)), std::invalid_argument);
}

TEST_CASE("pauses from another thread at random moments change nothing, and progress never goes back") {
  const std::int64_t threads = 40'000, iterations = 20 * cycles();
  Results<std::uint64_t> results(threads);
  int pauses = 0;
  for (int round = 0; round < 1000 && pauses < 20; ++round) {
    results.clear();
    LongLauncher launcher(threads);
    pauses += run_under_random_pauses(launcher, Long{iterations, results.get()});
    CHECK(all_at_end(results.read(), iterations, 1009));
  }
  std::printf("random pauses: %d\n", pauses);
  CHECK(pauses >= 20);
}

TEST_CASE("a pause ends a kernel of hours at once") {
  constexpr std::int64_t threads = 270'000;
  Results<std::uint64_t> results(threads);
  LongLauncher launcher(threads);
  const Long endless{std::int64_t{1} << 50, results.get()};
  launcher.slice(endless, {.interrupts_per_launch = 1});  // loads the kernel
  double worst = 0;
  for (int n = 0; n < 10; ++n) {
    Clock::time_point asked;
    std::jthread other([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(20'000 + draw(20'000)));
      asked = Clock::now();
      launcher.pause().request();
    });
    CHECK(launcher.run(endless, {}) == Outcome::paused);
    const auto ended = Clock::now();
    other.join();
    worst = std::max(worst, std::chrono::duration<double, std::milli>(ended - asked).count());
    launcher.pause().withdraw();
  }
  std::printf("from the request to the end of a kernel of %lld threads: %.3f ms at most\n",
              static_cast<long long>(threads), worst);
  CHECK(worst < 200 * patience());
  // No thread has lost its place, and the first threads have made progress.
  const std::vector<LongWay> records = launcher.records();
  for (std::size_t thread = 0; thread < records.size(); thread += 9973)
    CHECK(records[thread].x ==
          end_of_a_long_way(records[thread].iteration, static_cast<std::int64_t>(thread)));
  CHECK(records[0].iteration > 1);
}

TEST_CASE("a budget of time is kept by the device's clock, however many threads wait for their turn") {
  for (const std::int64_t threads : {std::int64_t{20'000}, std::int64_t{3'000'000}}) {
    Results<std::uint64_t> results(threads);
    LongLauncher launcher(threads);
    const Long endless{std::int64_t{1} << 50, results.get()};
    launcher.slice(endless, {.milliseconds_per_launch = 1});  // loads the kernel
    for (const double budget : {2.0, 10.0, 50.0, 200.0}) {
      // Others may use the device or the host meanwhile: a budget that is kept is kept once in a while.
      double least = 1e30, most = 0;
      for (int n = 0; n < 10 && least > budget + 20 * patience(); ++n) {
        const auto began = Clock::now();
        CHECK_FALSE(launcher.slice(endless, {.milliseconds_per_launch = budget}));
        const double took = milliseconds_since(began);
        CHECK(took >= budget);
        least = std::min(least, took);
        most = std::max(most, took);
      }
      std::printf("budget %.0f ms, %lld threads: %.3f to %.3f ms\n", budget, static_cast<long long>(threads),
                  least, most);
      CHECK(least < budget + 20 * patience());
    }
  }
}

TEST_CASE("a budget too short for anything, and a pause that stands, still get something done a launch") {
  constexpr std::int64_t threads = 50, iterations = 20;
  Results<std::uint64_t> results(threads);
  LongLauncher hasty(threads, 32);
  CHECK(hasty.run({iterations, results.get()}, {.milliseconds_per_launch = 1e-6}) == Outcome::finished);
  CHECK(hasty.progress().launches <= threads * (iterations + 1));
  CHECK(all_at_end(results.read(), iterations, 1));

  results.clear();
  LongLauncher paused(threads, 32);
  paused.pause().request();
  CHECK(paused.run({iterations, results.get()}, {}) == Outcome::paused);
  CHECK(paused.progress().launches == 0);
  for (std::int64_t n = 0; n < threads * (iterations + 1); ++n) paused.slice({iterations, results.get()}, {});
  CHECK(paused.progress().done == threads);
  CHECK(all_at_end(results.read(), iterations, 1));
}

TEST_CASE("the host reads the progress while a kernel runs") {
  const std::int64_t threads = 2'000'000, iterations = 4 * cycles();
  Results<std::uint64_t> results(threads);
  LongLauncher launcher(threads);
  launcher.slice({iterations, results.get()}, {.interrupts_per_launch = 1});  // loads the kernel
  std::jthread running([&] { launcher.run({iterations, results.get()}, {}); });
  const std::size_t seen = watch_progress(launcher, threads);
  running.join();
  std::printf("progress: %zu different values in one launch\n", seen);
  CHECK(launcher.progress().launches == 2);
  CHECK(seen > 5);
}

TEST_CASE("tiles: each once, in slices of any size, with one tile a block or many") {
  constexpr std::int64_t tiles = 1337;
  Results<int> times(tiles);
  DeviceTileQueue queue;
  for (const bool loop : {false, true})
    for (const std::int64_t limit : {1, 10, 1000, 1336, 1337, 5000, 0}) {
      CAPTURE(limit);
      times.clear();
      queue.start(tiles);
      bool exact = true;
      while (queue.done() < tiles) {
        const std::int64_t before = queue.done();
        queue.launch_slice({.interrupts_per_launch = limit}, nullptr,
                           [&](TileQueueView view, std::int64_t blocks) {
                             if (loop)
                               many_tiles<<<64, 64>>>(view, times.get(), 0);
                             else
                               one_tile<<<static_cast<unsigned>(blocks), 64>>>(view, times.get(), 0);
                           });
        exact = exact && queue.wait(nullptr) == (limit == 0 ? tiles : std::min(before + limit, tiles));
        exact = exact && exactly(times.read(), queue.done());
      }
      CHECK(exact);
      CHECK(queue.progress().launches == (limit == 0 ? 1 : (tiles + limit - 1) / limit));
    }
  bool launched = false;
  queue.launch_slice({}, nullptr, [&](TileQueueView, std::int64_t) { launched = true; });
  CHECK_FALSE(launched);
  queue.start(tiles, 1000);
  CHECK(queue.wait(nullptr) == 1000);
}

TEST_CASE("without a queue the same kernel takes its tile by its block number") {
  Results<int> times(100);
  one_tile<<<100, 32>>>({}, times.get(), 0);
  HALFSTEP_CUDA_LAUNCHED("one_tile");
  CHECK(exactly(times.read(), 100));
}

TEST_CASE("tiles: pauses and budgets end a launch after the tiles under way, and lose none") {
  constexpr std::int64_t tiles = 200'000;
  constexpr int clocks = 100'000;  // about 50 us
  const int rounds = cycles() / 50;
  Results<int> times(tiles);
  DeviceTileQueue queue;
  Stream stream;
  queue.start(tiles);
  const auto slice = [&](const Limits& limits) {
    queue.launch_slice(limits, stream, [&](TileQueueView view, std::int64_t blocks) {
      one_tile<<<static_cast<unsigned>(blocks), 64, 0, stream>>>(view, times.get(), clocks);
    });
  };
  slice({.interrupts_per_launch = 1});
  queue.wait(stream);
  bool lost = false;
  double worst_pause = 0, worst_budget = 0;
  int rewound = 0;
  for (int n = 0; n < rounds; ++n) {
    if (queue.done() == tiles) {
      lost = lost || !exactly(times.read(), tiles);
      times.clear();
      queue.start(tiles);
      ++rewound;
    }
    if (n % 2 == 0) {
      slice({});
      std::this_thread::sleep_for(std::chrono::microseconds(draw(1500)));
      const auto asked = Clock::now();
      queue.pause().request();
      queue.wait(stream);
      worst_pause = std::max(worst_pause, milliseconds_since(asked));
      queue.pause().withdraw();
    } else {
      const double budget = 0.1 + 0.01 * draw(100);
      const auto began = Clock::now();
      slice({.milliseconds_per_launch = budget});
      queue.wait(stream);
      worst_budget = std::max(worst_budget, milliseconds_since(began) - budget);
    }
    if (n % 10 == 0) lost = lost || !exactly(times.read(), queue.done());
  }
  CHECK_FALSE(lost);
  std::printf(
      "tiles: %d slices, %d times through; %.3f ms from a request to the end, %.3f ms over a budget at "
      "most\n",
      rounds, rewound, worst_pause, worst_budget);
  CHECK(worst_pause < 50 * patience());
  CHECK(worst_budget < 50 * patience());

  // The pause remains requested: each launch still finishes at least one tile.
  queue.start(tiles);
  times.clear();
  queue.pause().request();
  for (std::int64_t n = 1; n <= 20; ++n) {
    slice({});
    CHECK(queue.wait(stream) >= n);
  }
  CHECK(queue.done() < tiles);
  CHECK(exactly(times.read(), queue.done()));
}

TEST_CASE("tiles: the host reads the progress while a kernel runs") {
  constexpr std::int64_t tiles = 30'000;
  Results<int> times(tiles);
  DeviceTileQueue queue;
  Stream stream;
  queue.start(tiles);
  queue.launch_slice({}, stream, [&](TileQueueView view, std::int64_t blocks) {
    one_tile<<<static_cast<unsigned>(blocks), 64, 0, stream>>>(view, times.get(), 100'000);
  });
  std::vector<std::int64_t> seen{0};
  const auto began = Clock::now();
  while (seen.back() < tiles && milliseconds_since(began) < 60'000) {
    const std::int64_t done = queue.done();
    if (done == seen.back()) continue;
    CHECK(done > seen.back());
    seen.push_back(done);
  }
  CHECK(queue.wait(stream) == tiles);
  std::printf("progress: %zu different values in one launch of tiles\n", seen.size());
  CHECK(seen.size() > 5);
}

TEST_CASE("tiles: progress never goes back, though more blocks come than a slice has tiles") {
  constexpr std::int64_t tiles = 14'000, slice = 7;
  Results<int> times(tiles);
  DeviceTileQueue queue;
  Stream stream;
  queue.start(tiles);
  std::int64_t last = 0, went_back = 0, beyond = 0, looks = 0;
  while (queue.done() < tiles) {
    const std::int64_t end = queue.done() + slice;
    queue.launch_slice({.interrupts_per_launch = slice}, stream, [&](TileQueueView view, std::int64_t) {
      many_tiles<<<64, 64, 0, stream>>>(view, times.get(), 40'000);
    });
    Event ended;
    ended.record(stream);
    for (bool runs = true; runs; ++looks) {
      runs = !ended.done();
      const std::int64_t done = queue.done();
      went_back += done < last;
      beyond += done > end;
      last = done;
    }
    queue.wait(stream);
  }
  std::printf("progress: %lld looks at slices of %lld tiles\n", static_cast<long long>(looks),
              static_cast<long long>(slice));
  CHECK(went_back == 0);
  CHECK(beyond == 0);
  CHECK(exactly(times.read(), tiles));
}

TEST_CASE("a body with a switch of its own gives the same under every limit") {
  Results<std::uint64_t> whole(kThreads), results(kThreads);
  Launcher<take_turns, Turns, Turner> at_once(kThreads);
  CHECK(at_once.slice({20, whole.get()}, {}));
  for (const std::int64_t limit : {1, 2, 7, 20}) {
    CAPTURE(limit);
    results.clear();
    Launcher<take_turns, Turns, Turner> launcher(kThreads);
    CHECK(launcher.run({20, results.get()}, {.interrupts_per_launch = limit}) == Outcome::finished);
    CHECK(results.read() == whole.read());
    CHECK(launcher.progress().launches == 20 / limit + 1);
  }
}

TEST_CASE("a record that names a safe point which the body does not have is an error, and not finished") {
  Results<std::uint64_t> results(kThreads);
  const Walk args{6, 5, results.get()};
  WalkLauncher launcher(kThreads);
  std::vector<Walker> records(kThreads);
  records[4].resume_at = 99;
  launcher.set_records(records);
  for (int n = 0; n < 2; ++n) CHECK_THROWS_AS(launcher.run(args, {}), std::runtime_error);
  CHECK(launcher.progress().done == kThreads - 1);
  CHECK(launcher.records()[4].resume_at == ~99);
  launcher.reset();
  CHECK(launcher.run(args, {}) == Outcome::finished);
  CHECK(results.read() == expected_of(args, kThreads).sums);
}

int main(int argc, char** argv) {
  return halfstep::run_on_device(argc, argv, "interruptible kernels were not tested");
}
