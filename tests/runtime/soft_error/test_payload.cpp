// Payloads on host threads: whole, of the epoch that was raised, and never lost, while winners of old epochs
// are still writing theirs.
#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "runtime/soft_error/channel.hpp"
#include "runtime/soft_error/place.hpp"

using namespace halfstep::soft_error;

namespace {

/// A payload whose every word encodes the same two numbers, so that a mixture of two payloads is detected.
struct Redundant {
  static constexpr int words = 31;
  std::uint64_t epoch = 0;
  std::uint64_t word[words] = {};

  static std::uint64_t expected(std::uint64_t epoch, std::uint64_t writer, int n) {
    return (epoch * 0x9E3779B97F4A7C15u + writer) ^ std::uint64_t(n);
  }
  void write(std::uint64_t of_epoch, std::uint64_t writer, bool slowly) {
    epoch = of_epoch;
    for (int n = 0; n < words; ++n) {
      word[n] = expected(of_epoch, writer, n);
      if (slowly && n % 8 == 0) std::this_thread::yield();
    }
  }
  bool whole(std::uint64_t of_epoch) const {
    const std::uint64_t writer = word[0] - of_epoch * 0x9E3779B97F4A7C15u;
    bool good = epoch == of_epoch && writer < 64;
    for (int n = 0; n < words; ++n) good &= word[n] == expected(of_epoch, writer, n);
    return good;
  }
};

}  // namespace

TEST_CASE("the first arrival writes the payload in place, from its default") {
  struct Payload {
    double value = -1;
    int cell = -2;
  };
  HostChannel<Payload> channel;
  int calls = 0;
  for (int n = 0; n < 3; ++n)
    report_first_error(
        channel.reporter(1, 2),
        [&](Payload& p) {
          ++calls;
          p.value = 10.0 + n;
          p.cell = n;
        },
        9);
  CHECK(calls == 1);
  const auto first = channel.take();
  REQUIRE(first.has_value());
  CHECK(first->epoch == 1);
  CHECK(first->stage == 2);
  CHECK(first->kind == 9);
  CHECK(first->payload.value == 10.0);
  CHECK(first->payload.cell == 0);

  report_first_error(channel.reporter(), [&](Payload& p) { p.cell = 7; });
  const auto second = channel.take();
  REQUIRE(second.has_value());
  CHECK(second->payload.value == -1);  // nothing is left of the one before
  CHECK(second->payload.cell == 7);

  channel.reporter().raise(3);
  const auto bare = channel.take();
  REQUIRE(bare.has_value());
  CHECK(bare->kind == 3);
  CHECK(bare->payload.cell == -2);
}

TEST_CASE("the kind comes before the function that fills the payload, as in warn(), or after it") {
  HostChannel<int> channel;
  report_first_error(channel.reporter(), 9, [](int& n) { n = 1; });
  CHECK(channel.poll().kind == 9);
  CHECK(channel.take()->payload == 1);
  report_first_error(
      channel.reporter(), [](int& n) { n = 2; }, 8);
  CHECK(channel.poll().kind == 8);
  CHECK(channel.take()->payload == 2);
  report_first_error(channel.reporter(), [](int& n) { n = 3; });
  CHECK(channel.poll().kind == 0);
}

TEST_CASE("a payload says where in the source it is from, in words of its own") {
  struct Payload {
    Place where;
    int value = 0;
  };
  HostChannel<Payload> channel;
  report_first_error(channel.reporter(), 1, [](Payload& p) { p = {here(), 7}; });
  const int line = __LINE__ - 1;
  const auto record = channel.take();
  REQUIRE(record.has_value());
  CHECK(std::string(record->payload.where.file) == "test_payload.cpp");
  CHECK(record->payload.where.line == line);
  CHECK(record->payload.value == 7);
  constexpr Place far = here("/a/b\\c/0123456789012345678901234567890.cu", 3);
  CHECK(std::string(far.file) == "789012345678901234567890.cu");
  CHECK(std::string(here("plain.cpp", 1).file) == "plain.cpp");
}

TEST_CASE("a raise waits for an old winner that is in the middle of its payload, and replaces it") {
  HostChannel<Redundant> channel;
  const Reporter<Redundant> old = channel.reporter();
  std::atomic<bool> writing = false, go_on = false, raised = false;
  std::thread straggler([&] {
    report_first_error(old, [&](Redundant& p) {
      p.write(1, 1, false);
      writing = true;
      while (!go_on) std::this_thread::yield();
      p.write(1, 1, false);
    });
  });
  while (!writing) std::this_thread::yield();
  CHECK_FALSE(channel.poll());
  channel.next_epoch();
  std::thread newer([&, now = channel.reporter()] {
    report_first_error(now, [](Redundant& p) { p.write(2, 2, false); });
    raised = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK_FALSE(raised);
  CHECK_FALSE(channel.poll());
  go_on = true;
  straggler.join();
  newer.join();
  const auto record = channel.take();
  REQUIRE(record.has_value());
  CHECK(record->epoch == 2);
  CHECK(record->payload.whole(2));
}

TEST_CASE("a winner held up between its swap and its payload finds a newer one there, and leaves") {
  HostChannel<Redundant> channel;
  int hidden = 0;
  for (int n = 0; n < 200; ++n) {
    const Reporter<Redundant> old = channel.reporter();
    channel.next_epoch();
    const Reporter<Redundant> now = channel.reporter();
    std::atomic_ref word(now.near->word);
    std::atomic_ref publishing(now.near->publishing);
    publishing = 1;  // lets no raiser beyond the swap
    const auto winner = [&](const Reporter<Redundant>& reporter) {
      std::thread thread([&reporter] {
        report_first_error(reporter, [&](Redundant& p) { p.write(epoch_of(reporter.tag), 1, false); });
      });
      while (word != reporter.tag) std::this_thread::yield();
      return thread;
    };
    std::thread first = winner(old), second = winner(now);
    publishing = 0;  // either may come first
    first.join();
    second.join();
    const auto record = channel.take();
    hidden += !record || record->epoch != epoch_of(now.tag) || !record->payload.whole(record->epoch);
  }
  CHECK(hidden == 0);
}

TEST_CASE("a host that looks once after a raise has returned sees it, whatever old winners do") {
  HostChannel<Redundant> channel;
  constexpr int cycles = 3000, threads = 3;
  std::barrier gate(threads + 1);
  std::vector<Reporter<Redundant>> held(threads);
  std::vector<std::thread> stragglers;
  for (int t = 0; t < threads; ++t)
    stragglers.emplace_back([&, t] {
      for (int n = 0; n < cycles; ++n) {
        gate.arrive_and_wait();
        const std::uint64_t epoch = epoch_of(held[t].tag);
        report_first_error(held[t], [&](Redundant& p) { p.write(epoch, t, true); });
        gate.arrive_and_wait();
      }
    });
  int lost = 0, torn = 0;
  for (int n = 0; n < cycles; ++n) {
    for (auto& reporter : held) {
      reporter = channel.reporter();
      channel.next_epoch();
    }
    const std::uint64_t epoch = channel.epoch();
    const Reporter<Redundant> now = channel.reporter();
    gate.arrive_and_wait();
    report_first_error(now, [&](Redundant& p) { p.write(epoch, 63, false); });
    const auto record = channel.take();
    lost += !record || record->epoch != epoch;
    torn += record && !record->payload.whole(record->epoch);
    gate.arrive_and_wait();
    lost += bool(channel.poll());  // a stale raise
  }
  for (std::thread& t : stragglers) t.join();
  CHECK(lost == 0);
  CHECK(torn == 0);
}

TEST_CASE("the host clears while threads go on raising: no error is stale, torn or lost") {
  HostChannel<Redundant> channel;
  constexpr int cycles = 4000, threads = 4;
  std::mutex mutex;  // orders the handing out of a reporter before its use, as a launch does
  Reporter<Redundant> handed_out = channel.reporter();
  std::atomic<bool> stop = false;
  std::vector<std::thread> kernels;
  for (int t = 0; t < threads; ++t)
    kernels.emplace_back([&, t] {
      for (std::uint64_t n = 0; !stop; ++n) {
        Reporter<Redundant> mine;
        {
          const std::lock_guard lock(mutex);
          mine = handed_out;
        }
        if ((n + t) % 3 == 0) std::this_thread::yield();  // the host may be ahead by now
        const std::uint64_t epoch = epoch_of(mine.tag);
        report_first_error(mine, [&](Redundant& p) { p.write(epoch, t, (n + t) % 5 == 0); });
      }
    });
  int stale = 0, torn = 0, lost = 0, hurried = 0;
  const auto patience = std::chrono::seconds(20);
  for (int n = 0; n < cycles; ++n) {
    const std::uint64_t epoch = channel.epoch();
    if (n % 4 == 3) {  // moves on without a look: raises in flight belong to an old epoch
      channel.next_epoch();
      ++hurried;
    } else {
      std::optional<Record<Redundant>> record;
      const auto began = std::chrono::steady_clock::now();
      while (!(record = channel.take()) && std::chrono::steady_clock::now() - began < patience)
        std::this_thread::yield();
      if (!record) {
        ++lost;
        break;
      }
      stale += record->epoch != epoch;
      torn += !record->payload.whole(record->epoch);
    }
    const std::lock_guard lock(mutex);
    handed_out = channel.reporter();
  }
  stop = true;
  for (std::thread& t : kernels) t.join();
  CHECK(hurried == cycles / 4);
  CHECK(stale == 0);
  CHECK(torn == 0);
  CHECK(lost == 0);
}
