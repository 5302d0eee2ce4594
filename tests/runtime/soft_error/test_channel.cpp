// The channel on host threads: who sees a raise, whom it cancels, and that old raises never count.
#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/soft_error/channel.hpp"
#include "runtime/soft_error/live_reporter.hpp"

using namespace halfstep::soft_error;

namespace {

bool is(const Raise& raise, std::uint64_t epoch, int stage, int kind = 0) {
  return raise.epoch == epoch && raise.stage == stage && raise.kind == kind;
}

}  // namespace

TEST_CASE("tags grow with the epoch, then with the stage") {
  CHECK(make_tag(1, 0) > 0);
  CHECK(make_tag(1, 1, kLastKind) < make_tag(1, 2));
  CHECK(make_tag(1, kLastStage, kLastKind) < make_tag(2, 0));
  const Tag tag = make_tag(123456789012, 3, 200);
  CHECK(epoch_of(tag) == 123456789012);
  CHECK(stage_of(tag) == 3);
  CHECK(kind_of(tag) == 200);
  CHECK(epoch_of(make_tag(kLastEpoch, 1)) == kLastEpoch);
}

TEST_CASE("one raise is seen, with its epoch, stage and kind") {
  HostChannel<> channel;
  channel.next_epoch(7);
  CHECK_FALSE(channel.poll());
  channel.reporter(7, 2).raise(5);
  CHECK(is(channel.poll(), 7, 2, 5));
  raise(channel.reporter(7, 2), 6);  // a second raise changes nothing
  CHECK(is(channel.poll(), 7, 2, 5));
}

TEST_CASE("a stage withdraws its own raise, and no other") {
  HostChannel<> channel;
  channel.next_epoch(7);
  channel.reporter(7, 2).withdraw();  // of nothing
  CHECK_FALSE(channel.poll());
  channel.reporter(7, 2).raise(5);
  channel.reporter(7, 1).withdraw();
  channel.reporter(7, 3).withdraw();
  CHECK(is(channel.poll(), 7, 2, 5));
  channel.reporter(7, 2).withdraw();
  CHECK_FALSE(channel.poll());
  CHECK_FALSE(channel.reporter(7, 3).cancelled());
  channel.reporter(7, 3).raise();
  CHECK(is(channel.poll(), 7, 3));
}

TEST_CASE("what was abandoned stays cancelled when a later stage withdraws its raise") {
  HostChannel<> channel;
  const Reporter<> abandoned = channel.reporter(2, 1);
  SUBCASE("by an error") { channel.reporter(1, 1).raise(); }
  SUBCASE("without one") { detail::cancel_later(channel.reporter(1, 1)); }
  channel.next_epoch(3);
  const Reporter<> now = channel.reporter(3, 1), next = channel.reporter(4, 1);
  now.raise();
  now.withdraw();
  CHECK(abandoned.cancelled());
  CHECK(abandoned.was_cancelled());
  for (const Reporter<>& wanted : {now, next}) {
    CHECK_FALSE(wanted.cancelled());
    CHECK_FALSE(wanted.raised());
  }
  abandoned.raise(9);
  CHECK_FALSE(channel.poll());
  next.raise(7);
  CHECK(is(channel.poll(), 4, 1, 7));
}

TEST_CASE("a raise cancels later stages and epochs, not its own stage and not earlier ones") {
  HostChannel<> channel;
  channel.next_epoch(4);
  for (int stage = 1; stage <= 3; ++stage) CHECK_FALSE(channel.reporter(4, stage).cancelled());
  channel.reporter(4, 2).raise(kLastKind);
  CHECK_FALSE(channel.reporter(4, 1).cancelled());
  CHECK_FALSE(channel.reporter(4, 2).cancelled());
  CHECK(channel.reporter(4, 3).cancelled());
  CHECK(channel.reporter(5, 1).cancelled());  // queued ahead, before the host has looked
  CHECK_FALSE(channel.reporter(4, 2).was_cancelled());
  CHECK(channel.reporter(4, 3).was_cancelled());
}

TEST_CASE("a stage can ask whether it or a later one has raised") {
  HostChannel<> channel;
  CHECK_FALSE(channel.reporter(1, 0).raised());
  channel.reporter(1, 2).raise();
  CHECK(channel.reporter(1, 0).raised());
  CHECK(channel.reporter(1, 2).raised());
  CHECK_FALSE(channel.reporter(1, 3).raised());
  CHECK_FALSE(channel.reporter(2, 0).raised());
}

TEST_CASE("a reporter whose epoch is over stops where a later one has raised") {
  HostChannel<> channel;
  const Reporter<> old = channel.reporter(1, 2);
  channel.next_epoch(2);
  CHECK_FALSE(old.cancelled());
  channel.reporter(2, 1).raise();
  CHECK(old.cancelled());
  CHECK(old.raised());
}

TEST_CASE("stage 0 with kind 0, the least tag of an epoch, is a raise like any other") {
  HostChannel<> channel;
  const Reporter<> least = channel.reporter(1, 0);
  least.raise(0);
  CHECK(is(channel.poll(), 1, 0, 0));
  CHECK(least.raised());
  CHECK(channel.reporter(1, 1).cancelled());
  least.raise(5);
  CHECK(is(channel.take().value(), 1, 0, 0));
}

TEST_CASE("later epochs can be cancelled without an error for the host to see") {
  HostChannel<> channel;
  detail::cancel_later(channel.reporter(1, 1));
  CHECK_FALSE(channel.reporter(1, 2).cancelled());
  CHECK(channel.reporter(2, 1).cancelled());
  CHECK_FALSE(channel.poll());
  channel.next_epoch(3);
  CHECK_FALSE(channel.reporter(3, 1).cancelled());
  channel.reporter(3, 1).raise();
  CHECK(is(channel.poll(), 3, 1));
}

TEST_CASE("the first stage that raised is the one reported") {
  HostChannel<> channel;
  channel.reporter(1, 1).raise();
  channel.reporter(1, 3).raise();
  CHECK(is(channel.poll(), 1, 1));
}

TEST_CASE("the next epoch makes an old raise one that has been dealt with") {
  HostChannel<> channel;
  channel.reporter(1, 2).raise();
  CHECK(channel.poll());
  channel.next_epoch(2);
  CHECK_FALSE(channel.poll());
  const Reporter<> second = channel.reporter(2, 1);
  CHECK_FALSE(second.cancelled());
  CHECK_FALSE(channel.reporter(2, 3).cancelled());
  second.raise();
  CHECK(is(channel.poll(), 2, 1));
}

TEST_CASE("a channel that counts for itself moves on when the error is taken") {
  HostChannel<> channel;
  CHECK_FALSE(channel.take().has_value());
  CHECK(channel.epoch() == 1);
  for (std::uint64_t epoch = 1; epoch <= 5; ++epoch) {
    channel.reporter().raise(3);
    const auto record = channel.take();
    REQUIRE(record.has_value());
    CHECK(is(*record, epoch, 1, 3));
    CHECK_FALSE(channel.poll());
    CHECK_FALSE(channel.take().has_value());
    CHECK(channel.epoch() == epoch + 1);
  }
}

TEST_CASE("an epoch queued ahead can be taken, and those before it are over with it") {
  HostChannel<> channel;
  const Reporter<> first = channel.reporter(1, 1);
  channel.reporter(3, 1).raise();
  CHECK(is(channel.take().value(), 3, 1));
  CHECK(channel.epoch() == 4);
  first.raise();
  CHECK_FALSE(channel.poll());
}

TEST_CASE("epochs never go back") {
  HostChannel<> channel;
  channel.next_epoch(9);
  CHECK_NOTHROW(channel.next_epoch(9));
  CHECK_THROWS_AS(channel.next_epoch(8), std::invalid_argument);
  CHECK_THROWS_AS(channel.next_epoch(kLastEpoch + 1), std::invalid_argument);
  CHECK_THROWS_AS(channel.reporter(8, 1), std::invalid_argument);
  CHECK_THROWS_AS(channel.reporter(9, -1), std::invalid_argument);
  CHECK_THROWS_AS(channel.reporter(9, kLastStage + 1), std::invalid_argument);
  CHECK_NOTHROW(channel.reporter(9, kLastStage));
}

TEST_CASE("a live reporter is of the present epoch, and its stage is checked") {
  for (const int stage : {-1, kLastStage + 1, 300})
    CHECK_THROWS_AS(LiveReporter<>(nullptr, nullptr, stage), std::invalid_argument);
  detail::Near near;
  detail::Shared<void> shared;
  const LiveReporter<> live(&near, &shared, kLastStage);
  for (const std::uint64_t epoch : {1, 7}) {
    near.live_epoch = epoch;
    CHECK(live.now().tag == make_tag(epoch, kLastStage));
    CHECK(live.now().since == make_tag(epoch, 0));
  }
}

TEST_CASE("what was handed out before take() raises nothing that a host would see, also for epochs ahead") {
  HostChannel<> channel;
  const Reporter<> same = channel.reporter(1, 2), ahead = channel.reporter(2, 1);
  channel.reporter(1, 1).raise();
  CHECK(is(channel.take().value(), 1, 1));
  same.raise();
  ahead.raise();
  CHECK(ahead.cancelled());
  CHECK_FALSE(channel.poll());
  channel.reporter(2, 1).raise();
  CHECK(is(channel.poll(), 2, 1));
}

TEST_CASE("threads that only watch may poll while another takes") {
  HostChannel<> channel;
  constexpr std::uint64_t last = 20'000;
  std::uint64_t wrong = 0, wrongly_seen = 0, seen = 0;
  std::thread watcher([&] {
    for (std::uint64_t before = 0; before < last;)
      if (const Raise raise = channel.poll()) {
        wrongly_seen += raise.epoch < before || raise.kind != static_cast<int>(raise.epoch % 200);
        seen += raise.epoch > before;
        before = raise.epoch;
      }
  });
  for (std::uint64_t epoch = 1; epoch < last; ++epoch) {
    channel.reporter().raise(static_cast<int>(epoch % 200));
    wrong += channel.take().value().epoch != epoch;
  }
  channel.reporter().raise(static_cast<int>(last % 200));
  watcher.join();
  CHECK(wrong == 0);
  CHECK(wrongly_seen == 0);
  CHECK(seen >= 1);
}

TEST_CASE("a late raise of an old epoch is no error, and hides none") {
  HostChannel<> channel;
  const Reporter<> old = channel.reporter(1, 1);
  channel.next_epoch(2);
  const Reporter<> now = channel.reporter(2, 2);
  old.raise();
  CHECK_FALSE(channel.poll());
  CHECK_FALSE(now.cancelled());
  now.raise();
  CHECK(is(channel.poll(), 2, 2));
  old.raise();
  CHECK(is(channel.poll(), 2, 2));
}

TEST_CASE("a channel moves with its reporters, and several live side by side") {
  HostChannel<> first, second;
  const Reporter<> reporter = first.reporter();
  HostChannel<> moved = std::move(first);
  reporter.raise(4);
  CHECK(is(moved.poll(), 1, 1, 4));
  CHECK_FALSE(second.poll());
  second = std::move(moved);
  CHECK(is(second.poll(), 1, 1, 4));
}

TEST_CASE("many threads that raise at once publish exactly one whole tag") {
  HostChannel<> channel;
  constexpr int threads = 4, cycles = 3000;
  std::barrier gate(threads + 1);
  std::vector<std::thread> raisers;
  for (int t = 0; t < threads; ++t)
    raisers.emplace_back([&, t] {
      for (int epoch = 1; epoch <= cycles; ++epoch) {
        gate.arrive_and_wait();
        channel.reporter(epoch, 1 + t % 3).raise(7);
        gate.arrive_and_wait();
      }
    });
  int wrong = 0, changed = 0, stale = 0;
  for (int epoch = 1; epoch <= cycles; ++epoch) {
    channel.next_epoch(epoch);
    stale += bool(channel.poll());
    gate.arrive_and_wait();
    Raise first;
    while (!first) first = channel.poll();
    wrong += first.epoch != std::uint64_t(epoch) || first.stage < 1 || first.stage > 3 || first.kind != 7;
    gate.arrive_and_wait();
    changed += !is(channel.poll(), first.epoch, first.stage, first.kind);
  }
  for (std::thread& t : raisers) t.join();
  CHECK(wrong == 0);
  CHECK(changed == 0);
  CHECK(stale == 0);
}
