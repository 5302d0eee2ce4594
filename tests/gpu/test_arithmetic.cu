// Divisions and square roots of the stage kernels are good to the last place or two, over the range that they
// promise; in a strict build they are IEEE's.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "physics/arithmetic.hpp"
#include "runtime/device/memory.hpp"

using namespace halfstep;

namespace {

constexpr int kBlock = 256;
constexpr int kCount = 1 << 20;

template <class Real>
struct Results {
  Real reciprocal, quotient, root;
};

template <class Real>
__global__ void divide(const Real* x, const Real* y, Results<Real>* results) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  results[n] = {reciprocal(y[n]), quotient(x[n], y[n]), square_root(y[n])};
}

/// Positive normal numbers, one over which is normal, too; their quotients as well.
template <class Real>
std::vector<Real> numbers(unsigned seed, int exponents) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> mantissa(1, 2);
  std::uniform_int_distribution<int> exponent(-exponents, exponents);
  std::vector<Real> result(kCount);
  for (Real& x : result) x = std::ldexp(Real(mantissa(generator)), exponent(generator));
  return result;
}

/// In units of the last place of what is exact.
template <class Real>
double error(Real computed, long double exact) {
  const Real rounded = static_cast<Real>(exact);
  const long double unit = std::nextafter(rounded, std::numeric_limits<Real>::infinity()) - rounded;
  return static_cast<double>(std::abs((static_cast<long double>(computed) - exact) / unit));
}

template <class Real>
void check(int exponents, double most) {
  const std::vector<Real> x = numbers<Real>(1, exponents / 2), y = numbers<Real>(2, exponents / 2);
  DeviceBuffer<Real> device_x(kCount), device_y(kCount);
  DeviceBuffer<Results<Real>> device_results(kCount);
  HALFSTEP_CUDA(cudaMemcpy(device_x.get(), x.data(), kCount * sizeof(Real), cudaMemcpyHostToDevice));
  HALFSTEP_CUDA(cudaMemcpy(device_y.get(), y.data(), kCount * sizeof(Real), cudaMemcpyHostToDevice));
  divide<<<kCount / kBlock, kBlock>>>(device_x.get(), device_y.get(), device_results.get());
  HALFSTEP_CUDA_LAUNCHED("divide");
  std::vector<Results<Real>> results(kCount);
  HALFSTEP_CUDA(cudaMemcpy(results.data(), device_results.get(), kCount * sizeof(Results<Real>),
                           cudaMemcpyDeviceToHost));
  double reciprocal = 0, quotient = 0, root = 0;
  for (int n = 0; n < kCount; ++n) {
    reciprocal = std::max(reciprocal, error(results[n].reciprocal, 1.0L / y[n]));
    quotient = std::max(quotient, error(results[n].quotient, static_cast<long double>(x[n]) / y[n]));
    root = std::max(root, error(results[n].root, std::sqrt(static_cast<long double>(y[n]))));
  }
  std::printf("units in the last place: reciprocal %.3f, quotient %.3f, root %.3f\n", reciprocal, quotient,
              root);
  CHECK(reciprocal <= (HALFSTEP_STRICT_FP ? 0.5001 : most));
  CHECK(quotient <= (HALFSTEP_STRICT_FP ? 0.5001 : most + 1));
  CHECK(root <= (HALFSTEP_STRICT_FP ? 0.5001 : most));
}

}  // namespace

TEST_CASE("double precision") { check<double>(1000, 1); }
TEST_CASE("single precision") { check<float>(120, 2); }

int main(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: no CUDA device");
    return 77;
  }
  return doctest::Context(argc, argv).run();
}
