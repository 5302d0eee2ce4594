// How fast memory is: one array copied to another, both far larger than any cache. The upper limit of
// whatever has to read and write as many bytes.
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
/// What a thread moves at once: the widest load there is.
template <class Real>
struct alignas(16) Chunk {
  Real values[16 / sizeof(Real)];
};
inline constexpr int kCopyBlock = 256;
inline constexpr int kChunksAThread = 4;  // all read before the first is written: enough of them in flight
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

/// Bytes read and written a second on the present device, a value a repeat after one that warms up; arrays
/// of about `bytes` each.
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

/// Bytes read and written a second by `threads` OpenMP threads, a value a repeat after one that warms up;
/// arrays of `bytes` each, every part of which is first touched by the thread that copies it.
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
