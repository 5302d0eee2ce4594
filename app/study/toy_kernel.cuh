// The kernel of Table 1 (registers) in NVIDIA's blog "Asynchronous Error Reporting: When printf Just Won't
// Do" (2023), with each method of reporting too large a value: y = 1 / (x - 100 + 1e-6) at x from three steps
// of a multiplicative generator.
#pragma once

#include <cassert>
#include <cstdio>

#include "app/study/cas_channel.cuh"
#include "runtime/soft_error/reporter.hpp"

namespace halfstep {

/// The blog's payload.
struct ToyPayload {
  int code, line, file, block, thread, index;
  float value;
};

/// Computes y in a grid-stride loop; calls report(index, value) for a value of 10000 or more.
template <class Report>
__device__ __forceinline__ void toy(float* y, int n, Report report) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
    int x = (i + 187) * 187 % 7211;
    x = x * 187 % 7211;
    x = x * 187 % 7211;
    const float value = 1.f / (x - 100 + 1e-6);
    if (value >= 10000) report(i, value);
    y[i] = value;
  }
}

extern "C" __global__ void toy_none(float* y, int n) {
  toy(y, n, [](int, float) {});
}
extern "C" __global__ void toy_printf(float* y, int n) {
  toy(y, n, [](int index, float value) { printf("value %f out of range at %d\n", value, index); });
}
extern "C" __global__ void toy_assert(float* y, int n) {
  toy(y, n, [](int, float) { assert(!"value out of range"); });
}
extern "C" __global__ void toy_payload(float* y, int n, CasChannel<ToyPayload> channel) {
  toy(y, n, [&](int index, float value) {
    report_by_cas(channel, [&](ToyPayload& payload) {
      payload = {2, __LINE__, 0, static_cast<int>(blockIdx.x), static_cast<int>(threadIdx.x), index, value};
    });
  });
}
extern "C" __global__ void toy_raise(float* y, int n, soft_error::Reporter<> reporter) {
  bool bad = false;
  toy(y, n, [&](int, float) { bad = true; });
  if (bad) reporter.raise();
}

}  // namespace halfstep
