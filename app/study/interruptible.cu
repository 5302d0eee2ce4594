#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/study/interruptible.hpp"
#include "physics/solver.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/interruptible/device_tile_queue.hpp"
#include "runtime/interruptible/launcher.hpp"

namespace halfstep {
namespace {

using namespace interruptible;

constexpr int kRounds = 31;
constexpr int kBlock = 256;
constexpr int kFmas = 32;  // of an iteration, each waiting for the one before
constexpr int kIterations = 8192;
constexpr int kTiles = 100'000;
constexpr int kIterationsOfTile = 16;

struct Chain {
  float factor = 0.999f, summand = 0.5f;
};

HALFSTEP_HD float iteration(float x, const Chain& chain) {
  for (int n = 0; n < kFmas; ++n) x = x * chain.factor + chain.summand;
  return x;
}

struct Link : Resumable {
  int iteration = 0;
  float x = 0;
};

/// A safe point every so many iterations; 0 = none.
template <int every>
HALFSTEP_HD void run_chain(const Chain& chain, Link& my, SafePoints& safe_points) {
  while (my.iteration < kIterations) {
    my.x = iteration(my.x, chain);
    ++my.iteration;
    if constexpr (every > 0)
      if (my.iteration % every == 0 && safe_points.due()) return;
  }
  my.finish();
}

/// The same as an ordinary kernel.
__global__ void plain_chain(const __grid_constant__ Chain chain, Link* links) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  float x = links[thread].x;
  for (int n = 0; n < kIterations; ++n) x = iteration(x, chain);
  links[thread].x = x;
}

/// A tile a block: by the queue's word, or by the block's number.
__global__ void tile_kernel(const __grid_constant__ Chain chain, TileQueueView queue, float* results) {
  __shared__ std::int64_t tile;
  if (threadIdx.x == 0) tile = queue.active() ? queue.take() : static_cast<std::int64_t>(blockIdx.x);
  __syncthreads();
  if (tile < 0) return;
  float x = 0;
  for (int n = 0; n < kIterationsOfTile; ++n) x = iteration(x, chain);
  results[tile * blockDim.x + threadIdx.x] = x;
}

/// The same without a thought of queues.
__global__ void plain_tile_kernel(const __grid_constant__ Chain chain, float* results) {
  float x = 0;
  for (int n = 0; n < kIterationsOfTile; ++n) x = iteration(x, chain);
  results[static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x] = x;
}

template <class... Values>
std::string text(const char* form, Values... values) {
  char written[200];
  std::snprintf(written, sizeof(written), form, values...);
  return written;
}

struct Variant {
  std::string name;
  std::int64_t checks;  ///< of a thread, or in all by the blocks
  std::int64_t registers;
  std::function<void()> launch;
  std::vector<double> milliseconds = {};
};

template <class Kernel>
std::int64_t registers_of(Kernel* kernel) {
  cudaFuncAttributes attributes;
  HALFSTEP_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  return attributes.numRegs;
}

struct Quartiles {
  double low, median, high;
};
Quartiles quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t last = values.size() - 1;
  return {values[last / 4], values[last / 2], values[last - last / 4]};
}

/// Times the variants in turn, each in a slice of its own; `reset` goes before each.
void time_variants(std::vector<Variant>& variants, DevicePause& pause, cudaStream_t stream,
                   const std::function<void()>& reset) {
  constexpr double far_away = 1e6;  // ms: a budget, so that deadlines are looked at
  Event began, ended;
  for (int round = -2; round < kRounds; ++round)  // those below 0 warm up
    for (Variant& variant : variants) {
      reset();
      pause.begin_slice(stream, far_away);
      began.record(stream);
      variant.launch();
      HALFSTEP_CUDA_LAUNCHED("a kernel of the study");
      ended.record(stream);
      pause.end_slice(stream);
      HALFSTEP_CUDA(cudaStreamSynchronize(stream));
      if (round >= 0) variant.milliseconds.push_back(1e3 * ended.seconds_since(began));
    }
}

/// The first variant is what the others are compared with.
void add_rows(Table& table, const std::vector<Variant>& variants) {
  const double base = quartiles(variants.front().milliseconds).median;
  for (const Variant& variant : variants) {
    const Quartiles time = quartiles(variant.milliseconds);
    const double extra = time.median - base;
    table.rows.push_back({variant.name, variant.checks, variant.registers, time.median,
                          text("%.4g to %.4g", time.low, time.high), text("%+.2f", 100 * extra / base),
                          variant.checks > 0 ? text("%.2f", 1e6 * extra / static_cast<double>(variant.checks))
                                             : std::string("-")});
  }
}

template <int every>
Variant chain_variant(const std::string& name, std::int64_t threads, DeviceBuffer<Link>& links,
                      DevicePause& pause, cudaStream_t stream) {
  constexpr auto* kernel = detail::resumable_kernel<run_chain<every>, Chain, Link>;
  return {name, every > 0 ? kIterations / every : 0, registers_of(kernel), [=, &links, &pause] {
            kernel<<<static_cast<unsigned>(threads / kBlock), kBlock, 0, stream>>>(
                Chain{}, links.get(), threads, pause.view(), detail::last_safe_point({}));
          }};
}

/// Microseconds of wall time of a slice of one tile, waited for.
double microseconds_of_slice(DeviceTileQueue& queue, float* results, cudaStream_t stream) {
  std::vector<double> all;
  queue.start(kTiles);
  for (int n = 0; n < 20 * kRounds; ++n) {
    const auto began = std::chrono::steady_clock::now();
    queue.launch_slice({.interrupts_per_launch = 1}, stream, [&](TileQueueView view, std::int64_t blocks) {
      tile_kernel<<<static_cast<unsigned>(blocks), kBlock, 0, stream>>>(Chain{}, view, results);
    });
    queue.wait(stream);
    all.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count());
  }
  return quartiles(all).median;
}

}  // namespace

Table interruptible_cost() {
  std::string why;
  if (!cuda_available(&why)) throw std::runtime_error("the study interruptible needs a CUDA device: " + why);
  int device = 0;
  cudaDeviceProp properties;
  HALFSTEP_CUDA(cudaGetDevice(&device));
  HALFSTEP_CUDA(cudaGetDeviceProperties(&properties, device));
  const Stream stream;

  // As many threads as fit at once: with more, their waves would hide what a check costs.
  const std::int64_t threads =
      std::int64_t{properties.multiProcessorCount} * properties.maxThreadsPerMultiProcessor / kBlock * kBlock;
  DeviceBuffer<Link> links(static_cast<std::size_t>(threads));
  DevicePause pause;
  std::vector<Variant> chains = {
      {"ordinary kernel", 0, registers_of(plain_chain),
       [&] {
         plain_chain<<<static_cast<unsigned>(threads / kBlock), kBlock, 0, stream>>>(Chain{}, links.get());
       }},
      chain_variant<0>("resumable, no safe point", threads, links, pause, stream),
      chain_variant<256>("a safe point every 256 iterations", threads, links, pause, stream),
      chain_variant<16>("a safe point every 16 iterations", threads, links, pause, stream),
      chain_variant<1>("a safe point every iteration", threads, links, pause, stream)};
  time_variants(chains, pause, stream, [&] {
    HALFSTEP_CUDA(
        cudaMemsetAsync(links.get(), 0, links.count() * sizeof(Link), stream));  // a record at its start
  });

  DeviceBuffer<float> results(std::size_t{kTiles} * kBlock);
  DeviceTileQueue queue;
  const TileQueueView all_tiles{queue.pause().view(), kTiles};
  const auto launch_tiles = [&](TileQueueView view) {
    tile_kernel<<<kTiles, kBlock, 0, stream>>>(Chain{}, view, results.get());
  };
  std::vector<Variant> tiles = {
      {"ordinary kernel, a block a tile", 0, registers_of(plain_tile_kernel),
       [&] { plain_tile_kernel<<<kTiles, kBlock, 0, stream>>>(Chain{}, results.get()); }},
      {"the kernel of a queue, without one", 0, registers_of(tile_kernel), [&] { launch_tiles({}); }},
      {"tiles from a queue", kTiles, registers_of(tile_kernel), [&] { launch_tiles(all_tiles); }}};
  time_variants(tiles, queue.pause(), stream, [&] { queue.start(kTiles); });

  Table table{
      .title = text("What a safe point costs a kernel that is not interrupted, on %s", properties.name),
      .columns = {"kernel", "checks", "registers", "ms", "quartiles", "extra (%)", "ns a check"},
      .rows = {},
      .notes = {
          text("By the thread: %lld threads, all at once, of %d iterations of %d dependent fmas; checks are "
               "those of a thread.",
               static_cast<long long>(threads), kIterations, kFmas),
          text("By the tile: %d tiles of %d threads of %d such iterations and a store; checks are those "
               "of all blocks.",
               kTiles, kBlock, kIterationsOfTile),
          text("Medians of %d launches in turn, by events. Extra: against the ordinary kernel; ns a "
               "check: that, by the check.",
               kRounds),
          text("A slice more, of three launches and a wait, takes %.1f us of wall time.",
               microseconds_of_slice(queue, results.get(), stream))}};
  add_rows(table, chains);
  add_rows(table, tiles);
  return table;
}

}  // namespace halfstep
