// Chemistry: an implicit Euler step of Robertson's three stiff reactions (1966) in every cell, by Newton's
// method. An error is a cell in which it does not converge.
//
//   halfstep study kernel newton_chemistry.cu:react
#include <cstdio>

#include "halfstep/study.hpp"

constexpr int kMostIterations = 20;

struct NotConverged {
  int cell;
  double residual, fractions[3];

  /// What printf shows of it; without this, the words that it consists of.
  __device__ void print() const {
    printf("cell %d: residual %g, fractions %g %g %g\n", cell, residual, fractions[0], fractions[1],
           fractions[2]);
  }
};

/// before and after: the fractions of the three species, one array behind the other. dt in seconds.
__global__ void react(const double* before, double* after, int cells, double dt,
                      halfstep::study::Reporter reporter) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells) return;
  const double a0 = before[i], b0 = before[cells + i], all = a0 + b0 + before[2 * cells + i];
  double a = a0, b = b0, residual = 0;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const double c = all - a - b;  // the three add up to what they were
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
  halfstep::study::report_error(reporter, !(residual < 1e-9), NotConverged{i, residual, {a, b, c}});
  after[i] = a;
  after[cells + i] = b;
  after[2 * cells + i] = c;
}

/// Nothing but the first species, and a trace of the third, in every cell another.
auto halfstep_study_setup(int threads) {
  const int cells = 1 << 24;
  using halfstep::study::device_array;
  const double* before = device_array<double>(3 * cells, [](std::size_t n) {
    return n < cells ? 1.0 - 1e-7 * n / cells : n < 2 * cells ? 0.0 : 1e-7;
  });
  double* after = device_array<double>(3 * cells, [](std::size_t) { return 0.0; });
  return halfstep::study::setup((cells + threads - 1) / threads, 6.0 * cells * sizeof(double), before, after,
                                cells, 1e-4);
}
