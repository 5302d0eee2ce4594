#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cub/device/device_reduce.cuh>
#include <functional>

#include "app/study/atomics.hpp"
#include "runtime/device/histogram.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/device/reduction.hpp"
#include "runtime/device/resident_blocks.hpp"

namespace halfstep::atomics_study {
namespace {

constexpr int kBlock = 256;
constexpr int kWarmUps = 2;

/// Memory that is overwritten before each run to evict its data from the cache.
class ColdCache {
 public:
  ColdCache() {
    int device = 0, bytes = 0;
    HALFSTEP_CUDA(cudaGetDevice(&device));
    HALFSTEP_CUDA(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device));
    memory_ = DeviceBuffer<std::byte>(2 * static_cast<std::size_t>(bytes));
  }
  void sweep(cudaStream_t stream) const {
    HALFSTEP_CUDA(cudaMemsetAsync(memory_.get(), 0, memory_.count(), stream));
  }

 private:
  DeviceBuffer<std::byte> memory_;
};

template <class T>
DeviceBuffer<T> on_device(std::span<const T> values) {
  DeviceBuffer<T> buffer(values.size());
  HALFSTEP_CUDA(cudaMemcpy(buffer.get(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
  return buffer;
}

template <class T>
T fetched(const T* from) {
  T value;
  HALFSTEP_CUDA(cudaMemcpy(&value, from, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

/// Times the trials in turn: prepare(), then `launch` between two events, then finish(trial).
template <class Trial, class Prepare, class Finish>
void time_in_turn(std::vector<Trial>& trials, const std::vector<std::function<void()>>& launches, int runs,
                  cudaStream_t stream, Prepare prepare, Finish finish) {
  const ColdCache cache;
  Event began, ended;
  for (int run = -kWarmUps; run < runs; ++run)
    for (std::size_t n = 0; n < trials.size(); ++n) {
      prepare();
      cache.sweep(stream);  // long enough for the launches to be queued behind it
      began.record(stream);
      launches[n]();
      ended.record(stream);
      HALFSTEP_CUDA(cudaStreamSynchronize(stream));
      if (run < 0) continue;
      trials[n].milliseconds.push_back(1e3 * ended.seconds_since(began));
      finish(trials[n]);
    }
}

// --- the histogram ---

struct BinsOfBytes {
  const uint4* bytes;

  __device__ std::array<int, kBytesAtOnce> operator()(std::int64_t item) const {
    const uint4 loaded = bytes[item];
    const unsigned words[] = {loaded.x, loaded.y, loaded.z, loaded.w};
    std::array<int, kBytesAtOnce> bins;
    for (int n = 0; n < kBytesAtOnce; ++n) bins[n] = words[n / 4] >> (8 * (n % 4)) & 255;
    return bins;
  }
};

__global__ void count_globally(std::int64_t items, const __grid_constant__ BinsOfBytes bins_of,
                               std::uint32_t* counts) {
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t item = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; item < items; item += threads)
    for (const int bin : bins_of(item)) atomicAdd(&counts[bin], 1u);
}

/// Counts bins with one atomic per bin and warp: one lane adds for all lanes with the same bin.
__global__ void count_by_warps(std::int64_t items, const __grid_constant__ BinsOfBytes bins_of,
                               std::uint32_t* counts) {
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  const unsigned lane = threadIdx.x % 32;
  for (std::int64_t item = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; item - lane < items;
       item += threads) {
    const unsigned counting = __ballot_sync(~0u, item < items);
    if (item >= items) break;
    for (const int bin : bins_of(item)) {
      const unsigned alike = __match_any_sync(counting, bin);
      if (lane == __ffs(alike) - 1u) atomicAdd(&counts[bin], static_cast<unsigned>(__popc(alike)));
    }
  }
}

// --- the dot product ---

struct SpinLock {
  int* taken;

  __device__ void lock() const {
    while (atomicCAS(taken, 0, 1) != 0) {
    }
    __threadfence();
  }
  __device__ void unlock() const {
    __threadfence();
    atomicExch(taken, 0);
  }
};

/// Returns the block's part of a . b, in thread 0.
__device__ float dot_of_block(std::int64_t count, const float* a, const float* b) {
  __shared__ float sums[kBlock];
  float sum = 0;
  for (std::int64_t n = std::int64_t{blockIdx.x} * kBlock + threadIdx.x; n < count;
       n += std::int64_t{gridDim.x} * kBlock)
    sum += a[n] * b[n];
  sums[threadIdx.x] = sum;
  for (int half = kBlock / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  return sums[0];
}

__global__ void __launch_bounds__(kBlock)
    dot_with_lock(std::int64_t count, const float* a, const float* b, SpinLock lock, float* result) {
  const float sum = dot_of_block(count, a, b);
  if (threadIdx.x != 0) return;
  lock.lock();
  __stcg(result, __ldcg(result) + sum);  // bypasses the multiprocessor's cache, which may be stale
  lock.unlock();
}

__global__ void __launch_bounds__(kBlock)
    dot_with_atomic(std::int64_t count, const float* a, const float* b, float* result) {
  const float sum = dot_of_block(count, a, b);
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

__global__ void __launch_bounds__(kBlock)
    dot_of_rows(std::int64_t rows, const float* a, const float* b, DotSum* sums) {
  reduce_rows<kBlock>(rows, kRow, sums, [&](DotSum& sum, std::int64_t row, int item) {
    const std::int64_t n = row * kRow + item;
    add_product(sum, a[n], b[n]);
  });
}

__global__ void __launch_bounds__(kRowLanes)
    dot_over_rows(std::int64_t rows, const DotSum* sums, DotSum* lanes) {
  reduce_over_rows(sums, rows, lanes);
}

struct Product {
  const float *a, *b;
  __device__ float operator()(std::int64_t n) const { return a[n] * b[n]; }
};

std::vector<HistogramTrial> time_histograms(std::span<const std::uint8_t> bytes, const Counts& expected,
                                            int runs) {
  const DeviceBuffer<std::uint8_t> memory = on_device(bytes);
  const BinsOfBytes bins_of{reinterpret_cast<const uint4*>(memory.get())};
  const std::int64_t items = static_cast<std::int64_t>(bytes.size()) / kBytesAtOnce;
  const DeviceBuffer<Counts> counts(1);
  std::uint32_t* const words = counts.get()->data();
  const Stream stream;
  const auto blocks = [&](auto* kernel) {
    const std::int64_t all = (items + kBlock - 1) / kBlock;
    return static_cast<unsigned>(std::min(all, resident_blocks(kernel, kBlock)));
  };
  const unsigned global_blocks = blocks(count_globally), warp_blocks = blocks(count_by_warps);
  const Histogrammer<std::uint32_t, BinsOfBytes> histogrammer(kBins);

  std::vector<HistogramTrial> trials;
  for (const char* way : kDeviceHistograms) trials.push_back({way});
  time_in_turn(
      trials,
      {[&] {
         count_globally<<<global_blocks, kBlock, 0, stream>>>(items, bins_of, words);
         HALFSTEP_CUDA_LAUNCHED("count_globally");
       },
       [&] { histogrammer.launch(items, bins_of, words, stream); },
       [&] {
         count_by_warps<<<warp_blocks, kBlock, 0, stream>>>(items, bins_of, words);
         HALFSTEP_CUDA_LAUNCHED("count_by_warps");
       }},
      runs, stream, [&] { HALFSTEP_CUDA(cudaMemsetAsync(words, 0, sizeof(Counts), stream)); },
      [&](HistogramTrial& trial) { trial.wrong += fetched(counts.get()) != expected; });
  return trials;
}

std::vector<DotTrial> time_dots(std::span<const float> a, std::span<const float> b, int runs) {
  const DeviceBuffer<float> a_memory = on_device(a), b_memory = on_device(b);
  const float *const x = a_memory.get(), *const y = b_memory.get();
  const std::int64_t count = static_cast<std::int64_t>(a.size()), rows = count / kRow;
  const DeviceBuffer<DotSum> sums(static_cast<std::size_t>(rows)), lanes(kRowLanes);
  DotSum* const result = lanes.get();  // used by all methods
  const DeviceBuffer<int> taken(1);
  const Stream stream;
  const auto products =
      thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}), Product{x, y});
  std::size_t scratch_bytes = 0;
  HALFSTEP_CUDA(cub::DeviceReduce::Sum(nullptr, scratch_bytes, products, &result->value, count, stream));
  const DeviceBuffer<std::byte> scratch(scratch_bytes);
  const auto blocks = [&](auto* kernel) {
    return static_cast<unsigned>(std::min((count + kBlock - 1) / kBlock, resident_blocks(kernel, kBlock)));
  };
  const unsigned lock_blocks = blocks(dot_with_lock), atomic_blocks = blocks(dot_with_atomic);

  std::vector<DotTrial> trials;
  for (const char* way : kDeviceDots) trials.push_back({way});
  time_in_turn(
      trials,
      {[&] {
         dot_with_lock<<<lock_blocks, kBlock, 0, stream>>>(count, x, y, {taken.get()}, &result->value);
         HALFSTEP_CUDA_LAUNCHED("dot_with_lock");
       },
       [&] {
         dot_with_atomic<<<atomic_blocks, kBlock, 0, stream>>>(count, x, y, &result->value);
         HALFSTEP_CUDA_LAUNCHED("dot_with_atomic");
       },
       [&] {
         dot_of_rows<<<static_cast<unsigned>((row_threads(rows) + kBlock - 1) / kBlock), kBlock, 0, stream>>>(
             rows, x, y, sums.get());
         HALFSTEP_CUDA_LAUNCHED("dot_of_rows");
         dot_over_rows<<<1, kRowLanes, 0, stream>>>(rows, sums.get(), result);
         HALFSTEP_CUDA_LAUNCHED("dot_over_rows");
       },
       [&] {
         std::size_t bytes = scratch.count();
         HALFSTEP_CUDA(cub::DeviceReduce::Sum(scratch.get(), bytes, products, &result->value, count, stream));
       }},
      runs, stream,
      [&] {
        HALFSTEP_CUDA(cudaMemsetAsync(taken.get(), 0, sizeof(int), stream));
        HALFSTEP_CUDA(cudaMemsetAsync(result, 0, sizeof(DotSum), stream));
      },
      [&](DotTrial& trial) { trial.results.push_back(fetched(result).value); });
  return trials;
}

const RegisterDeviceFunction histograms(device_histograms, time_histograms);
const RegisterDeviceFunction dots(device_dots, time_dots);

}  // namespace
}  // namespace halfstep::atomics_study
