// Measures the arithmetic throughput with chains of x = x a + b that use only registers, enough of them in
// parallel to hide the latency of one. It is the upper limit for any code with as many operations. The
// operations are fused on a device; on the host they are fused where the build contracts a b + c into one
// instruction, which it does unless it is strict.
#pragma once

#include <vector>

#if defined(__CUDACC__)
#include "memory.hpp"
#include "resident_blocks.hpp"
#else
#include <omp.h>
#endif

namespace halfstep {

#if defined(__CUDACC__)

namespace detail {
inline constexpr int kFmaBlock = 256;
inline constexpr int kFmaChains = 8;  // per thread
}  // namespace detail

/// Runs the chains. `never` is written only if a sum is negative, which never happens; without it the
/// compiler would remove the loop.
template <class Real>
__global__ void __launch_bounds__(detail::kFmaBlock) fma_loop(int rounds, Real a, Real b, Real* never) {
  Real x[detail::kFmaChains];
#pragma unroll
  for (int n = 0; n < detail::kFmaChains; ++n) x[n] = Real(threadIdx.x + n);
#pragma unroll 16
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int n = 0; n < detail::kFmaChains; ++n) x[n] = fma(x[n], a, b);
  Real sum = 0;
#pragma unroll
  for (int n = 0; n < detail::kFmaChains; ++n) sum += x[n];
  if (sum < Real(0)) *never = sum;
}

/// Returns the floating-point operations per second on the current device, two for each x a + b; one value
/// per repeat after one warm-up.
template <class Real>
std::vector<double> device_fma_rates(int repeats) {
  constexpr int rounds = 1 << 15;
  const std::int64_t blocks = resident_blocks(fma_loop<Real>, detail::kFmaBlock);
  const DeviceBuffer<Real> never(1);
  const Stream stream;
  Event began, ended;
  std::vector<double> rates;
  for (int repeat = -1; repeat < repeats; ++repeat) {
    began.record(stream);
    fma_loop<Real><<<static_cast<unsigned>(blocks), detail::kFmaBlock, 0, stream>>>(rounds, Real(0.5),
                                                                                    Real(1), never.get());
    HALFSTEP_CUDA_LAUNCHED("fma_loop");
    ended.record(stream);
    const double seconds = ended.seconds_since(began);
    if (repeat >= 0)
      rates.push_back(2.0 * rounds * detail::kFmaChains * detail::kFmaBlock * double(blocks) / seconds);
  }
  return rates;
}

#else

namespace detail {
#if defined(__AVX512F__)
inline constexpr int kVectorBytes = 64;
#elif defined(__AVX__)
inline constexpr int kVectorBytes = 32;
#else
inline constexpr int kVectorBytes = 16;
#endif
inline constexpr int kFmaVectors = 12;  // two per cycle, latency of 4 or 5 cycles, 16 registers

/// Runs the chains and returns a value that keeps the compiler from removing the loop.
template <class Real>
[[gnu::noinline]] Real fma_loop(int rounds, Real a, Real b, Real from) {
  typedef Real Vector __attribute__((vector_size(kVectorBytes)));
  Vector x[kFmaVectors];
  for (int n = 0; n < kFmaVectors; ++n) x[n] = Vector{} + (from + Real(n));
  for (int round = 0; round < rounds; ++round)
    for (int n = 0; n < kFmaVectors; ++n) x[n] = x[n] * a + b;
  Vector sum{};
  for (int n = 0; n < kFmaVectors; ++n) sum += x[n];
  return sum[0];
}
}  // namespace detail

/// Returns the floating-point operations per second of `threads` OpenMP threads, two for each x a + b; one
/// value per repeat after one warm-up.
template <class Real>
std::vector<double> host_fma_rates(int repeats, int threads) {
  constexpr int rounds = 1 << 24;
  constexpr double operations = 2.0 * rounds * detail::kFmaVectors * detail::kVectorBytes / sizeof(Real);
  std::vector<double> rates;
  Real kept = 0;
  for (int repeat = -1; repeat < repeats; ++repeat) {
    const double began = omp_get_wtime();
#pragma omp parallel num_threads(threads) reduction(+ : kept)
    kept += detail::fma_loop(rounds, Real(0.5), Real(1), Real(omp_get_thread_num()));
    const double seconds = omp_get_wtime() - began;
    if (repeat >= 0) rates.push_back(operations * threads / seconds);
  }
  [[maybe_unused]] volatile Real shown = kept;
  return rates;
}

#endif

}  // namespace halfstep
