// The kernel of Table 1 (registers) in NVIDIA's blog "Asynchronous Error Reporting: When printf Just Won't
// Do" (2023): y = 1 / (x - 100 + 1e-6) at x from three steps of a multiplicative generator. A value of 10000
// or more is an error.
//
//   halfstep study kernel toy.cu:toy
#include <cstdio>

#include "halfstep/study.hpp"

/// The blog's payload, and what it prints of it.
struct OutOfRange {
  int code, line, file, block, thread, index;
  float value;

  __device__ void print() const { printf("value %f out of range at %d\n", value, index); }
};

__global__ void toy(float* y, int n, halfstep::study::Reporter reporter) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
    int x = (i + 187) * 187 % 7211;
    x = x * 187 % 7211;
    x = x * 187 % 7211;
    const float value = 1.f / (x - 100 + 1e-6);
    const int block = blockIdx.x, thread = threadIdx.x;
    halfstep::study::report_error(reporter, value >= 10000,
                                  OutOfRange{2, __LINE__, 0, block, thread, i, value});
    y[i] = value;
  }
}
