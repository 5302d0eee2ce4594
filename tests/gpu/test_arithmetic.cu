// Divisions and square roots of the stage kernels are accurate to one or two units in the last place over the
// whole range that they promise; in a strict build they are those of IEEE 754.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "physics/base/arithmetic.hpp"
#include "runtime/device/memory.hpp"

using namespace halfstep;

namespace {

constexpr int kBlock = 256;
constexpr int kCount = 1 << 20;

template <class Real>
struct Results {
  Real reciprocal, quotient, root, fused;
  Reciprocals<Real> both;
};

template <class Real>
__global__ void compute(const Real* x, const Real* y, Results<Real>* results) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  results[n] = {reciprocal(y[n]), quotient(x[n], y[n]), square_root(y[n]), halfstep::fma(x[n], y[n], -x[n]),
                reciprocals(x[n], y[n])};
}

/// Positive numbers x and y. With `to_the_ends` they reach the ends of the range: y, 1 / y and x / y are
/// normal. Otherwise they stay in its middle, where x y and 1 / (x y) are normal too.
template <class Real>
struct Numbers {
  std::vector<Real> x = std::vector<Real>(kCount), y = x;

  explicit Numbers(bool to_the_ends) {
    const int most = std::numeric_limits<Real>::max_exponent - 3;
    std::mt19937_64 generator(1);
    std::uniform_real_distribution<double> mantissa(1, 2);
    const auto number = [&](int lowest, int highest) {
      return std::ldexp(Real(mantissa(generator)), std::uniform_int_distribution(lowest, highest)(generator));
    };
    for (int n = 0; n < kCount; ++n) {
      const int end = to_the_ends ? most : most / 2;
      y[n] = number(-end, end);
      const int of_y = std::ilogb(y[n]);
      x[n] =
          to_the_ends ? number(std::max(-most, of_y - most), std::min(most, of_y + most)) : number(-end, end);
    }
  }
};

/// Returns the error in units in the last place of the exact value.
template <class Real>
double error(Real computed, long double exact) {
  const Real rounded = static_cast<Real>(exact);
  const long double unit = std::nextafter(rounded, std::numeric_limits<Real>::infinity()) - rounded;
  return static_cast<double>(std::abs((static_cast<long double>(computed) - exact) / unit));
}

template <class Real>
void check(bool to_the_ends, double most) {
  const Numbers<Real> numbers(to_the_ends);
  const std::vector<Real>&x = numbers.x, &y = numbers.y;
  DeviceBuffer<Real> device_x(kCount), device_y(kCount);
  DeviceBuffer<Results<Real>> device_results(kCount);
  HALFSTEP_CUDA(cudaMemcpy(device_x.get(), x.data(), kCount * sizeof(Real), cudaMemcpyHostToDevice));
  HALFSTEP_CUDA(cudaMemcpy(device_y.get(), y.data(), kCount * sizeof(Real), cudaMemcpyHostToDevice));
  compute<<<kCount / kBlock, kBlock>>>(device_x.get(), device_y.get(), device_results.get());
  HALFSTEP_CUDA_LAUNCHED("compute");
  std::vector<Results<Real>> results(kCount);
  HALFSTEP_CUDA(cudaMemcpy(results.data(), device_results.get(), kCount * sizeof(Results<Real>),
                           cudaMemcpyDeviceToHost));
  double reciprocal = 0, quotient = 0, root = 0, of_both = 0;
  long long unlike = 0;
  for (int n = 0; n < kCount; ++n) {
    const Results<Real>& r = results[n];
    reciprocal = std::max(reciprocal, error(r.reciprocal, 1.0L / y[n]));
    quotient = std::max(quotient, error(r.quotient, static_cast<long double>(x[n]) / y[n]));
    root = std::max(root, error(r.root, std::sqrt(static_cast<long double>(y[n]))));
    if (to_the_ends) continue;
    of_both = std::max({of_both, error(r.both.a, 1.0L / x[n]), error(r.both.b, 1.0L / y[n])});
    unlike += r.fused != (HALFSTEP_STRICT_FP ? x[n] * y[n] - x[n] : std::fma(x[n], y[n], -x[n]));
  }
  std::printf("units in the last place: reciprocal %.3f, quotient %.3f, root %.3f, one over both %.3f\n",
              reciprocal, quotient, root, of_both);
  CHECK(reciprocal <= (HALFSTEP_STRICT_FP ? 0.5001 : most));
  CHECK(quotient <= (HALFSTEP_STRICT_FP ? 0.5001 : most + 1));
  CHECK(root <= (HALFSTEP_STRICT_FP ? 0.5001 : most));
  CHECK(of_both <= most + 2);  // a product, a reciprocal and a product
  CHECK(unlike == 0);
}

}  // namespace

TEST_CASE("double precision") { check<double>(false, 1); }
TEST_CASE("single precision") { check<float>(false, 2); }
TEST_CASE("double precision, to the ends of the range") { check<double>(true, 1); }
TEST_CASE("single precision, to the ends of the range") { check<float>(true, 2); }

int main(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: no CUDA device");
    return 77;
  }
  return doctest::Context(argc, argv).run();
}
