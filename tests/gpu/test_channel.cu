// Tests the soft-error channel on a device: no stale error, no torn payload and no lost first error while
// kernels of several streams are in flight and the host moves on. HALFSTEP_CYCLES shortens the races, for a
// sanitizer.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/soft_error/soft_error.hpp"
#include "tests/gpu/device_main.hpp"

using namespace halfstep;
using namespace halfstep::soft_error;

namespace {

constexpr int kCycles = 5000;
constexpr int kStreams = 4;

int cycles() {
  const char* wanted = std::getenv("HALFSTEP_CYCLES");
  return wanted != nullptr ? std::atoi(wanted) : kCycles;
}

/// A payload whose words are redundant, so that a mixture of two payloads shows.
struct Redundant {
  static constexpr int words = 29;
  std::uint64_t epoch = 0, writer = 0;
  std::uint64_t word[words] = {};

  HALFSTEP_HD static std::uint64_t expected(std::uint64_t epoch, std::uint64_t writer, int n) {
    return (epoch * 0x9E3779B97F4A7C15u + writer) ^ static_cast<std::uint64_t>(n);
  }
  __device__ void write(std::uint64_t of_epoch, std::uint64_t by, bool slowly) {
    epoch = of_epoch;
    for (int n = 0; n < words; ++n) {
      word[n] = expected(of_epoch, by, n);
      if (slowly) __nanosleep(200);
    }
    writer = by;
  }
  bool whole() const {
    for (int n = 0; n < words; ++n)
      if (word[n] != expected(epoch, writer, n)) return false;
    return true;
  }
};

__device__ unsigned global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ void idle(long long clocks) {
  const long long end = clock64() + clocks;
  while (clock64() < end) {
  }
}

/// Raises from the threads whose number is `rest` modulo `divisor`; blocks arrive at different times.
__global__ void fail(Reporter<Redundant> reporter, unsigned divisor, unsigned rest, int clocks, bool slowly) {
  const unsigned thread = global_thread();
  idle(static_cast<long long>(clocks) * (blockIdx.x % 3));
  if (thread % divisor != rest) return;
  report_first_error(
      reporter, [&](Redundant& p) { p.write(epoch_of(reporter.tag), thread, slowly); },
      static_cast<int>(thread % 7));
}

__global__ void fail_live(LiveReporter<Redundant> live) {
  const Reporter<Redundant> reporter = live.now();
  report_first_error(reporter,
                     [&](Redundant& p) { p.write(epoch_of(reporter.tag), global_thread(), false); });
}

struct Placed {
  Place where;
};

constexpr int kLineOfFailHere = __LINE__ + 2;
__global__ void fail_here(Reporter<Placed> reporter) {
  report_first_error(reporter, 5, [](Placed& p) { p.where = here(); });
}

/// Raises from all threads, with different reporters in the lanes of every warp.
__global__ void fail_in_turn(Reporter<Redundant> even, Reporter<Redundant> odd) {
  const Reporter<Redundant>& mine = threadIdx.x % 2 == 0 ? even : odd;
  report_first_error(mine,
                     [&](Redundant& p) { p.write(epoch_of(mine.tag), global_thread(), threadIdx.x < 64); });
}

__global__ void note_if_cancelled(Reporter<> reporter, int* cancelled) {
  if (reporter.cancelled()) atomicAdd(cancelled, 1);
}

__global__ void raise_kind(Reporter<> reporter, int kind) { reporter.raise(kind); }

/// Warns and raises, then runs until the host releases it.
__global__ void stay(Reporter<Redundant> reporter, volatile int* leave) {
  warn(reporter, 3);
  reporter.raise(9);
  while (*leave == 0) __nanosleep(1000);
}

__global__ void warn_often(Reporter<Redundant> reporter, int times, int stream) {
  for (int n = 0; n < times; ++n)
    warn(reporter, stream,
         [&](Redundant& p) { p.write(static_cast<std::uint64_t>(stream), global_thread(), false); });
}

/// Polls until there is an error and takes it; after 20 s it counts as lost.
template <class Channel>
auto wait_for(Channel& channel) {
  const auto began = std::chrono::steady_clock::now();
  while (!channel.poll() && std::chrono::steady_clock::now() - began < std::chrono::seconds(20)) {
  }
  return channel.take();
}

}  // namespace

TEST_CASE("every thread of many warps fails: one payload, whole, by one that failed") {
  DeviceChannel<Redundant> channel;
  int wrong = 0;
  for (unsigned divisor = 1; divisor <= 64; ++divisor) {
    const unsigned rest = divisor / 2;
    fail<<<256, 256>>>(channel.reporter(divisor, 2), divisor, rest, 0, false);
    HALFSTEP_CUDA_LAUNCHED("fail");
    HALFSTEP_CUDA(cudaDeviceSynchronize());
    const auto record = channel.take();
    REQUIRE(record.has_value());
    const Redundant& p = record->payload;
    wrong += record->epoch != divisor || record->stage != 2 || record->kind != int(p.writer % 7);
    wrong += !p.whole() || p.epoch != divisor || p.writer % divisor != rest;
  }
  CHECK(wrong == 0);
}

TEST_CASE("a raise cancels the kernels of later stages and epochs, not its own") {
  DeviceChannel<> channel;
  PinnedValue<int> cancelled;
  const auto count = [&](const Reporter<>& reporter) {
    *cancelled.host() = 0;
    note_if_cancelled<<<1, 1>>>(reporter, cancelled.device());
    HALFSTEP_CUDA_LAUNCHED("note_if_cancelled");
    HALFSTEP_CUDA(cudaDeviceSynchronize());
    return *cancelled.host();
  };
  raise_kind<<<64, 64>>>(channel.reporter(1, 2), 200);
  CHECK(count(channel.reporter(1, 1)) == 0);
  CHECK(count(channel.reporter(1, 2)) == 0);
  CHECK(count(channel.reporter(1, 3)) == 1);
  CHECK(count(channel.reporter(2, 1)) == 1);
  const auto record = channel.take();
  REQUIRE(record.has_value());
  CHECK(record->epoch == 1);
  CHECK(record->stage == 2);
  CHECK(record->kind == 200);
  CHECK(count(channel.reporter(2, 3)) == 0);
}

TEST_CASE("lanes of one warp that hold reporters of two channels, or of two epochs, lose nothing") {
  DeviceChannel<Redundant> first, second;
  int wrong = 0;
  const int rounds = cycles() / 10 + 1;
  for (int n = 0; n < rounds; ++n) {
    fail_in_turn<<<8, 128>>>(first.reporter(), second.reporter());
    const Reporter<Redundant> old = first.reporter();
    HALFSTEP_CUDA(cudaDeviceSynchronize());
    const auto of_first = first.take(), of_second = second.take();
    wrong += !of_first || !of_first->payload.whole() || of_first->payload.writer % 2 != 0;
    wrong += !of_second || !of_second->payload.whole() || of_second->payload.writer % 2 != 1;

    const Reporter<Redundant> over = first.reporter();
    first.next_epoch();
    fail_in_turn<<<8, 128>>>(over, first.reporter());
    fail_in_turn<<<8, 128>>>(old, over);
    HALFSTEP_CUDA(cudaDeviceSynchronize());
    const auto of_now = first.take();
    wrong += !of_now || !of_now->payload.whole() || of_now->payload.writer % 2 != 1;
  }
  HALFSTEP_CUDA_LAUNCHED("fail_in_turn");
  CHECK(wrong == 0);
}

TEST_CASE("the host moves on while kernels of several streams are in flight: nothing stale, torn or lost") {
  DeviceChannel<Redundant> channel;
  Stream streams[kStreams];
  int stale = 0, torn = 0, lost = 0, seen = 0, deserted = 0;
  unsigned random = 12345;
  const auto draw = [&](unsigned below) {
    return (random = random * 1664525u + 1013904223u) / 65536u % below;
  };
  const auto launch = [&](int stream) {
    const unsigned divisor = 1 + draw(32);  // so that at least one thread of a warp fails
    fail<<<1 + draw(24), 32 * (1 + draw(8)), 0, streams[stream]>>>(
        channel.reporter(), divisor, draw(divisor), static_cast<int>(draw(4) * 4000), draw(3) == 0);
    HALFSTEP_CUDA_LAUNCHED("fail");
  };
  const auto judge = [&](const std::optional<Record<Redundant>>& record, std::uint64_t epoch) {
    lost += !record;
    if (!record) return;
    ++seen;
    stale += record->epoch != epoch;
    torn += !record->payload.whole() || record->payload.epoch != record->epoch;
  };
  const int all = cycles();
  for (int n = 0; n < all && lost == 0; ++n) {
    const std::uint64_t epoch = channel.epoch();
    stale += bool(channel.poll());  // nothing of this epoch has been launched
    const int stream = static_cast<int>(draw(kStreams));
    switch (draw(4)) {
      case 0:  // polls until there is an error
        for (int s = 0; s < kStreams; ++s) launch(s);
        judge(wait_for(channel), epoch);
        break;
      case 1:  // waits for one stream, then polls once
        launch(stream);
        streams[stream].synchronize();
        judge(channel.take(), epoch);
        break;
      case 2:  // moves on without polling
        for (int s = 0; s < kStreams; ++s) launch(s);
        channel.next_epoch();
        ++deserted;
        break;
      case 3:  // an epoch without an error, concurrent with old winners
        fail<<<4, 64, 0, streams[stream]>>>(channel.reporter(), 1, 1, 1000, false);
        HALFSTEP_CUDA_LAUNCHED("fail");
        if (draw(2) == 0) streams[stream].synchronize();
        stale += bool(channel.poll());
        channel.next_epoch();
        break;
    }
  }
  HALFSTEP_CUDA(cudaDeviceSynchronize());
  stale += bool(channel.poll());
  std::printf("races: %d epochs, %d errors taken, %d left behind\n", all, seen, deserted);
  CHECK(stale == 0);
  CHECK(torn == 0);
  CHECK(lost == 0);
  CHECK(seen > all / 4);
}

TEST_CASE("error and warnings can be read while the kernel runs") {
  DeviceChannel<Redundant> channel;
  PinnedValue<int> leave;
  Stream stream;
  stay<<<2, 64, 0, stream>>>(channel.reporter(), leave.device());
  HALFSTEP_CUDA_LAUNCHED("stay");
  const auto record = wait_for(channel);
  const Counts counts = channel.counts();
  const bool runs = cudaStreamQuery(stream) == cudaErrorNotReady;
  *static_cast<volatile int*>(leave.host()) = 1;
  stream.synchronize();
  CHECK(runs);
  REQUIRE(record.has_value());
  CHECK(record->kind == 9);
  CHECK(record->payload.writer == 0);  // the default: it was raised without a payload
  CHECK(counts.total() <= 128);
  CHECK(channel.counts().warnings[3] == 128);
}

TEST_CASE("a channel that was not asked to keep samples counts them as dropped") {
  DeviceChannel<Redundant> channel;
  warn_often<<<2, 64>>>(channel.reporter(), 3, 5);
  HALFSTEP_CUDA_LAUNCHED("warn_often");
  HALFSTEP_CUDA(cudaDeviceSynchronize());
  CHECK(channel.samples().empty());
  CHECK(channel.counts().warnings[5] == 2 * 64 * 3);
  CHECK(channel.counts().dropped_samples == 2 * 64 * 3);
}

TEST_CASE("warnings of several streams: drained + dropped = sent, and no sample is torn") {
  DeviceChannel<Redundant> channel(keep_samples);
  Stream streams[kStreams];
  constexpr int blocks = 8, threads = 96, times = 3;
  const int rounds = cycles() / 50 + 1;
  std::uint64_t drained = 0, torn = 0, went_back = 0;
  Counts before;
  const auto drain = [&] {
    for (const auto& sample : channel.samples()) {
      ++drained;
      torn += !sample.payload.whole() || sample.payload.epoch != std::uint64_t(sample.kind);
    }
    const Counts now = channel.counts();
    went_back += now.total() < before.total() || now.dropped_samples < before.dropped_samples;
    before = now;
  };
  for (int n = 0; n < rounds; ++n) {
    for (int s = 0; s < kStreams; ++s) {
      warn_often<<<blocks, threads, 0, streams[s]>>>(channel.reporter(), times, s);
      HALFSTEP_CUDA_LAUNCHED("warn_often");
    }
    drain();
  }
  HALFSTEP_CUDA(cudaDeviceSynchronize());
  drain();
  const std::uint64_t each = std::uint64_t{blocks} * threads * times * rounds;
  const Counts counts = channel.counts();
  std::printf("warnings: %llu sent, %llu drained, %llu dropped\n",
              static_cast<unsigned long long>(kStreams * each), static_cast<unsigned long long>(drained),
              static_cast<unsigned long long>(counts.dropped_samples));
  CHECK(torn == 0);
  CHECK(went_back == 0);
  for (int s = 0; s < kStreams; ++s) CHECK(counts.warnings[s] == each);
  CHECK(counts.total() == kStreams * each);
  CHECK(drained + counts.dropped_samples == kStreams * each);
  CHECK(drained >= kSampleSlots);
  // The emptied ring accepts as many samples as it holds.
  const std::uint64_t dropped = counts.dropped_samples;
  warn_often<<<1, kSampleSlots>>>(channel.reporter(), 1, 5);
  HALFSTEP_CUDA_LAUNCHED("warn_often");
  HALFSTEP_CUDA(cudaDeviceSynchronize());
  CHECK(channel.samples().size() == kSampleSlots);
  CHECK(channel.counts().dropped_samples == dropped);
}

TEST_CASE("a live reporter in a CUDA graph follows next_epoch(stream)") {
  DeviceChannel<Redundant> channel;
  Stream stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  HALFSTEP_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  fail_live<<<16, 64, 0, stream>>>(channel.live_reporter());
  HALFSTEP_CUDA_LAUNCHED("fail_live");
  HALFSTEP_CUDA(cudaStreamEndCapture(stream, &graph));
  HALFSTEP_CUDA(cudaGraphInstantiate(&replay, graph, 0));
  int stale = 0, torn = 0, lost = 0;
  const int rounds = cycles() / 5 + 1;
  for (int n = 0; n < rounds && lost == 0; ++n) {
    const std::uint64_t epoch = channel.epoch();
    for (int launches = 0; launches <= n % 3; ++launches) HALFSTEP_CUDA(cudaGraphLaunch(replay, stream));
    if (n % 4 != 3) {  // otherwise moves on while they are in flight
      const auto record = wait_for(channel);
      lost += !record;
      stale += record && record->epoch != epoch;
      torn += record && !record->payload.whole();
    }
    channel.next_epoch(stream);
    stale += bool(channel.poll());
  }
  stream.synchronize();
  stale += bool(channel.poll());
  HALFSTEP_CUDA(cudaGraphExecDestroy(replay));
  HALFSTEP_CUDA(cudaGraphDestroy(graph));
  CHECK(stale == 0);
  CHECK(torn == 0);
  CHECK(lost == 0);
}

TEST_CASE("a live reporter raises again after take(stream), and its stage is checked") {
  DeviceChannel<Redundant> channel;
  Stream stream;
  for (const int stage : {-1, 256, 300}) CHECK_THROWS_AS(channel.live_reporter(stage), std::invalid_argument);
  int lost = 0, torn = 0;
  for (int n = 0; n < 100; ++n) {
    const std::uint64_t epoch = channel.epoch();
    fail_live<<<16, 64, 0, stream>>>(channel.live_reporter(kLastStage));
    HALFSTEP_CUDA_LAUNCHED("fail_live");
    stream.synchronize();
    const auto record = channel.take(stream);
    lost += !record || record->epoch != epoch || record->stage != kLastStage;
    torn += record && !record->payload.whole();
  }
  CHECK(lost == 0);
  CHECK(torn == 0);
  CHECK_FALSE(channel.take(stream).has_value());
  CHECK(channel.epoch() == 101);
}

TEST_CASE("an epoch cannot be begun on a stream that captures a graph") {
  DeviceChannel<Redundant> channel;
  Stream stream;
  cudaGraph_t graph = nullptr;
  HALFSTEP_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  CHECK_THROWS_AS(channel.next_epoch(stream), std::logic_error);
  CHECK_THROWS_AS(channel.take(stream), std::logic_error);
  HALFSTEP_CUDA(cudaStreamEndCapture(stream, &graph));
  HALFSTEP_CUDA(cudaGraphDestroy(graph));
  CHECK(channel.epoch() == 1);
  channel.next_epoch(stream);
  CHECK(channel.epoch() == 2);
}

TEST_CASE("a payload says where in the source it is from") {
  DeviceChannel<Placed> channel;
  fail_here<<<4, 64>>>(channel.reporter());
  HALFSTEP_CUDA_LAUNCHED("fail_here");
  HALFSTEP_CUDA(cudaDeviceSynchronize());
  const auto record = channel.take();
  REQUIRE(record.has_value());
  CHECK(record->kind == 5);
  CHECK(std::string(record->payload.where.file) == "test_channel.cu");
  CHECK(record->payload.where.line == kLineOfFailHere);
}

TEST_CASE("a channel moves with its memory, and a poll that finds nothing costs next to nothing") {
  DeviceChannel<Redundant> made;
  const Reporter<Redundant> reporter = made.reporter();
  DeviceChannel<Redundant> channel = std::move(made);
  constexpr int polls = 20'000'000;
  int found = 0;
  const auto began = std::chrono::steady_clock::now();
  for (int n = 0; n < polls; ++n) found += bool(channel.poll());
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - began;
  std::printf("idle poll: %.2f ns\n", took.count() / polls);
  CHECK(found == 0);
  CHECK(took.count() / polls < 20);
  fail<<<1, 32>>>(reporter, 1, 0, 0, false);
  HALFSTEP_CUDA_LAUNCHED("fail");
  CHECK(wait_for(channel).has_value());
}

int main(int argc, char** argv) { return halfstep::run_on_device(argc, argv, "the channel was not tested"); }
