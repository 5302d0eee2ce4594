// The examples' calls of report_error(), replaced by hand: what `halfstep study kernel` says of the examples
// must be what nvcc says of these. REPORT is the number of a way of reporting, in the order of kUserMethods.
#include <cassert>
#include <cstdio>

#if REPORT == 3
#include "app/study/cas_channel.cuh"
#elif REPORT == 4
#include "runtime/soft_error/reporter.hpp"
#elif REPORT == 5
#include "runtime/soft_error/facade/CASerror.h"
#endif

struct OutOfRange {
  int code, line, file, block, thread, index;
  float value;
};

struct NotConverged {
  int cell;
  double residual, fractions[3];
};

#if REPORT < 3
#define REPORTER(Payload)
#elif REPORT == 3
#define REPORTER(Payload) , halfstep::CasChannel<Payload> channel
#elif REPORT == 4
#define REPORTER(Payload) , halfstep::soft_error::Reporter<> reporter
#elif REPORT == 5
#define REPORTER(Payload) , CASError::MappedErrorType<Payload> error
#endif

__global__ void toy(float* y, int n REPORTER(OutOfRange)) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
    int x = (i + 187) * 187 % 7211;
    x = x * 187 % 7211;
    x = x * 187 % 7211;
    const float value = 1.f / (x - 100 + 1e-6);
#if REPORT == 1
    if (value >= 10000) printf("value %f out of range at %d\n", value, i);
#elif REPORT == 2
    assert(!(value >= 10000));
#elif REPORT == 3
    if (value >= 10000)
      report_by_cas(channel, [&](OutOfRange& payload) {
        payload = {2, __LINE__, 0, int(blockIdx.x), int(threadIdx.x), i, value};
      });
#elif REPORT == 4
    if (value >= 10000) reporter.raise();
#elif REPORT == 5
    if (value >= 10000)
      CASError::report_first_error(error, [&](OutOfRange& payload) {
        payload = {2, __LINE__, 0, int(blockIdx.x), int(threadIdx.x), i, value};
      });
#endif
    y[i] = value;
  }
}

__global__ void react(const double* before, double* after, int cells, double dt REPORTER(NotConverged)) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells) return;
  const double a0 = before[i], b0 = before[cells + i], all = a0 + b0 + before[2 * cells + i];
  double a = a0, b = b0, residual = 0;
  for (int iteration = 0; iteration < 20; ++iteration) {
    const double c = all - a - b;
    const double slow = 0.04 * a, fast = 3e7 * b * b, back = 1e4 * b * c;
    const double f = a - a0 + dt * (slow - back), g = b - b0 - dt * (slow - back - fast);
    residual = fabs(f) + fabs(g);
    if (residual < 1e-13) break;
    const double back_b = 1e4 * (c - b), back_a = -1e4 * b;
    const double fa = 1 + dt * (0.04 - back_a), fb = -dt * back_b;
    const double ga = -dt * (0.04 - back_a), gb = 1 + dt * (back_b + 6e7 * b);
    const double determinant = fa * gb - fb * ga;
    a -= (f * gb - fb * g) / determinant;
    b -= (fa * g - f * ga) / determinant;
  }
  const double c = all - a - b;
#if REPORT == 1
  if (!(residual < 1e-9)) printf("cell %d: residual %g, fractions %g %g %g\n", i, residual, a, b, c);
#elif REPORT == 2
  assert(residual < 1e-9);
#elif REPORT == 3
  if (!(residual < 1e-9))
    report_by_cas(channel, [&](NotConverged& payload) { payload = {i, residual, {a, b, c}}; });
#elif REPORT == 4
  if (!(residual < 1e-9)) reporter.raise();
#elif REPORT == 5
  if (!(residual < 1e-9)) {
    const NotConverged made = {i, residual, {a, b, c}};
    CASError::report_first_error(error, [&](NotConverged& payload) { payload = made; });
  }
#endif
  after[i] = a;
  after[cells + i] = b;
  after[2 * cells + i] = c;
}
