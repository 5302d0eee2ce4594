// Measures the memory bandwidth by copying one array to another, both far larger than any cache. It is the
// upper limit for any code that reads and writes as many bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#if defined(__CUDACC__)
#include "memory.hpp"
#else
#include <omp.h>

#include <algorithm>
#include <memory>
#endif

namespace halfstep {

#if defined(__CUDACC__)

namespace detail {
/// The unit that a thread moves at once, as wide as the widest load.
template <class Real>
struct alignas(16) Chunk {
  Real values[16 / sizeof(Real)];
};
inline constexpr int kCopyBlock = 256;
inline constexpr int kChunksAThread = 4;  // all loaded before the first store, for enough loads in flight
}  // namespace detail

template <class Real>
__global__ void __launch_bounds__(detail::kCopyBlock)
    copy_loop(const detail::Chunk<Real>* from, detail::Chunk<Real>* to) {
  const std::int64_t first =
      std::int64_t{blockIdx.x} * (detail::kCopyBlock * detail::kChunksAThread) + threadIdx.x;
  detail::Chunk<Real> held[detail::kChunksAThread];
#pragma unroll
  for (int n = 0; n < detail::kChunksAThread; ++n) held[n] = from[first + n * detail::kCopyBlock];
#pragma unroll
  for (int n = 0; n < detail::kChunksAThread; ++n) to[first + n * detail::kCopyBlock] = held[n];
}

/// Returns the bytes read and written per second on the current device, one value per repeat after one
/// warm-up. The arrays have about `bytes` bytes each.
template <class Real>
std::vector<double> device_copy_rates(std::size_t bytes, int repeats) {
  using Chunk = detail::Chunk<Real>;
  const std::size_t blocks = bytes / (sizeof(Chunk) * detail::kCopyBlock * detail::kChunksAThread);
  const std::size_t chunks = blocks * detail::kCopyBlock * detail::kChunksAThread;
  const DeviceBuffer<Chunk> from(chunks), to(chunks);
  const Stream stream;
  Event began, ended;
  HALFSTEP_CUDA(cudaMemsetAsync(from.get(), 0, chunks * sizeof(Chunk), stream));
  std::vector<double> rates;
  for (int repeat = -1; repeat < repeats; ++repeat) {
    began.record(stream);
    copy_loop<Real><<<static_cast<unsigned>(blocks), detail::kCopyBlock, 0, stream>>>(from.get(), to.get());
    HALFSTEP_CUDA_LAUNCHED("copy_loop");
    ended.record(stream);
    const double seconds = ended.seconds_since(began);
    if (repeat >= 0) rates.push_back(2.0 * static_cast<double>(chunks * sizeof(Chunk)) / seconds);
  }
  return rates;
}

#else

/// Returns the bytes read and written per second by `threads` OpenMP threads, one value per repeat after one
/// warm-up. The arrays have `bytes` bytes each, first touched by the threads that copy them.
template <class Real>
std::vector<double> host_copy_rates(std::size_t bytes, int repeats, int threads) {
  const std::int64_t values = static_cast<std::int64_t>(bytes / sizeof(Real));
  const std::unique_ptr<Real[]> from(new Real[values]), to(new Real[values]);
  const auto share = [&](auto&& work) {
#pragma omp parallel num_threads(threads)
    {
      const std::int64_t thread = omp_get_thread_num(), team = omp_get_num_threads();
      const std::int64_t first = values * thread / team, last = values * (thread + 1) / team;
      work(first, last - first);
    }
  };
  share([&](std::int64_t first, std::int64_t count) {
    std::fill_n(&from[first], count, Real(1));
    std::fill_n(&to[first], count, Real(0));
  });
  std::vector<double> rates;
  for (int repeat = -1; repeat < repeats; ++repeat) {
    const double began = omp_get_wtime();
    share([&](std::int64_t first, std::int64_t count) { std::copy_n(&from[first], count, &to[first]); });
    const double seconds = omp_get_wtime() - began;
    if (repeat >= 0) rates.push_back(2.0 * sizeof(Real) * static_cast<double>(values) / seconds);
  }
  return rates;
}

#endif

}  // namespace halfstep
