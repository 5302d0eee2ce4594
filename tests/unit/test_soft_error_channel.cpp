// The channel on host threads: who sees a raise, whom it cancels, and that old raises never count.
#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <cstdint>
#include <thread>
#include <vector>

#include "runtime/soft_error/channel.hpp"

using namespace halfstep::soft_error;

TEST_CASE("tags grow with the epoch, then with the stage") {
  CHECK(make_tag(1, 0) > 0);
  CHECK(make_tag(1, 1) < make_tag(1, 2));
  CHECK(make_tag(1, 255) < make_tag(2, 0));
  CHECK(epoch_of(make_tag(123456789012, 3)) == 123456789012);
  CHECK(stage_of(make_tag(123456789012, 3)) == 3);
}

TEST_CASE("one raise is seen, with its attempt and stage") {
  HostChannel channel;
  channel.next_epoch(7);
  CHECK(channel.poll() == 0);
  channel.reporter(7, 2).raise();
  CHECK(epoch_of(channel.poll()) == 7);
  CHECK(stage_of(channel.poll()) == 2);
  channel.reporter(7, 2).raise();  // the second changes nothing
  CHECK(channel.poll() == make_tag(7, 2));
}

TEST_CASE("a raise cancels later stages and attempts, not its own stage and not earlier ones") {
  HostChannel channel;
  channel.next_epoch(4);
  for (int stage = 1; stage <= 3; ++stage) CHECK_FALSE(channel.reporter(4, stage).cancelled());
  channel.reporter(4, 2).raise();
  CHECK_FALSE(channel.reporter(4, 1).cancelled());
  CHECK_FALSE(channel.reporter(4, 2).cancelled());
  CHECK(channel.reporter(4, 3).cancelled());
  CHECK(channel.reporter(5, 1).cancelled());  // queued ahead, before the host has looked
}

TEST_CASE("the first stage that raised is the one reported") {
  HostChannel channel;
  channel.next_epoch(1);
  channel.reporter(1, 1).raise();
  channel.reporter(1, 3).raise();
  CHECK(channel.poll() == make_tag(1, 1));
}

TEST_CASE("the next epoch makes an old raise one that has been dealt with") {
  HostChannel channel;
  channel.next_epoch(1);
  channel.reporter(1, 2).raise();
  CHECK(channel.poll() != 0);
  channel.next_epoch(2);
  CHECK(channel.poll() == 0);
  const Reporter second = channel.reporter(2, 1);
  CHECK_FALSE(second.cancelled());
  CHECK_FALSE(channel.reporter(2, 3).cancelled());
  second.raise();
  CHECK(channel.poll() == make_tag(2, 1));
}

TEST_CASE("a late raise of an old attempt is no error, and hides none") {
  HostChannel channel;
  channel.next_epoch(1);
  const Reporter old = channel.reporter(1, 1);
  channel.next_epoch(2);
  const Reporter now = channel.reporter(2, 2);
  old.raise();
  CHECK(channel.poll() == 0);
  CHECK_FALSE(now.cancelled());
  now.raise();
  CHECK(channel.poll() == make_tag(2, 2));
  old.raise();
  CHECK(channel.poll() == make_tag(2, 2));
}

TEST_CASE("many threads that raise at once publish exactly one whole tag") {
  HostChannel channel;
  constexpr int threads = 4, cycles = 3000;
  std::barrier gate(threads + 1);
  std::atomic<bool> torn = false;
  std::vector<std::thread> raisers;
  for (int t = 0; t < threads; ++t)
    raisers.emplace_back([&, t] {
      for (int epoch = 1; epoch <= cycles; ++epoch) {
        gate.arrive_and_wait();
        channel.reporter(epoch, 1 + t % 3).raise();
        // Whoever lost may be back before the winner has published; what is seen is a whole tag of this
        // epoch.
        const Tag seen = channel.poll();
        if (seen != 0 && (epoch_of(seen) != std::uint64_t(epoch) || stage_of(seen) < 1 || stage_of(seen) > 3))
          torn = true;
        gate.arrive_and_wait();
      }
    });
  int changed = 0, missing = 0;
  for (int epoch = 1; epoch <= cycles; ++epoch) {
    channel.next_epoch(epoch);
    missing += channel.poll() != 0;
    gate.arrive_and_wait();
    Tag first = 0;
    while (first == 0) first = channel.poll();
    gate.arrive_and_wait();
    changed += channel.poll() != first;
  }
  for (std::thread& t : raisers) t.join();
  CHECK_FALSE(torn.load());
  CHECK(changed == 0);
  CHECK(missing == 0);
}

TEST_CASE("late raises of old attempts never hide a newer one, in thousands of races") {
  HostChannel channel;
  constexpr int cycles = 4000;
  std::barrier gate(3);
  std::atomic<int> hidden = 0;
  channel.next_epoch(1);
  // Two stragglers hold reporters of the epoch before, as kernels of a rejected attempt do, and raise while
  // the new attempt raises.
  std::vector<Reporter> held(2, channel.reporter(1, 1));
  Reporter current = channel.reporter(1, 1);
  std::vector<std::thread> stragglers;
  for (int t = 0; t < 2; ++t)
    stragglers.emplace_back([&, t] {
      for (int n = 0; n < cycles; ++n) {
        gate.arrive_and_wait();
        held[t].raise();
        gate.arrive_and_wait();
      }
    });
  for (int n = 0; n < cycles; ++n) {
    const std::uint64_t epoch = 2 + 2 * std::uint64_t(n);
    held[0] = channel.reporter(epoch - 2 + (n == 0), 1);  // already dealt with when it raises
    held[1] = channel.reporter(epoch - 1, 3);
    channel.next_epoch(epoch);
    current = channel.reporter(epoch, 2);
    gate.arrive_and_wait();
    current.raise();
    hidden += channel.poll() != make_tag(epoch, 2);
    gate.arrive_and_wait();
    hidden += channel.poll() != make_tag(epoch, 2);
    channel.next_epoch(epoch + 1);
    hidden += channel.poll() != 0;
  }
  for (std::thread& t : stragglers) t.join();
  CHECK(hidden.load() == 0);
}
