// Warnings on host threads: every one is counted, and every sample is either drained or counted as dropped.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "runtime/soft_error/channel.hpp"

using namespace halfstep::soft_error;

namespace {

struct Sample {
  std::uint32_t writer = 0, number = 0, check = 0;
};

}  // namespace

TEST_CASE("warnings are counted by kind, and are no soft errors") {
  HostChannel<> channel;
  const Reporter<> reporter = channel.reporter();
  for (int n = 0; n < 5; ++n) warn(reporter, 2);
  warn(reporter, 15);
  warn(reporter, 16);
  warn(reporter, -1);
  CHECK(channel.counts().warnings[2] == 5);
  CHECK(channel.counts().warnings[15] == 3);
  CHECK(channel.counts().total() == 8);
  CHECK_FALSE(channel.poll());
  channel.next_epoch();
  warn(channel.reporter(), 2);
  CHECK(channel.counts().warnings[2] == 6);  // over the channel's life
}

TEST_CASE("samples come in order, with where they are from, and come once") {
  HostChannel<Sample> channel(keep_samples);
  for (std::uint32_t n = 0; n < 10; ++n)
    warn(channel.reporter(3, 2), 4, [&](Sample& s) { s = {.writer = 1, .number = n}; });
  warn(channel.reporter(), 4);  // leaves no sample
  const auto samples = channel.samples();
  REQUIRE(samples.size() == 10);
  for (std::uint32_t n = 0; n < 10; ++n) {
    CHECK(samples[n].payload.number == n);
    CHECK(samples[n].epoch == 3);
    CHECK(samples[n].stage == 2);
    CHECK(samples[n].kind == 4);
  }
  CHECK(channel.samples().empty());
  CHECK(channel.counts().total() == 11);
}

TEST_CASE("a full ring drops and counts, and takes again once it has been drained") {
  HostChannel<Sample> channel(keep_samples);
  for (int round = 1; round <= 3; ++round) {
    for (std::uint64_t n = 0; n < kSampleSlots + 100; ++n)
      warn(channel.reporter(), 0, [&](Sample& s) { s.number = static_cast<std::uint32_t>(n); });
    const auto samples = channel.samples();
    REQUIRE(samples.size() == kSampleSlots);
    for (std::uint64_t n = 0; n < kSampleSlots; ++n) CHECK(samples[n].payload.number == n);
    CHECK(channel.counts().dropped_samples == 100u * round);
    CHECK(channel.counts().total() == round * (kSampleSlots + 100));
  }
}

TEST_CASE("a channel that was not asked to keep samples keeps none, and counts them as dropped") {
  struct Large {
    char bytes[4096];
  };
  HostChannel<Large> channel;
  for (int n = 0; n < 3; ++n) warn(channel.reporter(), 1, [](Large&) { FAIL("there is nowhere to write"); });
  CHECK(channel.samples().empty());
  CHECK(channel.counts().warnings[1] == 3);
  CHECK(channel.counts().dropped_samples == 3);
  CHECK(sizeof(detail::Shared<Large>) < 2 * sizeof(Large));
}

TEST_CASE("with many writers and a host that drains meanwhile, drained + dropped = sent, and none is torn") {
  HostChannel<Sample> channel(keep_samples);
  constexpr std::uint32_t threads = 4, each = 60000;
  const Reporter<Sample> reporter = channel.reporter();
  std::atomic<std::uint32_t> working = threads;
  std::vector<std::thread> writers;
  for (std::uint32_t t = 0; t < threads; ++t)
    writers.emplace_back([&, t] {
      for (std::uint32_t n = 0; n < each; ++n) {
        warn(reporter, static_cast<int>(t), [&](Sample& s) {
          s.writer = t;
          s.number = n;
          s.check = t * 0x9E3779B9u ^ n;
        });
        if (n % 64 == 0) std::this_thread::yield();
      }
      --working;
    });
  std::vector<std::int64_t> last(threads, -1);
  std::uint64_t drained = 0, torn = 0, out_of_order = 0, went_back = 0;
  Counts before;
  for (bool end = false; !end;) {
    end = working == 0;  // one more look then finds all
    for (const auto& sample : channel.samples()) {
      const Sample& s = sample.payload;
      ++drained;
      if (s.writer >= threads || s.check != (s.writer * 0x9E3779B9u ^ s.number) ||
          sample.kind != static_cast<int>(s.writer)) {
        ++torn;
        continue;
      }
      out_of_order += s.number <= last[s.writer];
      last[s.writer] = s.number;
    }
    const Counts now = channel.counts();
    went_back += now.total() < before.total() || now.dropped_samples < before.dropped_samples;
    before = now;
  }
  for (std::thread& t : writers) t.join();
  const Counts counts = channel.counts();
  INFO("drained " << drained << ", dropped " << counts.dropped_samples);
  CHECK(torn == 0);
  CHECK(out_of_order == 0);
  CHECK(went_back == 0);
  CHECK(counts.total() == threads * each);
  for (std::uint32_t t = 0; t < threads; ++t) CHECK(counts.warnings[t] == each);
  CHECK(drained + counts.dropped_samples == threads * each);
  CHECK(drained > kSampleSlots);  // more than the ring holds
}
