// A queue of tiles on the host: every tile is done once, whatever the slices.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "runtime/interruptible/tile_queue.hpp"

using namespace halfstep::interruptible;

namespace {

using namespace std::chrono_literals;

/// Runs one slice with `workers` threads. Returns how many tiles it did; adds to each tile's count.
template <class Work>
std::int64_t run_slice(HostTileQueue& queue, const Limits& limits, int workers,
                       std::vector<std::atomic<int>>& times, Work work) {
  const std::int64_t before = queue.done();
  queue.begin_slice(limits);
  {
    std::vector<std::jthread> threads;
    for (int n = 0; n < workers; ++n)
      threads.emplace_back([&] {
        for (std::int64_t tile; (tile = queue.take()) >= 0; ++times[static_cast<std::size_t>(tile)]) work();
      });
  }
  return queue.end_slice() - before;
}

bool all_once(const std::vector<std::atomic<int>>& times, std::int64_t first, std::int64_t end) {
  return std::all_of(times.begin() + first, times.begin() + end, [](const auto& n) { return n == 1; });
}

}  // namespace

TEST_CASE("every tile is done once, in slices of any size, and those before done() are the finished ones") {
  constexpr std::int64_t tiles = 137;
  for (const int workers : {1, 4})
    for (const std::int64_t limit : {1, 2, 10, 136, 137, 1000, 0}) {
      INFO("workers ", workers, ", limit ", limit);
      std::vector<std::atomic<int>> times(tiles);
      HostTileQueue queue;
      queue.start(tiles);
      while (queue.done() < tiles) {
        const std::int64_t before = queue.done();
        CHECK(run_slice(queue, {.interrupts_per_launch = limit}, workers, times, [] {}) ==
              (limit == 0 ? tiles : std::min(limit, tiles - before)));
        REQUIRE(all_once(times, 0, queue.done()));
        REQUIRE(std::all_of(times.begin() + queue.done(), times.end(), [](const auto& n) { return n == 0; }));
      }
      CHECK(run_slice(queue, {}, workers, times, [] {}) == 0);
    }
}

TEST_CASE("threads that arrive together for the last tile of a slice: one gets it, and the count is right") {
  constexpr std::int64_t slices = 50'000;
  constexpr int workers = 2;
  std::vector<std::atomic<int>> times(slices);
  HostTileQueue queue;
  queue.start(slices);
  const Limits one{.interrupts_per_launch = 1};
  queue.begin_slice(one);
  std::int64_t wrong = 0;
  std::atomic<int> arrived{0};
  std::atomic<std::int64_t> slice{0};
  std::chrono::steady_clock::time_point go;  // start of the slice: both look at the same moment
  const auto work = [&] {
    for (std::int64_t n = 0; n < slices; ++n) {
      while (std::chrono::steady_clock::now() < go) {
      }
      for (std::int64_t tile; (tile = queue.take()) >= 0;)
        if (tile < slices) ++times[static_cast<std::size_t>(tile)];
      if (++arrived == workers) {
        wrong += queue.end_slice() != n + 1;
        queue.begin_slice(one);
        arrived = 0;
        go = std::chrono::steady_clock::now() + 3us;
        slice = n + 1;
      } else {
        while (slice <= n) std::this_thread::yield();
      }
    }
  };
  {
    std::jthread other(work);
    work();
  }
  CHECK(wrong == 0);
  CHECK(all_once(times, 0, slices));
}

TEST_CASE("takers who came too late do not count") {
  HostTileQueue queue;
  queue.start(10);
  queue.begin_slice({.interrupts_per_launch = 3});
  // Three tiles are done, and two takers found none left between their look and their turn.
  queue.view().pause.add_done(5);
  // This taker is the first to look, so it shows the host the progress.
  CHECK(queue.take() == -1);
  CHECK(queue.done() == 3);
  CHECK(queue.end_slice() == 3);
  queue.begin_slice({});
  CHECK(queue.take() == 3);
}

TEST_CASE("a queue goes on from where another stopped") {
  std::vector<std::atomic<int>> times(100);
  HostTileQueue first, second;
  first.start(100);
  run_slice(first, {.interrupts_per_launch = 37}, 2, times, [] {});
  second.start(100, first.done());
  CHECK(run_slice(second, {}, 2, times, [] {}) == 63);
  CHECK(all_once(times, 0, 100));
  second.start(50);
  CHECK(second.done() == 0);
  CHECK(second.tiles() == 50);
}

TEST_CASE("a pause or a budget ends a slice after the tiles under way; every slice does a tile at least") {
  std::vector<std::atomic<int>> times(20'000);
  const auto slow = [] { std::this_thread::sleep_for(1ms); };
  HostTileQueue queue;
  queue.start(20'000);
  const auto took = [&](const Limits& limits) {
    const auto began = std::chrono::steady_clock::now();
    run_slice(queue, limits, 3, times, slow);
    return std::chrono::steady_clock::now() - began;
  };
  CHECK(took({.milliseconds_per_launch = 20}) < 1s);
  CHECK(queue.done() >= 3);
  CHECK(queue.done() < 4000);

  {
    std::jthread other([&] {
      std::this_thread::sleep_for(20ms);
      queue.pause().request();
    });
    CHECK(took({}) < 1s);
  }
  CHECK(queue.done() < 8000);
  CHECK(queue.progress().launches == 2);

  for (int n = 0; n < 10; ++n) {  // the pause still holds
    const std::int64_t before = queue.done();
    took({});
    CHECK(queue.done() >= before + 1);
    CHECK(queue.done() <= before + 3);
  }
  queue.pause().withdraw();
  run_slice(queue, {}, 3, times, [] {});
  CHECK(all_once(times, 0, 20'000));
}

TEST_CASE("the default view is no queue") {
  CHECK_FALSE(TileQueueView{}.active());
  HostTileQueue queue;
  CHECK(queue.view().active());
}
